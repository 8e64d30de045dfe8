"""`python -m translator`: see `translator.cli.main`."""

from __future__ import annotations

import sys

from translator.commands import run_main


def main() -> int:
    """Run one command; return its exit code."""
    return run_main("translator.cli.main")


if __name__ == "__main__":
    sys.exit(main())
