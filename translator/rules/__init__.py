"""Numbers, negation, letter case and spelling: read, compared, and written as a language does."""
