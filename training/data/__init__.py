"""From raw parallel text to batches of ids. No losses and no models."""
