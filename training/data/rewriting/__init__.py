"""Training pairs are changed a little, into what users also write."""
