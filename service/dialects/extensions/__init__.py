"""Small dialects of browser extensions and of MTranServer, which they are made for too."""
