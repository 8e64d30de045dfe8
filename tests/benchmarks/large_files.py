"""How long short texts wait while the service reads, translates and writes a large file.

    python -m tests.benchmarks.large_files [--kind xlsx …] [--workers 1 …] [--texts 190000]

Each file has many paragraphs, but only some hundred different ones, so that reading and writing are
most of the work; a picture brings it to the size that is wanted. Meanwhile a short text is sent a
few times a second, whether or not earlier ones are answered. Memory is the most that the workers
and the process that reads the file have at once, beyond what the workers have before.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import tempfile
import threading
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from openpyxl import Workbook
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate

from tests.benchmarks.arguments import percentile, print_header, print_row, results_parser
from tests.benchmarks.file_samples import samples, sentences
from tests.benchmarks.results import results
from tests.benchmarks.service_memory import Memory
from tests.documents import archive, members
from tests.serving import serving

DIFFERENT = 300
"""Paragraphs; together they are longer than what packing remembers."""

IN_CHAPTER = 1500
MOST_XML = 60 << 20
SHORT = {"q": "The dog sleeps in the garden.", "source": "en", "target": "de"}
ALONE_S = 10.0


def paragraphs() -> list[str]:
    """Return paragraphs of some sentences each."""
    known = [one for number in range(200) for one in sentences(number)][: 3 * DIFFERENT]
    return [" ".join(known[start : start + 3]) for start in range(0, len(known), 3)]


def many(count: int) -> Iterator[str]:
    """Yield paragraphs in a random order, as many as one member of an archive can have."""
    known, chosen, size = paragraphs(), random.Random(1), 0
    for _ in range(count):
        text = chosen.choice(known)
        size += len(text) + 200
        if size > MOST_XML:
            return
        yield text


def escaped(text: str) -> str:
    """Return a text as XML has it."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


def docx(count: int) -> dict[str, bytes]:
    """Return a document of Word."""
    found = members(samples("docx", 1)[0])
    head, body, tail = found["word/document.xml"].decode().partition("<w:body>")
    inside = "".join(f"<w:p><w:r><w:t>{escaped(one)}</w:t></w:r></w:p>" for one in many(count))
    return {**found, "word/document.xml": f"{head}{body}{inside}{tail}".encode()}


def xlsx(count: int) -> dict[str, bytes]:
    """Return a sheet of Excel whose cells have their strings themselves."""
    made = Workbook(write_only=True)
    sheet = made.create_sheet("Texts")
    for number, text in enumerate(many(count)):
        sheet.append([number, text, f"=A{number + 1}*2"])
    written = io.BytesIO()
    made.save(written)
    return members(written.getvalue())


def odt(count: int) -> dict[str, bytes]:
    """Return a text of OpenDocument."""
    found = members(samples("odt", 1)[0])
    head, body, tail = found["content.xml"].decode().partition("<office:text>")
    inside = "".join(f"<text:p>{escaped(one)}</text:p>" for one in many(count))
    return {**found, "content.xml": f"{head}{body}{inside}{tail}".encode()}


def epub(count: int) -> dict[str, bytes]:
    """Return a book of chapters of half a megabyte, as long as whole books are."""
    found = members(samples("epub", 1)[0])
    [chapter, *_] = [name for name in found if name.endswith("c0.xhtml")]
    package = next(name for name in found if name.endswith(".opf"))
    head, _, tail = found[chapter].decode().partition("<p>")
    texts, manifest, spine = list(many(count)), "", ""
    for number, start in enumerate(range(0, len(texts), IN_CHAPTER)):
        inside = "".join(f"<p>{escaped(one)}</p>" for one in texts[start : start + IN_CHAPTER])
        name = f"long{number}"
        found[str(Path(chapter).with_name(f"{name}.xhtml"))] = f"{head}{inside}<p>{tail}".encode()
        kind = 'media-type="application/xhtml+xml"'
        manifest += f'<item href="{name}.xhtml" id="{name}" {kind}/>'
        spine += f'<itemref idref="{name}"/>'
    content = found[package].decode().replace("</manifest>", f"{manifest}</manifest>")
    found[package] = content.replace("</spine>", f"{spine}</spine>").encode()
    return found


def pdf(count: int) -> bytes:
    """Return a PDF of about ten paragraphs a page, and at most 300 pages."""
    style, written = getSampleStyleSheet()["BodyText"], io.BytesIO()
    story = [Paragraph(escaped(text), style) for text in many(min(count, 3000))]
    SimpleDocTemplate(written, invariant=1).build(story)
    return written.getvalue()


def filled(made: dict[str, bytes], num_bytes: int) -> bytes:
    """Return an archive with a picture that brings it to a size."""
    packed = archive(made)
    picture = random.Random(1).randbytes(max(num_bytes - len(packed), 0))
    written = io.BytesIO(packed)
    with zipfile.ZipFile(written, "a") as target:
        target.writestr("media/picture.bin", picture)
    return written.getvalue()


MAKERS: dict[str, Callable[[int, int], bytes]] = {
    "xlsx": lambda count, size: filled(xlsx(count), size),
    "docx": lambda count, size: filled(docx(count), size),
    "odt": lambda count, size: filled(odt(count), size),
    "epub": lambda count, size: filled(epub(count), size),
    "pdf": lambda count, size: pdf(count),
}


class Waiting:
    """Short texts, sent at fixed times, and how long each waited for its answer."""

    def __init__(self, port: int, gap_s: float) -> None:
        """Send nothing yet."""
        self._address, self._gap_s = f"http://127.0.0.1:{port}/translate", gap_s
        self.seconds: list[float] = []
        self.num_failed = 0

    def run(self, ended: threading.Event) -> None:
        """Send until the end."""
        due = time.monotonic()
        with ThreadPoolExecutor(32) as pool:
            while not ended.wait(max(due - time.monotonic(), 0)):
                pool.submit(self._ask, due)
                due += self._gap_s

    def _ask(self, due: float) -> None:
        data = json.dumps(SHORT).encode()
        headers = {"Content-Type": "application/json"}
        try:
            request = urllib.request.Request(self._address, data, headers)
            with urllib.request.urlopen(request, timeout=120) as answer:
                answer.read()
        except (OSError, urllib.error.URLError):
            self.num_failed += 1
        self.seconds.append(time.monotonic() - due)

    def told(self) -> str:
        """Return median, 99th percentile and maximum in milliseconds."""
        known = [1000 * one for one in self.seconds]
        said = f"{percentile(known, 50):.0f} / {percentile(known, 99):.0f} / {max(known):.0f}"
        return f"{said}, {self.num_failed} failed" if self.num_failed else said


def main() -> None:
    """Print a row for each kind of file."""
    parser = results_parser(__doc__)
    parser.add_argument("--kind", action="append", choices=[*MAKERS], help="default: all")
    parser.add_argument("--workers", type=int, action="append", help="default: one, and two")
    parser.add_argument("--texts", type=int, default=190_000, help="paragraphs of each file")
    parser.add_argument("--megabytes", type=int, default=20, help="size of each file")
    parser.add_argument("--uploads", type=int, default=1, help="of the file at once")
    parser.add_argument("--gap", type=float, default=0.2, help="seconds between short texts")
    options = parser.parse_args()
    with results(options.write, "large-files"):
        measure(options)


def measure(options: argparse.Namespace) -> None:
    """Start the service, and send it one file of each kind."""
    print_header(
        *(
            "file",
            "MB",
            "uploads",
            "workers",
            "answer",
            "seconds",
            "short texts alone: p50 / p99 / most, ms",
        ),
        *("meanwhile", "memory, MB"),
    )
    environment = {
        **os.environ,
        "TRANSLATOR_MAX_BODY_BYTES": str(64 << 20),
        "TRANSLATOR_TIMEOUT_S": "600",
        "TRANSLATOR_ACCESS_LOG": "off",
    }
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        for kind in options.kind or MAKERS:
            content = MAKERS[kind](options.texts, options.megabytes << 20)
            for workers in options.workers or (1, 2):
                own = {**environment, "TRANSLATOR_WORKERS": str(workers)}
                with serving(log, environment=own) as port:
                    measure_kind(kind, [content] * options.uploads, workers, port, options.gap)


def measure_kind(
    kind: str, contents: Sequence[bytes], workers: int, port: int, gap_s: float
) -> None:
    """Send files at once, and short texts before and meanwhile."""
    texts, address = "\n\n".join(paragraphs()), f"http://127.0.0.1:{port}/translate_file"
    _during(Waiting(port, gap_s), lambda: _upload(address, "warm.txt", texts.encode()))
    alone, meanwhile = Waiting(port, gap_s), Waiting(port, gap_s)
    _during(alone, lambda: time.sleep(ALONE_S))
    started, statuses = time.monotonic(), set[int]()

    def send() -> None:
        with ThreadPoolExecutor(len(contents)) as pool:
            statuses.update(pool.map(lambda one: _upload(address, f"a.{kind}", one), contents))

    with Memory() as memory:
        _during(meanwhile, send)
    seconds = time.monotonic() - started
    more = (memory.most - memory.before) / (1 << 20)
    megabytes = f"{len(contents[0]) / (1 << 20):.1f}"
    print_row(
        *(kind, megabytes, len(contents), workers),
        *(", ".join(map(str, sorted(statuses))), f"{seconds:.0f}"),
        *(alone.told(), meanwhile.told(), f"{more:.0f}"),
    )


def _upload(address: str, name: str, content: bytes) -> int:
    """Send a form; return the status of the answer, and print an error."""
    mark = "----a-mark-between-fields"
    fields = {"source": "en", "target": "de"}
    body = b"".join(
        f'--{mark}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'.encode()
        for field, value in fields.items()
    )
    disposition = f'Content-Disposition: form-data; name="file"; filename="{name}"'
    body += f"--{mark}\r\n{disposition}\r\n\r\n".encode() + content + f"\r\n--{mark}--".encode()
    headers = {"Content-Type": f"multipart/form-data; boundary={mark}"}
    try:
        with urllib.request.urlopen(
            urllib.request.Request(address, body, headers), timeout=1200
        ) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        print(error.read().decode())
        return error.code


def _during(waiting: Waiting, work: Callable[[], object]) -> None:
    ended = threading.Event()
    thread = threading.Thread(target=waiting.run, args=(ended,))
    thread.start()
    try:
        work()
    finally:
        ended.set()
        thread.join()


if __name__ == "__main__":
    main()
