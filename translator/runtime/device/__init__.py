"""A model and its search as tensors of fixed shapes, for GPUs: no step waits for the CPU."""
