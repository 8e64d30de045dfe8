"""Catalogues: what programs say, each message under a key, which is never translated.

Each file reads one kind of catalogue. `text.icu` tells what in a message is for the program, and
reads those with choices.
"""
