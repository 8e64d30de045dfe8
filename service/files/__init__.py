"""Translating files: the addresses, the process that reads large ones, what waits to be fetched."""
