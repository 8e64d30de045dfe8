"""The commands of `python -m translator`: their flags, and what they print."""
