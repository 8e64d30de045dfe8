"""`python -m service`: serve with gunicorn, as `gunicorn.conf.py` says.

Options of gunicorn may follow, and win over that file. `python -m service keys` is about API keys.
"""

from __future__ import annotations

import sys
from pathlib import Path

from gunicorn.app.base import BaseApplication
from gunicorn.app.wsgiapp import WSGIApplication
from gunicorn.arbiter import Arbiter
from gunicorn.errors import HaltServer

CONFIG = Path(__file__).with_name("gunicorn.conf.py")

HELP = """usage: python -m service [options of gunicorn]
       python -m service keys --help

Serve translations over HTTP. Settings are environment variables, such as
TRANSLATOR_PORT=8080; docs/reference.md lists them.

  keys            make, show, change and remove API keys
  --check-config  try the settings, the address and the folder, load the models, and end
                  with 0 if the server can start
  --version       show the version
  --help          show this

All other options are gunicorn's; `python -m gunicorn --help` lists them.
"""


class StoppingArbiter(Arbiter):  # type: ignore[misc]
    """gunicorn's main process; a worker that could not start does not keep it from stopping."""

    def stop(self, graceful: bool = True) -> None:
        """Stop the workers; each that could not start has said so and is gone."""
        try:
            super().stop(graceful)
        except HaltServer:
            self.stop(graceful)


class Base(BaseApplication):  # type: ignore[misc]
    """What `Server` ends up in when gunicorn has read its options."""

    def run(self) -> None:
        """Serve until a signal ends it."""
        StoppingArbiter(self).run()


class Server(WSGIApplication, Base):  # type: ignore[misc]
    """gunicorn, of which `--check-config` tries what a start does before it loads the models."""

    def run(self) -> None:
        """Serve, or check."""
        if self.cfg.check_config:
            server = Arbiter(self)
            self.cfg.on_starting(server)
            self.cfg.on_exit(server)
        try:
            super().run()
        except SystemExit as end:
            if self.cfg.check_config and not end.code:
                print("the server can start")
            raise


def main() -> None:
    """Serve until a signal ends it, or run a command."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["keys"]:
        from service.access.commands import main as keys

        sys.exit(keys(arguments[1:]))
    if {"-h", "--help"} & {*arguments}:
        print(HELP, end="")
        return
    if {"-v", "--version"} & {*arguments}:
        from service.openapi import VERSION

        print(f"translator {VERSION}")
        return
    sys.argv[1:1] = ["--config", str(CONFIG)]
    Server(prog="python -m service").run()


if __name__ == "__main__":
    main()
