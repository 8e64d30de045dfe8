"""What is minimised: the loss."""
