"""`python -m translator`: see `translator.cli.main`."""

from __future__ import annotations

import sys


def main() -> int:
    """Run one command; return its exit code, also if the user interrupts while PyTorch loads."""
    try:
        from translator.cli.main import main as run
    except KeyboardInterrupt:
        return 130
    return run()


if __name__ == "__main__":
    sys.exit(main())
