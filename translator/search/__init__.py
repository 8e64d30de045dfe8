"""Greedy and beam search over log-probabilities, without PyTorch. No models and no threads."""
