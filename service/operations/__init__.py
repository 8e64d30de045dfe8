"""What those who run the service ask: health, metrics, and downloads of models."""
