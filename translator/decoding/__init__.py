"""From encoder output to hypotheses: search, scheduling, and the engine that runs both."""
