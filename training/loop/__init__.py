"""The training loop and everything that a resume needs."""
