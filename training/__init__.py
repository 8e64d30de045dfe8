"""Raw parallel text in, a model directory out."""
