"""What a checked request asks of the library, in how few calls, and what comes of them."""
