"""What int8 is made of, compiled by Numba: vectors, tiles, products, norms and powers."""
