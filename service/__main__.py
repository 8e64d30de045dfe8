"""`python -m service`: serve with gunicorn, as `gunicorn.conf.py` says.

Options of gunicorn may follow, and win over that file. `python -m service keys` is about API keys.
"""

from __future__ import annotations

import sys
from pathlib import Path

from gunicorn.app.wsgiapp import WSGIApplication

CONFIG = Path(__file__).with_name("gunicorn.conf.py")


def main() -> None:
    """Serve until a signal ends it, or run a command about API keys."""
    if sys.argv[1:2] == ["keys"]:
        from service.access.commands import main as keys

        sys.exit(keys(sys.argv[2:]))
    sys.argv[1:1] = ["--config", str(CONFIG)]
    WSGIApplication(
        "%(prog)s [options of gunicorn]\n\n"
        "Settings are environment variables, such as TRANSLATOR_PORT=8080; docs/serving.md lists "
        "them.\n`%(prog)s keys --help` is about API keys.",
        prog="python -m service",
    ).run()


if __name__ == "__main__":
    main()
