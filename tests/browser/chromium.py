"""A Chromium without a window, driven over a pipe by its own protocol: no other program is needed.

Source: https://chromedevtools.github.io/devtools-protocol/
"""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.browser.page import Page, ProtocolError

TIMEOUT_S = 60
OPTIONS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-default-apps", "--disable-extensions", "--hide-scrollbars"),
    # a machine without a screen has no mouse either: pages would take it for a phone
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
    *("--force-color-profile=srgb", "--font-render-hinting=none", "--remote-debugging-pipe"),
)
MISSING = "for chromium: apt-get install chromium"


class Chromium:
    """A browser of its own, with a new profile.

    Attributes:
        events: what pages have told, by the session of the page, in order.
    """

    def __init__(self, folder: Path) -> None:
        """Start it; `folder` is for its profile and downloads."""
        program = shutil.which("chromium") or shutil.which("google-chrome")
        assert program, MISSING
        self.folder = folder
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        # Chromium reads from 3 and writes to 4
        script = f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}'
        command = [program, *OPTIONS, f"--user-data-dir={folder / 'profile'}", "about:blank"]
        self.process = subprocess.Popen(
            ["bash", "-c", script, "bash", *command],
            pass_fds=(theirs_in, theirs_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(folder), "DBUS_SESSION_BUS_ADDRESS": "disabled:"},
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._answers: dict[int, queue.Queue[dict[str, Any]]] = {}
        self.events: dict[str, list[dict[str, Any]]] = {}
        self._last, self._lock = 0, threading.Lock()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        """Hand out answers and keep events until the browser ends."""
        rest = b""
        while part := os.read(self._in, 1 << 20):
            *messages, rest = (rest + part).split(b"\0")
            for message in map(json.loads, messages):
                if "id" in message:
                    self._answers[message["id"]].put(message)
                else:
                    self.events.setdefault(message.get("sessionId", ""), []).append(message)

    def send(self, method: str, session: str = "", **params: Any) -> dict[str, Any]:
        """Carry out a command and return its result.

        Raises:
            ProtocolError: it could not be carried out.
        """
        number = self._post(method, session, params)
        answer = self._answers[number].get(timeout=TIMEOUT_S)
        del self._answers[number]
        if "error" in answer:
            raise ProtocolError(f"{method}: {answer['error']['message']}")
        result: dict[str, Any] = answer["result"]
        return result

    def _post(self, method: str, session: str, params: dict[str, Any]) -> int:
        """Have a command carried out, and return its number, under which the answer comes."""
        with self._lock:
            self._last += 1
            number = self._last
            self._answers[number] = queue.Queue()
            message = {"id": number, "method": method, "params": params}
            message |= {"sessionId": session} if session else {}
            rest = json.dumps(message).encode() + b"\0"
            while rest:
                rest = rest[os.write(self._out, rest) :]
        return number

    def close(self) -> None:
        """End it."""
        self.send("Browser.close")
        try:
            self.process.wait(TIMEOUT_S)
        finally:
            self.process.kill()
            self.process.wait()
            self._reader.join(TIMEOUT_S)
            os.close(self._in)
            os.close(self._out)

    @contextmanager
    def page(self, url: str, **looks: Any) -> Iterator[Page]:
        """Open an address in a window with cookies and storage of its own; see `Page.look`.

        No script of the page may fail, and its policy may have nothing to refuse.
        """
        context = self.send("Target.createBrowserContext")["browserContextId"]
        target = self.send("Target.createTarget", url="about:blank", browserContextId=context)
        session = self.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        page = Page(self, session["sessionId"], self.folder / "downloads", context)
        try:
            page.look(**looks)
            page.open(url)
            yield page
            assert page.problems() == []
        finally:
            # a browser with much to do takes its time over that, and no one has to wait
            self._post("Target.disposeBrowserContext", "", {"browserContextId": context})
