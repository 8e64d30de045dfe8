"""Model directories and what other systems read: files in, files out. No HTTP."""
