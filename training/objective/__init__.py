"""What is minimised: the loss, rounding for int8."""
