"""What is minimised: losses, consistency of two views, rounding for int8."""
