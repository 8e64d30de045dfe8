"""How the metrics of several workers come together: in files that belong to places.

prometheus_client keeps the counters of a process in files that others can read, and names them by
the process. Files of dead processes would pile up, since their counts must not be lost. Here a
worker takes the lowest place that no living one has, and counts on in the files of that place. A
lock of the system says whether a place is taken, so that a process that is killed frees its own.
"""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path

from prometheus_client import values
from prometheus_client.multiprocess import mark_process_dead

from service.run_folder import lock

FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # where prometheus_client looks for it

KINDS = ("counter", "histogram", "gauge_livesum", "gauge_livemax")
"""Files of prometheus_client, for the kinds of metrics that there are."""

FILE_BYTES = 1024 * 1024
"""Of each such file: the labels of hundreds of addresses, or of a thousand models."""


def share(folder: Path) -> int:
    """Let this process keep its metrics in a folder from now on; return its place.

    Call it once, before any metric is made. The files get their blocks now: prometheus_client
    leaves holes in them, and a process that writes to a hole on a full disk is killed (SIGBUS).

    Raises:
        OSError: there is no room.
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
        descriptor = os.open(_lock_path(folder, place), os.O_RDWR | os.O_CREAT, 0o600)
        if lock(descriptor):
            return place  # the descriptor stays open, and with it the lock
        os.close(descriptor)
    raise AssertionError("there is always a free place")


def forget_the_dead(folder: Path) -> None:
    """Delete what workers that are gone have now; what they have counted stays."""
    for path in folder.glob("place-*.lock"):
        place = int(path.stem.partition("-")[2])
        descriptor = os.open(path, os.O_RDWR)
        try:
            if lock(descriptor):
                mark_process_dead(place, str(folder))  # type: ignore[no-untyped-call]
        finally:
            os.close(descriptor)


def _lock_path(folder: Path, place: int) -> Path:
    return folder / f"place-{place}.lock"
