"""Files by address: what may be asked, through what, and what is said if there is no answer."""

from __future__ import annotations

import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.alone import run_alone
from tests.registry import Server, redirected, served, status
from translator.downloads.sources import FolderSource, WebSource, check_address, source_at
from translator.errors import DownloadError

CONTENT = bytes(range(256)) * 1000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "a.bin").write_bytes(CONTENT)
    return tmp_path / "files"


@pytest.fixture
def server(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in ("HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with served(folder) as found:
        yield found


def read(address: str, path: str = "a.bin", start: int = 0) -> tuple[int, int, bytes]:
    with source_at(address).open(path, start) as opened:
        return opened.start, opened.total, b"".join(opened.blocks)


def test_folders_and_servers_give_the_same(folder: Path, server: Server) -> None:
    for address in (str(folder), folder.as_uri(), server.address):
        assert read(address) == (0, len(CONTENT), CONTENT)
        assert read(address, start=1000) == (1000, len(CONTENT), CONTENT[1000:])
    assert isinstance(source_at(str(folder)), FolderSource)
    assert isinstance(source_at("https://example.org/x/"), WebSource)


def test_what_is_not_there_is_not_asked_for_again(folder: Path, server: Server) -> None:
    for address, reason in (
        (str(folder), "No such file or directory"),
        (server.address, r"is not there \(the server answers 404\); check the registry"),
    ):
        with pytest.raises(DownloadError, match=f"missing.bin: {reason}") as caught:
            read(address, "missing.bin")
        assert not caught.value.is_passing
    server.faults["a.bin"] = [status(403)]
    with pytest.raises(DownloadError, match=r"is refused \(the server answers 403\)"):
        read(server.address)


@pytest.mark.parametrize("code", [429, 500, 502, 503])
def test_a_server_in_trouble_may_be_asked_again(server: Server, code: int) -> None:
    server.faults["a.bin"] = [status(code)]
    with pytest.raises(DownloadError, match=f"the server answers {code}; try again") as caught:
        read(server.address)
    assert caught.value.is_passing


def test_plain_http_is_for_this_machine_only(server: Server) -> None:
    for address in (
        "https://example.org/x",
        "http://127.9.9.9:1/x",
        "http://[::1]/",
        server.address,
    ):
        check_address(address)
    for address in (
        "http://example.org/models",
        "http://127.0.0.1.example.org/",
        "http://10.0.0.1/",
        "http://localhost@example.org/",
    ):
        with pytest.raises(DownloadError, match="refused, because anyone on the way could alter"):
            source_at(address)
    with pytest.raises(DownloadError, match="must begin with https://, or be a folder"):
        source_at("ftp://example.org/models")


def test_redirects_are_followed_to_safe_places_only(server: Server) -> None:
    server.faults["old.bin"] = [redirected("/a.bin")]
    (server.folder / "old.bin").touch()
    assert read(server.address, "old.bin")[2] == CONTENT
    server.faults["old.bin"] = [redirected("http://example.org/a.bin")]
    with pytest.raises(DownloadError, match=r"http://example.org/a.bin: refused"):
        read(server.address, "old.bin")
    server.faults["old.bin"] = [redirected("/old.bin")]
    with pytest.raises(DownloadError, match="is redirected again and again"):
        read(server.address, "old.bin")


def test_what_cannot_be_reached_is_said_with_what_to_do(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(
        DownloadError, match=r"127\.0\.0\.1: cannot be reached; check the net"
    ) as caught:
        read(f"http://127.0.0.1:{port}")
    assert caught.value.is_passing
    with pytest.raises(
        DownloadError, match=r"nowhere\.invalid: its name is not known; check the ne"
    ):
        read("https://nowhere.invalid")
    monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{port}")
    with pytest.raises(DownloadError, match="the proxy does not let it through; check HTTPS_PROXY"):
        read("https://example.org")


def test_a_server_that_says_nothing_is_not_waited_for(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("translator.downloads.sources.TIMEOUT_S", (1.0, 0.2))
    over = threading.Event()
    server.faults["a.bin"] = [lambda *_: over.wait(20) and None]
    try:
        with pytest.raises(DownloadError, match="it does not answer in time; try again later"):
            read(server.address)
    finally:
        over.set()


def test_proxies_of_the_environment_are_used_and_left_out(
    folder: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(folder.parent) as proxy:  # asked for `GET http://…/a.bin`, it finds no such file
        monkeypatch.setenv("HTTP_PROXY", proxy.address)
        with pytest.raises(DownloadError, match="404"):
            read(server.address)
        assert proxy.asked["a.bin"] == 1
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        assert read(server.address)[2] == CONTENT
        assert proxy.asked["a.bin"] == 1


AUTHORITY = """
[ca]
default_ca = here
[here]
database = index.txt
serial = serial
new_certs_dir = .
default_md = sha256
policy = policy
copy_extensions = copy
[policy]
commonName = supplied
"""


def certificate(folder: Path, last_day: str = "20991231") -> tuple[Path, Path]:
    """Return a certificate for this machine and its key."""
    (folder / "authority.cnf").write_text(AUTHORITY)
    (folder / "index.txt").touch()
    (folder / "serial").write_text("01")
    names = "-nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256 -keyout key.pem -out request.pem"
    about = ["-subj", "/CN=here", "-addext", "subjectAltName=IP:127.0.0.1"]
    request = ["openssl", "req", *names.split(), *about]
    names = "-batch -selfsign -config authority.cnf -keyfile key.pem -in request.pem -out cert.pem"
    dates = ["-startdate", "20000101000000Z", "-enddate", f"{last_day}000000Z"]
    for command in (request, ["openssl", "ca", *names.split(), *dates]):
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "cert.pem", folder / "key.pem"


def encrypt(server: Server, paths: tuple[Path, Path]) -> str:
    """Let a server speak TLS; return its address."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*paths)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    return server.address.replace("http:", "https:")


@pytest.mark.parametrize("variable", ["REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"])
def test_a_private_authority_is_trusted_if_it_is_named(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    paths = certificate(tmp_path)
    address = encrypt(server, paths)
    for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(DownloadError, match=r"cannot be trusted.*in REQUESTS_CA_BUNDLE"):
        read(address)
    monkeypatch.setenv(variable, str(paths[0]))
    assert read(address)[2] == CONTENT


def test_of_a_certificate_that_is_over_the_clock_is_named(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = certificate(tmp_path, last_day="20010101")
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(paths[0]))
    with pytest.raises(DownloadError, match="cannot be trusted; check this machine's clock"):
        read(encrypt(server, paths))


def test_without_downloads_no_http_client_is_imported() -> None:
    code = "import sys, translator.pipeline.models.model_set, translator.downloads.fetching;"
    done = run_alone(code + "print({'requests', 'urllib3', 'filelock'} & {*sys.modules})")
    assert done.stdout in ("set()\n", "{'filelock'}\n"), "PyTorch may bring filelock"
