"""Parallel corpora made from what there is: a dictionary, a phrasebook, package descriptions."""
