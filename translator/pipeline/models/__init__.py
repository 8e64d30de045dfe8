"""Several models behind one face: which one translates a pair, and which ones are in memory."""
