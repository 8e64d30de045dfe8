"""Messages of programs: what in them is for the program, and those of ICU with a choice inside.

Such a message is read, taken apart into sentences, and written again.
"""
