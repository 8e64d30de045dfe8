"""Catalogues: what programs say, each message under a key, which is never translated.

`messages` tells what in a message is for the program, `icu` reads those with choices. The others
each read one kind of catalogue.
"""
