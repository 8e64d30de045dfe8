"""Catalogues: what programs say, each message under a key, which is never translated.

Each file reads one kind of catalogue. `markup.program` tells what in a message is for the
program, and `markup.icu` reads those with choices.
"""
