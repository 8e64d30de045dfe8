"""The model in int8 on the CPU, written in Python and compiled by Numba for the CPU at hand."""
