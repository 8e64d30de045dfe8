"""Models of other projects, read as they are and written as model directories."""
