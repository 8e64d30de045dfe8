"""DeepL's API, version 2, and what its clients use of version 3."""
