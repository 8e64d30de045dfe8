"""Models fetched from a registry into a folder of model directories, each whole or not at all."""
