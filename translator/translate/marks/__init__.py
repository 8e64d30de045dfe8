"""Marks of a paragraph put where their words went, by the model's cross-attention."""
