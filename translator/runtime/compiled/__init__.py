"""The model on the CPU, in int8 or float32: written in Python, compiled by Numba for this CPU."""
