"""Words in capitals: how they are ordinarily written, and which are shouted inside a sentence."""
