"""Formats of rows: where a file may be cut, how its rows are read, and how they are written."""
