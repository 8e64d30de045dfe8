"""Whether the application is still well: it is asked for `GET /health`, without a connection."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from werkzeug.test import EnvironBuilder, run_wsgi_app

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

HEALTH = "/health"
INTERVAL_S = 2.0

CORS = "access-control-"
SECURITY = {
    "content-security-policy",
    "referrer-policy",
    "x-content-type-options",
    "x-frame-options",
}


class Watch:
    """Asks an application for its health every two seconds, on a thread of its own."""

    def __init__(self, application: WSGIApplication) -> None:
        self._application = application
        self._well_at_s = time.monotonic()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="worker-watch", daemon=True)
        self.headers: dict[str, str] = {}

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Ask no more."""
        self._is_over.set()

    @property
    def ill_s(self) -> float:
        """Return the seconds since the application was last well; about zero while it is."""
        return max(0.0, time.monotonic() - self._well_at_s - INTERVAL_S)

    def common_headers(self) -> dict[str, str]:
        """Return those headers of the last good answer that say what browsers may do with it."""
        return {
            name: value
            for name, value in self.headers.items()
            if name.lower() in SECURITY or name.lower().startswith(CORS)
        }

    def ask(self) -> bool:
        """Ask now; return whether it is well: any answer but a server's error will do."""
        try:
            environ = EnvironBuilder(
                HEALTH, environ_base={"REMOTE_ADDR": "127.0.0.1"}
            ).get_environ()
            _, status, headers = run_wsgi_app(self._application, environ, buffered=True)
        except Exception:  # an application that raises is ill, whatever it raises
            return False
        if status.startswith("5"):
            return False
        self.headers = dict(headers)
        self._well_at_s = time.monotonic()
        return True

    def _run(self) -> None:
        while not self._is_over.wait(INTERVAL_S):
            self.ask()
