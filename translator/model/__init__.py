"""The Transformer encoder-decoder, in the order of the paper."""
