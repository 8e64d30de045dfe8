"""What a model attends to in a sentence pair: recorded by a second pass, and drawn."""
