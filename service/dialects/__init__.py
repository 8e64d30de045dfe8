"""Other programs' ways to ask the same and to hear the same: one file or folder a dialect."""
