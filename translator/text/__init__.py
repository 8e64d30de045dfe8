"""From a user's characters to sentences and back, byte for byte. No tokens and no models."""
