"""Sentences whose numbers are known, since they were made with them; nothing of the library."""
