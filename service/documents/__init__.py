"""Files, read and written in a process of their own unless they are small.

A reader holds Python's lock for as long as it works, and a library that it uses may fail as a
whole. `apart` talks to such a process, `reader` is what runs in it, and `frames` is what they say.
"""
