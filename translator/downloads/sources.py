"""Files at a web address or in a folder, read from any byte on, with one error for all that fails.

Only `https` is spoken, but for addresses of this machine. `requests` reads `HTTPS_PROXY`,
`NO_PROXY` and `REQUESTS_CA_BUNDLE`; it is imported when the first address is opened.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from urllib.parse import quote, unquote, urljoin, urlsplit

from translator.errors import DownloadError

if TYPE_CHECKING:
    import requests

BLOCK = 1 << 16
MOST_REDIRECTS = 5
TIMEOUT_S = (10.0, 30.0)
"""How long to wait for a connection, and for the next bytes."""

PASSING = {408, 425, 429}
"""Statuses of HTTP that may be gone the next time, beside 500 and above."""

CA_VARIABLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE")


@dataclass(frozen=True, slots=True)
class Opened:
    """A file that is being read."""

    start: int  # the byte that it begins with: the one that was asked for, or 0
    total: int  # bytes of the whole file; 0 if that is not known
    blocks: Iterator[bytes]  # its bytes from there on; may raise `DownloadError`


class Source(Protocol):
    """A place with files, at an address as people write it."""

    address: str  # of the place, as people write it
    host: str  # that has it, with its port; empty for a folder

    def open(
        self, path: str, start: int = 0, *, unpack: bool = False
    ) -> AbstractContextManager[Opened]:
        """Open a file from a byte on, and undo a compression that is only for the way if asked to.

        Its path is from the source's address on.

        Raises:
            DownloadError: it cannot be had.
        """


def source_at(address: str) -> Source:
    """Return the source at an address: `https://…`, `file://…` or a path.

    Raises:
        DownloadError: it is an address of another kind.
    """
    scheme = urlsplit(address).scheme
    if scheme in ("http", "https"):
        check_address(address)
        return WebSource(address.rstrip("/"))
    if scheme == "file":
        return FolderSource(Path(unquote(urlsplit(address).path)))
    if "://" in address:
        raise DownloadError(f"{address}: must begin with https://, or be a folder")
    return FolderSource(Path(address))


def check_address(address: str) -> None:
    """Refuse addresses whose answers others could alter on the way.

    Raises:
        DownloadError: it is not `https`, and not on this machine.
    """
    parts = urlsplit(address)
    if parts.scheme == "https":
        return
    if parts.scheme == "http" and _is_loopback(parts.hostname or ""):
        return
    raise DownloadError(
        f"{address}: refused, because anyone on the way could alter what comes; use https://, or a "
        "folder"
    )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class FolderSource:
    """A folder with the layout of a registry."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.address, self.host = folder, str(folder), ""

    @contextmanager
    def open(self, path: str, start: int = 0, *, unpack: bool = False) -> Iterator[Opened]:
        """Open a file; see `Source.open`."""
        place = self._folder / path
        try:
            with place.open("rb") as stream:
                size = place.stat().st_size
                begin = start if start <= size else 0
                stream.seek(begin)
                yield Opened(begin, size, iter(lambda: stream.read(BLOCK), b""))
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError) as error:
            if error.filename != str(place):
                raise
            raise DownloadError(f"{place}: {error.strerror}") from error


class WebSource:
    """A web server; may be used from many threads."""

    def __init__(self, address: str) -> None:
        self.address, self.host = address, urlsplit(address).netloc

    @contextmanager
    def open(self, path: str, start: int = 0, *, unpack: bool = False) -> Iterator[Opened]:
        """Open a file; see `Source.open`."""
        import requests

        address = f"{self.address}/{quote(path)}"
        with requests.Session() as session:
            if not any(map(os.environ.get, CA_VARIABLES[:2])):
                session.verify = os.environ.get(CA_VARIABLES[2]) or True
            with self._answer(session, address, start) as answer:
                begin = _first_byte(answer, start)
                length = answer.headers.get("Content-Length", "")
                total = begin + int(length) if length.isdigit() else 0
                yield Opened(begin, total, _blocks(answer, address, unpack))

    def _answer(self, session: requests.Session, address: str, start: int) -> requests.Response:
        """Return an answer whose body is to be read; follow redirects that may be followed."""
        import requests

        headers = {"Accept-Encoding": "gzip"} | ({"Range": f"bytes={start}-"} if start else {})
        for _ in range(MOST_REDIRECTS):
            try:
                check_address(address)
                answer = session.get(
                    address, headers=headers, stream=True, timeout=TIMEOUT_S, allow_redirects=False
                )
                if not answer.is_redirect:
                    _check_status(answer, address)
                    return answer
                answer.close()
                address = urljoin(address, answer.headers["location"])
            except ValueError as error:
                raise DownloadError(f"{address}: leads to no address ({error})") from error
            except (requests.RequestException, OSError) as error:
                raise _unreachable(address, error) from error
        raise DownloadError(f"{address}: is redirected again and again")


class Unreachable(DownloadError):
    """No connection to a host can be made, and so none for other files of it."""

    host = ""  # with its port


class Restart(DownloadError):
    """A file cannot be continued, and must be fetched from its beginning."""


def _unreachable(address: str, error: Exception) -> DownloadError:
    import requests
    import urllib3

    place, reason = urlsplit(address), str(error)
    cause = getattr(error.args[0], "reason", None) if error.args else None
    is_connected = False
    if isinstance(error, requests.exceptions.ProxyError):
        fault = "the proxy does not let it through; check HTTPS_PROXY and NO_PROXY"
    elif isinstance(error, requests.exceptions.SSLError):
        fault = (
            "its certificate cannot be trusted; check this machine's clock, and name a private "
            "authority's certificate in REQUESTS_CA_BUNDLE"
        )
    elif isinstance(error, requests.exceptions.Timeout):
        fault = (
            "it does not answer in time; try again later, or set HTTPS_PROXY if you need a proxy"
        )
        is_connected = not isinstance(error, requests.exceptions.ConnectTimeout)
    elif "resolve" in reason or "Name or service" in reason:
        fault = "its name is not known; check the network, or set HTTPS_PROXY if you need a proxy"
    elif isinstance(cause, urllib3.exceptions.NewConnectionError):
        fault = "cannot be reached; check the network, or set HTTPS_PROXY if you need a proxy"
    else:
        fault, is_connected = f"cannot be asked ({' '.join(reason.split())[:200]})", True
    if is_connected:
        return DownloadError(f"{address}: {fault}", is_passing=True)
    unreachable = Unreachable(f"{place.hostname}: {fault}", is_passing=True)
    unreachable.host = place.netloc
    return unreachable


def _check_status(answer: requests.Response, address: str) -> None:
    status = answer.status_code
    if status in (200, 206, 416):
        return
    answer.close()
    if status >= 500 or status in PASSING:
        raise DownloadError(
            f"{address}: the server answers {status}; try again later", is_passing=True
        )
    what = "is not there" if status in (404, 410) else "is refused"
    raise DownloadError(f"{address}: {what} (the server answers {status}); check the registry")


def _first_byte(answer: requests.Response, start: int) -> int:
    """Return where an answer begins; servers may send all of a file instead of its end.

    Raises:
        DownloadError: it begins somewhere else.
    """
    if answer.status_code == 200:
        return 0
    content_range = answer.headers.get("Content-Range", "")
    if answer.status_code == 206 and content_range.startswith(f"bytes {start}-"):
        return start
    raise Restart(f"{answer.url}: cannot be continued at byte {start}", is_passing=True)


def _blocks(answer: requests.Response, address: str, unpack: bool) -> Iterator[bytes]:
    import urllib3

    try:
        if unpack:
            yield from answer.raw.stream(BLOCK, decode_content=True)
        while block := answer.raw.read1(BLOCK, decode_content=False):  # whatever has come
            yield block
    except (urllib3.exceptions.HTTPError, OSError) as error:
        raise DownloadError(f"{address}: the connection broke off", is_passing=True) from error
