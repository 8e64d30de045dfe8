"""What a service of many small models costs: when it is there, its memory, and its answers.

    python -m translator import MODEL --out en-pt      # and the same back
    python -m tests.benchmarks.many_languages en-pt pt-en [--counts 12,50] [--requests 25]

For each count, the two models are copied under the codes of other languages, and a service of all
of them is started twice. At first every model may stay in memory, and each is asked once. Then
there is room for a quarter of them, and eight clients ask without pause, for pairs that they draw:
half of them go through English. Every answer is compared with that of the service that kept all of
them.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.benchmarks.arguments import percentile, print_header, print_row, results_parser
from tests.benchmarks.language_copies import write_copies
from tests.benchmarks.results import results
from tests.serving import serving

PIVOT = "en"
TEXTS = {
    PIVOT: "The library is closed on Sundays. Where did you leave the keys to the house?",
    "": "A biblioteca fecha aos domingos. Onde você deixou as chaves da casa?",
}
"""What is asked for; all other languages are the same one, in these copies."""

CLIENTS = 8
SHARE = 4
"""There is room for one model of so many."""

Pair = tuple[str, str]


@dataclass(slots=True)
class Service:
    """A service that runs, and what it has answered.

    Attributes:
        port: it listens on.
        start_s: seconds until it answered.
        waited_s: of each request.
    """

    port: int
    start_s: float
    waited_s: list[float] = field(default_factory=list)

    def ask(self, path: str, **fields: Any) -> Any:
        """Return the answer to a request; without fields it is a GET."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            json.dumps(fields).encode() if fields else None,
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=300) as answer:
            return json.load(answer)

    def translate(self, pair: Pair) -> str:
        """Return the translation of the text in the source's language."""
        started_s = time.perf_counter()
        text = TEXTS.get(pair[0], TEXTS[""])
        answer = self.ask("/translate", q=text, source=pair[0], target=pair[1])
        self.waited_s.append(time.perf_counter() - started_s)
        return str(answer["translatedText"])

    def models(self) -> list[dict[str, Any]]:
        """Return what is said of each model."""
        return list(self.ask("/ready")["models"])


@contextmanager
def service(models: Path, memory: int) -> Iterator[Service]:
    """Start a service of a folder of models, with so many bytes for them; 0 is no limit."""
    environment = {
        **os.environ,
        "TRANSLATOR_MODELS": str(models),
        "TRANSLATOR_MODEL_MEMORY": str(memory),
        "TRANSLATOR_PIVOT": PIVOT,
        "TRANSLATOR_ACCESS_LOG": "off",
    }
    started_s = time.perf_counter()
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "log", environment=environment) as port,
    ):
        yield Service(port, time.perf_counter() - started_s)


def resident_mb() -> float:
    """Return the memory of the service's largest process, which is its worker."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # has ended meanwhile
            continue
        children.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    found, below = 0.0, children.get(os.getpid(), [])
    while below:
        number = below.pop()
        below += children.get(number, [])
        lines = Path(f"/proc/{number}/status").read_text().splitlines()
        used = [int(line.split()[1]) for line in lines if line.startswith("VmRSS")]
        found = max(found, *(kilobytes / 1000 for kilobytes in used), 0.0)
    return found


def pairs_of(languages: list[str], models: Path) -> list[Pair]:
    """Return pairs that models have, and as many that go through the pivot."""
    names = [folder.name.partition("-") for folder in sorted(models.iterdir())]
    direct = [(source, target) for source, _, target in names]
    sources = [source for source, target in direct if target == PIVOT]
    pivoted = [(one, other) for one in sources for other in languages if one != other]
    return direct + random.Random(0).sample(pivoted, min(len(direct), len(pivoted)))


def measure(into: Path, out_of: Path, count: int, num_requests: int) -> None:
    """Print two rows for so many models."""
    with tempfile.TemporaryDirectory(dir=into.parent) as folder:  # where hard links are possible
        models = Path(folder) / "models"
        languages = write_copies(into, out_of, models, count)
        pairs = pairs_of(languages, models)
        with service(models, 0) as roomy:
            before_mb = resident_mb()
            expected = {pair: roomy.translate(pair) for pair in pairs}
            sizes = [state["bytes"] for state in roomy.models() if state["loaded"]]
            offered = roomy.ask("/languages")
            assert len(offered) == len(languages) + 1, "all languages are listed"
            row(f"{count}, all may stay", roomy, before_mb, 0)
        with service(models, max(2, count // SHARE) * max(sizes)) as narrow:
            before_mb, wrong = resident_mb(), 0
            with ThreadPoolExecutor(CLIENTS) as pool:
                drawn = [random.Random(i).choice(pairs) for i in range(CLIENTS * num_requests)]
                for pair, text in zip(drawn, pool.map(narrow.translate, drawn), strict=True):
                    wrong += text != expected[pair]
            room = max(2, count // SHARE) * max(sizes) / 1e6
            row(f"{count}, room for {room:.0f} MB", narrow, before_mb, wrong)


def row(name: str, one: Service, before_mb: float, wrong: int) -> None:
    """Print what was measured of a service."""
    states = one.models()
    loaded = sum(state["loaded"] for state in states)
    print_row(
        name,
        f"{one.start_s:.1f}",
        f"{before_mb:.0f}",
        f"{resident_mb():.0f}",
        f"{loaded}",
        f"{sum(state['evictions'] for state in states)}",
        f"{len(one.waited_s)}",
        f"{wrong}",
        f"{1000 * percentile(one.waited_s, 50):.0f}",
        f"{1000 * percentile(one.waited_s, 95):.0f}",
    )


def main() -> None:
    """Print two rows for each count."""
    parser = results_parser(__doc__)
    parser.add_argument("into", type=Path, help="model directory from English")
    parser.add_argument("out_of", type=Path, help="model directory to English")
    parser.add_argument("--counts", default="12,50", help="of models")
    parser.add_argument("--requests", type=int, default=25, help="of each client")
    options = parser.parse_args()
    with results(options.write, "many-languages"):
        print_header(
            *("models", "answers after s", "MB then", "MB at the end", "in memory", "evictions"),
            *("requests", "wrong", "median ms", "p95 ms"),
        )
        for count in map(int, options.counts.split(",")):
            measure(options.into, options.out_of, count, options.requests)


if __name__ == "__main__":
    main()
