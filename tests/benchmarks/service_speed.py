"""How fast servers with LibreTranslate's interface answer, through HTTP and side by side.

    make serve PORT=5001 &
    python -m tests.benchmarks.service_speed --input SENTENCES http://localhost:5001 [URL …]

A request is a sentence, or several (`--lines 50`). Clients keep their connections, and each sends
its next request when the last is answered. With `--format html`, each sentence is a paragraph of a
page with inline tags, an entity and a link. The servers are asked in turn, in short rounds, so that
what else a machine does meanwhile is shared by all. `tests.benchmarks.libretranslate` gives
LibreTranslate the same model. A URL that ends in `/v2/translate` is asked in DeepL's words.
"""

from __future__ import annotations

import argparse
import html
import http.client
import json
import statistics
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import urlsplit

from tests.benchmarks.arguments import (
    add_source,
    percentile,
    print_header,
    print_row,
    read_sentences,
    results_parser,
)
from tests.benchmarks.results import results

TIMEOUT_S = 60
DEEPL = "/v2/translate"
HEADERS = {"Content-Type": "application/json", "Authorization": "DeepL-Auth-Key any"}


@dataclass(frozen=True)
class Round:
    """What one server did in one round: requests a second, and how long each took."""

    rate: float
    seconds: list[float]


class Client:
    """A connection to a server."""

    def __init__(self, url: str, source: str, target: str, text_format: str) -> None:
        """Connect when asked to translate."""
        parts = urlsplit(url)
        if parts.scheme != "http" or not parts.hostname:
            raise SystemExit(f"error: {url}: must be http://HOST:PORT")
        self._connection = http.client.HTTPConnection(
            parts.hostname, parts.port or 80, timeout=TIMEOUT_S
        )
        self._url = url
        self._path = parts.path if parts.path == DEEPL else parts.path.rstrip("/") + "/translate"
        self._fields = {"source": source, "target": target, "format": text_format}
        if parts.path == DEEPL:
            self._fields = {"source_lang": source, "target_lang": target}
            self._fields |= {"tag_handling": "html"} if text_format == "html" else {}

    def reconnect(self) -> None:
        """Begin a new connection, since servers close those that say nothing for some seconds."""
        self._connection.close()
        try:
            self._connection.connect()
        except OSError as error:
            raise SystemExit(f"error: {self._url}: {error}; is a server running there?") from error

    def translate(self, text: str) -> float:
        """Have a text translated; return the seconds it took, or end if the server says no."""
        started = time.perf_counter()
        text_field = {"text": [text]} if self._path == DEEPL else {"q": text}
        body = json.dumps({**text_field, **self._fields})
        self._connection.request("POST", self._path, body, HEADERS)
        response = self._connection.getresponse()
        answer = response.read()
        if response.status != 200:
            raise SystemExit(f"error: {self._url}: {response.status} {answer.decode()}")
        return time.perf_counter() - started


def paragraph(sentence: str, number: int) -> str:
    """Return a sentence as a paragraph of a page, with what pages have in paragraphs.

    Args:
        sentence: without markup.
        number: of the sentence; says which of its words are marked, and how.
    """
    words = [html.escape(word, quote=False) for word in sentence.split()]
    marked, middle = number % len(words), len(words) // 2
    words[marked] = f"<b>{words[marked]}</b>"
    linked = " ".join(words[middle : middle + 2])
    words[middle : middle + 2] = [f'<a href="/page/{number}?a=1&amp;b=2">{linked}</a>']
    kind = ("p", "li", "h2", "td")[number % 4]
    text = "&nbsp;".join([words[0], " ".join(words[1:])]) if words[1:] else words[0]
    return f'<{kind} class="text">{text}</{kind}>'


def one_round(clients: Sequence[Client], texts: Sequence[str]) -> Round:
    """Have all texts translated, by clients that take the next one when they are free."""
    left = iter(list(texts))  # of which each client takes the next

    def work(client: Client) -> list[float]:
        return [client.translate(text) for text in left]

    for client in clients:
        client.reconnect()
    started = time.perf_counter()
    with ThreadPoolExecutor(len(clients)) as pool:
        seconds = [second for part in pool.map(work, clients) for second in part]
    return Round(len(texts) / (time.perf_counter() - started), seconds)


def measure(options: argparse.Namespace, texts: list[str], num_clients: int) -> list[list[Round]]:
    """Return the rounds of each server, with so many clients."""
    servers = [
        [
            Client(url, options.source_language, options.target_language, options.format)
            for _ in range(num_clients)
        ]
        for url in options.url
    ]
    found: list[list[Round]] = [[] for _ in servers]
    for number in range(-1, options.rounds):  # the first one warms up, with the last texts
        start = number * options.requests
        some = [texts[place % len(texts)] for place in range(start, start + options.requests)]
        for turn in range(len(servers)):
            place = (turn + number) % len(servers)
            result = one_round(servers[place], some)
            if number >= 0:
                found[place].append(result)
    return found


def main() -> None:
    """Measure and print."""
    parser = results_parser(__doc__)
    parser.add_argument("url", nargs="+", help="of servers that run, http://HOST:PORT")
    add_source(parser)
    parser.add_argument("--to", dest="target_language", default="en")
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 2, 8, 32])
    parser.add_argument("--lines", type=int, default=1, help="of a request")
    parser.add_argument("--format", choices=("text", "html"), default="text")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--requests", type=int, default=200, help="of a round")
    options = parser.parse_args()
    with results(options.write, "serving-speed"):
        compare(options)


def compare(options: argparse.Namespace) -> None:
    """Print a row for each number of clients and each server."""
    lines = read_sentences(options.input)
    if options.format == "html":
        lines = [paragraph(line, number) for number, line in enumerate(lines)]
    starts = range(0, len(lines), options.lines)
    texts = ["\n".join(lines[start : start + options.lines]) for start in starts]
    print(f"Medians of {options.rounds} rounds of {options.requests} requests.\n")
    columns = "requests/s", "median ms", "p99 ms", "rate beside the first"
    print_header("clients", "server", *columns)
    for num_clients in options.clients:
        found = measure(options, texts, num_clients)
        for url, rounds in zip(options.url, found, strict=True):
            ratios = [one.rate / first.rate for one, first in zip(rounds, found[0], strict=True)]
            seconds = [second for one in rounds for second in one.seconds]
            print_row(
                num_clients,
                url,
                f"{statistics.median(one.rate for one in rounds):.0f}",
                f"{statistics.median(seconds) * 1e3:.1f}",
                f"{percentile(seconds, 99) * 1e3:.1f}",
                f"{statistics.median(ratios):.2f}",
            )


if __name__ == "__main__":
    main()
