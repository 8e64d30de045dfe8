"""The weights of a model, arranged once and run fast: caches, kernels, threads. No text."""
