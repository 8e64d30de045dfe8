"""Which words of a sentence and its translation belong together, by attention."""
