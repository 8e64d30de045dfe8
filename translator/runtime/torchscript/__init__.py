"""The model in floats, compiled by TorchScript: fewer and larger operations."""
