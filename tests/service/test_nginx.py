"""Both configurations of nginx, the shipped one and the page's, before an application."""

from __future__ import annotations

import re
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
import requests
from werkzeug.serving import make_server

from service.config import ServiceConfig
from tests.checkout import ROOT
from tests.docs.pages import all_pages, read
from tests.ports import free_port
from tests.replicas import nginx, nginx_program, running_nginx
from tests.service.conftest import FakeTranslator, make_app

pytestmark = pytest.mark.skipif(nginx_program() is None, reason="apt-get install nginx")

BODY = {"q": "geheim", "source": "de", "target": "en"}
ERRORS = ROOT / "service" / "deploy" / "errors.conf"


@contextmanager
def application(translator: FakeTranslator, **settings: Any) -> Iterator[int]:
    """Serve an application behind one proxy, and yield its port."""
    config = ServiceConfig(trusted_proxies=1, **settings)
    server = make_server("127.0.0.1", 0, make_app(translator, config), threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def unanswered_port() -> Iterator[int]:
    """Hold a port at which nobody listens."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


class Proxy:
    """An nginx, asked by requests that trust its certificate."""

    def __init__(self, url: str, log: Path, certificate: Path | bool = True) -> None:
        self.url, self._log, self._certificate = url, log, certificate

    def ask(self, method: str, path: str, **options: Any) -> requests.Response:
        verify = self._certificate if self._certificate is True else str(self._certificate)
        return requests.request(method, self.url + path, timeout=60, verify=verify, **options)

    def log(self) -> str:
        return self._log.read_text()


@contextmanager
def shipped(folder: Path, port: int) -> Iterator[Proxy]:
    with nginx(folder, [port]) as own:
        yield Proxy(f"http://127.0.0.1:{own}", folder / "nginx.log")


@contextmanager
def of_the_page(folder: Path, port: int) -> Iterator[Proxy]:
    """Run the example of the documentation as it is but for its port, its paths and its name."""
    own, certificate = free_port(), folder / "translate.pem"
    subprocess.run(
        f"openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -out {certificate}"
        f" -addext subjectAltName=IP:127.0.0.1 -keyout {folder / 'translate.key'}".split(),
        check=True,
        capture_output=True,
    )
    [server] = re.findall(r"```nginx\n(server \{.*?)^```", pages(), re.DOTALL | re.MULTILINE)
    for right, here in {
        "listen 443 ssl": f"listen 127.0.0.1:{own} ssl",
        "translate.example.org": "127.0.0.1",
        "/etc/ssl": str(folder),
        "/var/log/nginx": str(folder),
        "/etc/nginx/translator/errors.conf": str(ERRORS),
        "127.0.0.1:5000": f"127.0.0.1:{port}",
    }.items():
        assert right in server
        server = server.replace(right, here)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    text = f"pid {folder}/pid;\nevents {{}}\nhttp {{\n{folders}\n{server}\n}}\n"
    with running_nginx(folder, text, own):
        yield Proxy(f"https://127.0.0.1:{own}", folder / "error.log", certificate)


def pages() -> str:
    return "\n".join(map(read, all_pages()))


Configuration = Callable[[Path, int], AbstractContextManager[Proxy]]
BOTH = pytest.mark.parametrize("configuration", [shipped, of_the_page])


@BOTH
def test_links_are_those_that_clients_reach_and_a_claimed_address_is_not_believed(
    configuration: Configuration, tmp_path: Path
) -> None:
    with (
        application(FakeTranslator(), rate_limit="3 per day") as port,
        configuration(tmp_path, port) as proxy,
    ):
        sent = proxy.ask(
            "POST",
            "/translate_file",
            data={"source": "de", "target": "en"},
            files={"file": ("letter.txt", b"Hallo")},
        )
        link = sent.json()["translatedFileUrl"]
        assert link.startswith(f"{proxy.url}/download_file/")
        assert proxy.ask("GET", link.removeprefix(proxy.url)).text == "HALLO"
        claims = [{"X-Forwarded-For": f"6.6.6.{n}", "X-Forwarded-Proto": "ftp"} for n in range(3)]
        answers = [proxy.ask("POST", "/translate", json=BODY, headers=claim) for claim in claims]
        assert [answer.status_code for answer in answers] == [200, 200, 429]


@BOTH
def test_errors_are_those_of_the_service_and_the_log_has_nothing_of_a_request(
    configuration: Configuration, tmp_path: Path
) -> None:
    with application(FakeTranslator()) as port, configuration(tmp_path, port) as proxy:
        errors = {
            413: proxy.ask("POST", "/translate", data=bytes(4 * 1024 * 1024)),
            404: proxy.ask("GET", "/metrics?q=geheim"),
            400: proxy.ask("GET", "/", headers={"Host": "geheim/ b"}),
            405: proxy.ask("TRACE", "/"),
            414: proxy.ask("GET", "/?q=" + "geheim" * 1500),
            431: proxy.ask("GET", "/", headers={"X-Long": "geheim" * 1500}),
        }
        assert {answer.headers["Server"] for answer in errors.values()} == {"nginx"}
        assert proxy.ask("GET", "/translate-api/metrics").status_code == 404
        proxy.ask("POST", "/translate", json={**BODY, "q": "geheim " * 5000})
    with unanswered_port() as port, configuration(tmp_path, port) as proxy:
        errors[503] = proxy.ask("POST", "/translate?api_key=geheim&q=geheim", json=BODY)
        codes = {400: "invalid", 404: "not_found", 405: "method_not_allowed", 413: "too_large"}
        codes |= {414: "too_large_head", 431: "too_large_head", 503: "not_ready"}
        for status, answer in errors.items():
            assert answer.status_code == status
            assert answer.json().keys() == {"code", "error"}
            assert answer.json()["code"] == codes[status]
            assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert errors[503].headers["Retry-After"] == "5"
        assert "geheim" not in proxy.log()
        assert "client: " not in proxy.log()


def test_too_many_connections_are_an_error_of_the_service_too(tmp_path: Path) -> None:
    translator = FakeTranslator()
    translator.may_finish.clear()
    with application(translator) as port, nginx(tmp_path, [port], connections=1) as own:
        url = f"http://127.0.0.1:{own}/translate"
        held = threading.Thread(target=requests.post, args=(url,), kwargs={"json": BODY})
        held.start()
        assert translator.started.wait(60)
        answer = requests.post(url, json=BODY, timeout=60)
        translator.may_finish.set()
        held.join()
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many_requests")
    assert answer.headers["Retry-After"] == "1"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_clients_of_a_proxy_before_nginx_are_told_apart_if_it_is_named(tmp_path: Path) -> None:
    limited = application(FakeTranslator(), rate_limit="1 per day")
    with limited as port, nginx(tmp_path, [port], believed="127.0.0.0/8") as own:
        url = f"http://127.0.0.1:{own}/translate"
        claims = ["1.1.1.1", "2.2.2.2", "6.6.6.6, 1.1.1.1"]
        statuses = [
            requests.post(url, json=BODY, headers={"X-Forwarded-For": one}, timeout=60).status_code
            for one in claims
        ]
    assert statuses == [200, 200, 429]
