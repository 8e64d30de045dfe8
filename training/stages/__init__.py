"""The stages of a run, from named corpora to a scored model directory."""
