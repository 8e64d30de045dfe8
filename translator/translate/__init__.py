"""`Translator`, the public face, with its checks on what came out. No HTTP."""
