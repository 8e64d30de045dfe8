"""Whatever is wrong with an upload, the answer says so, and the next file is translated."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient

from service.files.routes import SMALL_BYTES
from tests.documents import archive, members
from tests.sample_files import ARCHIVES, MAKERS, sample
from tests.service.conftest import FakeTranslator, make_app

XML = ("xliff", "xml", "ts", "tmx")
JSON = ("json", "arb", "xcstrings")
ENTITIES = b'<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>'
MAIN = {
    "docx": "word/document.xml",
    "pptx": "ppt/slides/slide1.xml",
    "xlsx": "xl/worksheets/sheet1.xml",
    "odt": "content.xml",
    "odp": "content.xml",
    "ods": "content.xml",
    "epub": "EPUB/content.opf",
}


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    """Return a client of one application, which answers all of this file's requests."""
    return make_app(FakeTranslator()).test_client()


def send(client: FlaskClient, kind: str, data: bytes) -> Any:
    form = {"source": "de", "target": "en", "file": (io.BytesIO(data), f"a.{kind}")}
    return client.post("/translate_file", data=form)


def is_refused(client: FlaskClient, kind: str, data: bytes) -> bool:
    """Return whether a file is refused; one that is not must be translated."""
    answer = send(client, kind, data)
    said = answer.json
    if answer.status_code == 200:
        assert said["translatedFileUrl"]
        return False
    assert 400 <= answer.status_code < 500, (kind, data[:100], said)
    assert said["error"].startswith(f"Invalid request: a.{kind}")
    assert "Traceback" not in said["error"]
    return True


def check_alive(client: FlaskClient, kind: str) -> None:
    answer = send(client, kind, sample(kind))
    assert answer.status_code == 200, (kind, answer.json)
    fetched = client.get(urlsplit(answer.json["translatedFileUrl"]).path)
    assert fetched.status_code == 200
    assert fetched.data
    fetched.close()


def worst(kind: str) -> Iterator[bytes]:
    """Yield files that no reader of this kind may take."""
    yield bytes(100)
    yield b"\xff\xfe\x00\xd8"  # half a character of UTF-16
    if kind in ARCHIVES:
        found, main = members(sample(kind)), MAIN[kind]
        yield b"PK\x05\x06" + bytes(18)
        yield sample(kind)[: len(sample(kind)) // 2]
        yield archive({**found, "bomb.bin": bytes(64 << 20)})
        yield archive({**found, "../../evil": b"x"})
        yield archive({**found, main: ENTITIES})
        yield archive({**found, main: b"<a>" * 10_000})
    elif kind == "pdf":
        yield b"%PDF-1.7\n" + bytes(1000)
        yield sample(kind)[:300]
    elif kind in XML:
        yield ENTITIES
        yield b"<a>" * 10_000
        yield sample(kind)[:-5]
    elif kind in JSON:
        yield b"[" * 100_000
        yield sample(kind)[:-1]
        yield b'{"a": 1e999999, "a": NaN'
    elif kind == "yml":
        yield b"en: " + b"[" * 10_000
        yield b"a: &a [x]\nb: &b [*a, *a]\nen: [*b, *b"


@pytest.mark.parametrize("kind", MAKERS)
def test_the_worst_files_are_refused_and_the_next_is_translated(
    client: FlaskClient, kind: str
) -> None:
    taken = [data[:40] for data in worst(kind) if not is_refused(client, kind, data)]
    assert taken == []
    check_alive(client, kind)


@pytest.mark.parametrize("kind", MAKERS)
def test_other_bytes_here_and_there_are_no_fault_of_the_server(
    client: FlaskClient, kind: str
) -> None:
    chosen = random.Random(kind)
    for _ in range(5):
        data = bytearray(sample(kind))
        for _ in range(chosen.randint(1, 20)):
            data[chosen.randrange(len(data))] = chosen.randrange(256)
        is_refused(client, kind, bytes(data))
        is_refused(client, kind, bytes(data[: chosen.randrange(len(data))]))
    check_alive(client, kind)


def after(data: bytes) -> bytes:
    return data + b" " * SMALL_BYTES


def inside(data: bytes) -> bytes:
    rest = random.Random(1).randbytes(SMALL_BYTES)
    return archive({**members(data), MAIN["docx"]: ENTITIES, "media.bin": rest})


@pytest.mark.parametrize(
    ("kind", "make"),
    [
        ("json", lambda data: after(data[:-1])),
        ("pdf", lambda data: after(data[: len(data) // 2])),
        ("docx", inside),
    ],
)
def test_files_that_a_process_of_their_own_reads(
    client: FlaskClient, kind: str, make: Callable[[bytes], bytes]
) -> None:
    data = make(sample(kind))
    assert len(data) > SMALL_BYTES
    assert is_refused(client, kind, data)
    check_alive(client, kind)
