"""The final report of a run, and the command that writes it."""
