"""The process that downloads; see `service.operations.fetcher`."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from service.operations.fetcher import (
    FAILED,
    DownloadOrder,
    Progress,
    State,
    read_state,
    write_state,
)
from translator import models_folder
from translator.downloads.fetching import (
    NotTried,
    Watcher,
    announced,
    fetch_releases,
    missing_in,
    newer_than,
)
from translator.downloads.registry import (
    ALL,
    LIST,
    PIVOT,
    Registry,
    Release,
    no_release,
    read_registry,
)
from translator.errors import TranslatorError

if TYPE_CHECKING:
    from translator import Pair


NICENESS = 5
"""Texts are translated first."""

WRITE_EVERY_S = 0.3


class Writer(Watcher):
    """Writes down how far each language is, now and then."""

    def __init__(self, folder: Path, state: State) -> None:
        self._folder, self._state = folder, state
        self._lock, self._written_s = threading.Lock(), 0.0
        self._bytes = dict[str, tuple[int, int]]()
        self._left = dict[str, set[str]]()

    def expect(self, releases: Sequence[Release]) -> None:
        """Begin with some releases."""
        for release in releases:
            self._left.setdefault(_code(release), set()).add(release.name)
        for code in self._left:
            self._state.languages[code] = Progress()
        self._write(at_once=True)

    def received(self, release: Release, done: int, total: int) -> None:
        """Note it."""
        with self._lock:
            self._bytes[release.name] = done, total
            code = _code(release)
            received = [self._bytes.get(name, (0, 0)) for name in self._left[code]]
            done, total = (sum(counts) for counts in zip(*received, strict=True))
            self._state.languages[code] = Progress("downloading", done, total)
            self._write()

    def imports(self, release: Release) -> None:
        """Note it."""
        with self._lock:
            self._state.languages[_code(release)].state = "importing"
            self._write(at_once=True)

    def tries_again(self, release: Release, why: str, pause_s: float) -> None:
        """Say so."""
        _say(f"{release.name}: {why}; tried again in {pause_s:.0f} s")

    def arrived(self, release: Release, result: Path | TranslatorError) -> None:
        """Note what has become of a release."""
        with self._lock:
            code = _code(release)
            progress = self._state.languages[code]
            self._left[code].discard(release.name)
            if isinstance(result, TranslatorError):
                progress.state, progress.error = "failed", str(result)
                if not isinstance(result, NotTried):
                    self._state.count_failure(release.name)
                _say(f"{FAILED}: {release.name}: {result}")
            else:
                self._state.downloaded += 1
                _say(f"downloaded: {release.name}, {release.licence}")
                if not self._left[code] and progress.state != "failed":
                    progress.state = "done"
            self._write(at_once=True)

    def finish(self) -> None:
        """Note that all is there, also what another process has downloaded meanwhile."""
        for code in self._left:
            if self._state.languages[code].state != "failed":
                self._state.languages[code].state = "done"

    def _write(self, *, at_once: bool = False) -> None:
        if at_once or time.monotonic() > self._written_s + WRITE_EVERY_S:
            write_state(self._folder, self._state)
            self._written_s = time.monotonic()


def _code(release: Release) -> str:
    """Return the language that a release is for."""
    return release.target if release.source == PIVOT else release.source


def download(order: DownloadOrder) -> bool:
    """Download what an order of `Fetcher` asks for; return whether all has come."""
    folder, models = Path(order["folder"]), models_folder()
    have = {(source, target) for source, target in order["have"]}
    codes = [code for code in order["codes"] if code != PIVOT]
    both = {pair for code in codes for pair in ((code, PIVOT), (PIVOT, code))}
    if both <= have and not (order["update"] or order["offers"]):
        return True
    state = read_state(folder)
    state.error = ""
    watcher = Writer(folder, state)
    for code in codes:  # until the registry says which releases they are
        if not {(code, PIVOT), (PIVOT, code)} <= have:
            state.languages.setdefault(code, Progress())
    write_state(folder, state)
    try:
        registry = read_registry()
        done = {code: here for code, here in state.languages.items() if here.state == "done"}
        state.languages = done
        state.available = list(registry.codes) if order["offers"] else []
        missing = [
            release for release in _wanted(registry, codes, have, state) if release.pair not in have
        ]
        if order["update"]:
            missing += [
                release for release in newer_than(models, registry) if release not in missing
            ]
        missing = missing_in(models, missing)
        missing.sort(key=lambda release: release.name in state.failed)  # first what was not tried
        watcher.expect(missing)
        if missing:
            _say(announced(registry, missing))
        for release, result in fetch_releases(registry, missing, models, watcher):
            watcher.arrived(release, result)
        watcher.finish()
    except TranslatorError as error:
        state.error = str(error)
        for progress in state.languages.values():
            if progress.state != "done":
                progress.state, progress.error = "failed", str(error)
        state.count_failure(LIST)
        _say(f"{FAILED}: {error}")
    write_state(folder, state)
    return not state.error and all(
        progress.state != "failed" for progress in state.languages.values()
    )


def _wanted(
    registry: Registry, codes: Sequence[str], have: Collection[Pair], state: State
) -> Sequence[Release]:
    """Return all releases of some languages; note which can neither be had nor are here."""
    if ALL in codes:
        return registry.releases
    released, unknown = registry.sort_out(codes)
    for code in unknown:
        if not any(code in pair for pair in have):
            error = no_release([code], registry.codes)
            state.languages[code] = Progress("failed", error=error)
            _say(f"{FAILED}: {error}")
    return registry.among(released) if released else ()


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def main() -> int:
    """Download what standard input asks for; return 0 if all has come."""
    os.nice(NICENESS)
    return 0 if download(json.load(sys.stdin)) else 1


if __name__ == "__main__":
    sys.exit(main())
