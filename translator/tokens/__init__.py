"""Subword vocabularies and language tags: a sentence as ids, and back. No models."""
