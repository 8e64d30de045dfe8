"""DeepL's glossaries: their terms, and the addresses of both versions."""
