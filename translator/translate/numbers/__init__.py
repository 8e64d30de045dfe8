"""Numbers of a translation that are not those of its source: found, and mended if possible."""
