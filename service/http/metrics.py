"""What is counted for Prometheus: no label has a key, an address or anything a user has written."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Mapping
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, values
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from service.config import ServiceConfig
from service.storage import lock, unlocked

if TYPE_CHECKING:
    from translator import ModelState


FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # where prometheus_client looks for it
KINDS = ("counter", "histogram", "gauge_livesum", "gauge_livemax")
"""Files of prometheus_client, for the kinds of metrics that there are."""

FILE_BYTES = 1024 * 1024
"""Of each such file: the labels of hundreds of addresses, or of a thousand models."""


def share(folder: Path) -> int:
    """Let this process keep its metrics in a folder from now on; return its place.

    Call it once, before any metric is made. The files get their blocks now, or it is an OSError:
    prometheus_client leaves holes, and a process that writes to one on a full disk is killed
    (SIGBUS).
    """
    folder.mkdir(parents=True, exist_ok=True)
    place = take_place(folder)
    for kind in KINDS:
        with (folder / f"{kind}_{place}.db").open("ab") as file:
            os.posix_fallocate(file.fileno(), 0, FILE_BYTES)
    os.environ[FOLDER] = str(folder)
    # This is how prometheus_client is told of another name than the process's.
    values.ValueClass = values.MultiProcessValue(lambda: place)  # type: ignore[no-untyped-call]
    return place


def take_place(folder: Path) -> int:
    """Return the lowest place that is free; it is this process's until that ends."""
    for place in count():
        path = folder / f"place-{place}.lock"
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        if lock(descriptor):
            return place  # the descriptor stays open, and with it the lock
        os.close(descriptor)
    raise AssertionError("there is always a free place")


def forget_the_dead(folder: Path) -> None:
    """Delete what workers that are gone have now; what they have counted stays."""
    for path in folder.glob("place-*.lock"):
        with unlocked(path) as is_free:
            if is_free:
                place = int(path.stem.partition("-")[2])
                mark_process_dead(place, str(folder))  # type: ignore[no-untyped-call]


def metrics_folder(config: ServiceConfig) -> Path | None:
    """Return where the workers keep their metrics; None if they are not kept in a folder."""
    if config.metrics == "off" or not config.run_folder:
        return None
    return Path(config.run_folder) / "metrics"


SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
REFRESH_S = 1.0

TOTALS = {
    "sentences": "Sentences that the engine has translated.",
    "source_tokens": "Tokens of these, tags and ends included.",
    "target_tokens": "Tokens of their translations.",
    "queue_seconds": "Time that they have waited.",
    "compute_seconds": "Time that they have then been in a batch.",
    "turns": "Turns of the engine.",
    "turn_sentences": "Sentences in the batch, summed over all turns.",
    "busy_seconds": "Time of all turns.",
    "cache_hits": "Texts answered from the cache.",
    "cache_misses": "Texts that the cache did not have.",
    "refused": "Translations that were refused for lack of a slot.",
    "timed_out": "Requests that came too slowly.",
    "dropped": "Connections that had to make room for others.",
}

NOW = {
    "queued_sentences": "Sentences that wait.",
    "running_sentences": "Sentences in the batch.",
    "cache_bytes": "Memory of the cache.",
    "connections": "Open connections.",
    "translations": "Translations in hand.",
}

OF_ALL = {
    "downloaded_models": "Models downloaded since the server started.",
    "failed_downloads": "Models that could not be downloaded, each counted once.",
}
"""What every worker knows of all together."""

OF_MODELS = {
    "loaded": "Whether the model is in memory; with several workers, in how many.",
    "bytes": "Memory that it takes.",
    "load_seconds": "How long loading it took the last time.",
    "loads": "How often it has been loaded.",
    "evictions": "How often it had to make room for another one.",
}

Reader = Callable[[], Mapping[str, float]]
"""Returns values of TOTALS, counted since the start of the process, of NOW and of OF_ALL."""


class Metrics:
    """Counters of one worker, and the sum over all of them."""

    def __init__(self, folder: Path | None = None) -> None:
        """Begin; `folder` is what workers share, after `share`. None: there is one worker."""
        self._folder = folder
        self._readers: list[Reader] = []
        self._read: dict[str, float] = {}
        self._lock = threading.Lock()
        self._worker_counts: object = None
        self._is_due = threading.Event()
        self.registry = registry = CollectorRegistry()

        def counter(name: str, text: str, labels: tuple[str, ...] = ()) -> Counter:
            return Counter(f"translator_{name}", text, labels, registry=registry)

        def gauge(
            name: str, text: str, mode: Literal["livesum", "livemax"], labels: tuple[str, ...] = ()
        ) -> Gauge:
            name = f"translator_{name}"
            return Gauge(name, text, labels, registry=registry, multiprocess_mode=mode)

        self._requests = counter("requests", "Answers.", ("endpoint", "method", "status"))
        self._texts = counter("texts", "Texts that were asked for.")
        self._characters = counter("characters", "Characters of these.")
        self._seconds = Histogram(
            "translator_request_seconds",
            "Time until an answer was made.",
            ["endpoint"],
            buckets=SECONDS,
            registry=registry,
        )
        self._totals = {name: counter(name, text) for name, text in TOTALS.items()}
        self._now = {name: gauge(name, text, "livesum") for name, text in NOW.items()}
        self._now |= {name: gauge(name, text, "livemax") for name, text in OF_ALL.items()}
        self._models: Callable[[], Iterable[ModelState]] = tuple
        self._seen: set[str] = set()
        self._by_model = {
            name: gauge(
                f"model_{name}",
                text,
                "livemax" if name == "load_seconds" else "livesum",
                ("model",),
            )
            for name, text in OF_MODELS.items()
        }

    def count(self, *, endpoint: str, method: str, status: int, seconds: float) -> None:
        """Count a request that has been answered; see `Record` for its endpoint and method."""
        self._requests.labels(endpoint, method, str(status)).inc()
        self._seconds.labels(endpoint).observe(seconds)
        if self._folder is not None and not self._is_due.is_set():
            self._is_due.set()
            timer = threading.Timer(REFRESH_S, self._refresh_for_the_others)
            timer.daemon = True
            timer.start()

    def count_texts(self, num_texts: int, num_characters: int) -> None:
        """Count what was to be translated."""
        self._texts.inc(num_texts)
        self._characters.inc(num_characters)

    def read_from(self, reader: Reader) -> None:
        """Ask `reader` for values at each refresh."""
        self._readers.append(reader)

    def read_models(self, models: Callable[[], Iterable[ModelState]]) -> None:
        """Ask `models` for what has become of each of them at each refresh."""
        self._models = models

    def read_worker(self, counts: object) -> None:
        """Ask the worker's own counts, which each request brings along, at each refresh."""
        self._worker_counts = counts

    def refresh(self) -> None:
        """Take over what others have counted.

        A worker that is asked for the metrics reads what the other ones have written last. So each
        also does this soon after it has answered a request.
        """
        values: dict[str, float] = dict(vars(self._worker_counts)) if self._worker_counts else {}
        for reader in self._readers:
            for name, value in reader().items():
                values[name] = values.get(name, 0) + value
        with self._lock:
            self._refresh_models()
            for name, value in values.items():
                if name in self._now:
                    self._now[name].set(value)
                    continue
                before = self._read.get(name, 0.0)
                if value > before:  # another thread may have come first
                    self._totals[name].inc(value - before)
                    self._read[name] = value

    def _refresh_for_the_others(self) -> None:
        self._is_due.clear()
        self.refresh()

    def _refresh_models(self) -> None:
        states = {state.name: state for state in self._models()}
        self._seen |= states.keys()
        for name in self._seen:
            state = states.get(name)  # None: it has been removed
            figures = {
                "loaded": bool(state and state.is_loaded),
                "bytes": state.num_bytes if state and state.is_loaded else 0,
                "load_seconds": state.load_s if state else 0,
                "loads": state.loads if state else 0,
                "evictions": state.evictions if state else 0,
            }
            for figure, value in figures.items():
                self._by_model[figure].labels(name).set(value)

    def exposition(self) -> bytes:
        """Return all metrics, those of the other workers added, in Prometheus' text format.

        Without the folder in which the workers count, it is a FileNotFoundError.
        """
        if self._folder is None:
            return generate_latest(self.registry)
        if not self._folder.is_dir():
            raise FileNotFoundError(self._folder)
        forget_the_dead(self._folder)
        together = CollectorRegistry()
        MultiProcessCollector(together, path=str(self._folder))  # type: ignore[no-untyped-call]
        return generate_latest(together)
