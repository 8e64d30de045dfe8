"""Directories of `transformers`: MarianMT (OPUS-MT), M2M100 and NLLB."""
