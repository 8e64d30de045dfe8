"""Models as Marian itself writes them: an `.npz` with its YAML, as OPUS-MT publishes them."""
