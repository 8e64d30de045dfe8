"""The oldest Python that will do; this file is written so that an older one can read it."""

import sys

OLDEST = (3, 11)


def require_python(version: "tuple[int, ...]" = sys.version_info[:2]) -> None:
    """End the process with one line if Python is too old."""
    if version[:2] < OLDEST:
        needed = ".".join(map(str, OLDEST))
        found = ".".join(map(str, version[:2]))
        sys.exit(
            f"error: Python {needed} or newer is needed, and {sys.executable} is Python {found}; "
            f"name a newer one, as in `make serve PYTHON=python{needed}`"
        )
