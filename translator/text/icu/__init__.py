"""Messages of ICU with a choice inside: read, taken apart into sentences, and written again."""
