"""The header Host: links begin with it, or the request is refused."""

from __future__ import annotations

import io
import socket
import string
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from service.config import ServiceConfig
from tests.service.conftest import FakeTranslator, make_app
from tests.service.server import read_all, serving_app


def link(client: FlaskClient, host: str) -> tuple[int, str]:
    """Have a file translated; return the status and the link of the translation, if there is."""
    file = (io.BytesIO(b"Hallo"), "a.txt")
    fields = {"source": "de", "target": "en", "file": file}
    answer = client.post("/translate_file", data=fields, headers={"Host": host})
    return answer.status_code, (answer.json or {}).get("translatedFileUrl", "")


HOSTS = st.text(string.ascii_letters + string.digits + ".-_:[]\"'<>@/\\, ?#%ü", max_size=12)


@settings(suppress_health_check=[*HealthCheck])
@given(HOSTS)
@example('a"b')
@example("example.org,example.org")
@example("example.org, evil.org")
@example("user@example.org")
@example("example.org:99999")
@example("translator_1:5000")
@example("[::1]:5000")
def test_a_host_is_that_of_the_link_or_refused(host: str) -> None:
    status, url = link(CLIENT, host)
    parts = urlsplit(url)
    if status == 400:
        assert url == ""
    else:
        assert (status, parts.netloc) == (200, host)
        assert parts.path.startswith("/download_file/")
        assert parts.port is None or parts.port > 0
        assert not {*'"<>@/\\, ?#%'} & {*host}


@pytest.mark.parametrize(
    "host", ["example.org", "localhost:5000", "translator_1:5000", "127.0.0.1", "[::1]:5000"]
)
def test_hosts_that_are_some(host: str) -> None:
    assert link(CLIENT, host)[0] == 200


CLIENT = make_app(FakeTranslator(), ServiceConfig(files_bytes=10_000)).test_client()


NAMES = ServiceConfig(files_bytes=10_000, trusted_hosts="a.org, .B.example  [::1] my_host")
GUARDED = make_app(FakeTranslator(), NAMES).test_client()


@pytest.mark.parametrize(
    ("host", "status"),
    [
        *(("a.org", 200), ("A.org:5000", 200), ("b.example", 200), ("x.y.b.example:1", 200)),
        *(("[::1]:5000", 200), ("my_host", 200)),
        *(("evil.com", 400), ("x.a.org", 400), ("evilb.example", 400), ("a.org.evil.com", 400)),
        *(("localhost", 400), ("127.0.0.1:5000", 400), ("a.org@evil.com", 400)),
    ],
)
def test_only_names_on_the_list_are_answered(host: str, status: int) -> None:
    assert link(GUARDED, host)[0] == status
    for path in ("/docs", "/languages", "/nowhere"):
        answer = GUARDED.get(path, headers={"Host": host})
        assert answer.status_code == (404 if (path, status) == ("/nowhere", 200) else status)
        assert status == 200 or (answer.json or {})["code"] == "invalid"


def test_what_watches_the_server_asks_by_any_name() -> None:
    for path in ("/health", "/ready"):
        assert GUARDED.get(path, headers={"Host": "10.0.0.7:5000"}).status_code == 200


def test_two_hosts_are_refused_by_a_server(tmp_path: Path) -> None:
    hosts = b"Host: example.org\r\nHost: example.org\r\nConnection: close\r\n\r\n"
    with (
        serving_app(tmp_path, "app = make_app(FakeTranslator())") as url,
        socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2]))) as connection,
    ):
        connection.sendall(b"GET /health HTTP/1.1\r\n" + hosts)
        answer = read_all(connection)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b'"code":"invalid"' in answer
