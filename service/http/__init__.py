"""What all addresses share: reading requests, errors, streams, pages, metrics and the log."""
