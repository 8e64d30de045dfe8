"""The model in PyTorch's own operations, of which `device/` uses the layers, too."""
