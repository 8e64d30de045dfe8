"""`python -m translator models available`, `get`, `update` and `prefer`: models from a registry."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NoReturn

from tqdm import tqdm

from translator.commands import Commands
from translator.downloads.fetching import (
    DOWNLOADED,
    Watcher,
    announced,
    downloaded_models,
    downloaded_pairs,
    fetch_releases,
    locked,
    newer_than,
    place_for,
)
from translator.downloads.registry import ALL, Registry, Release, no_release, read_registry
from translator.errors import DownloadError, InputError, TranslatorError
from translator.pipeline.models.here import find_models
from translator.store.home import DEFAULT_MODEL, models_folder, prefer
from translator.store.imports.importing import import_model, is_hub_name
from translator.store.installed import FLOAT_BYTES

MEGABYTE = 10**6
FEW_FAULTS = 3
"""Records of a registry that cannot be used, and are named."""


def add_downloads(commands: Commands) -> None:
    """Add the commands, to those of `models`."""
    available = commands.add_parser("available", help="show what can be downloaded")
    available.add_argument(
        "codes", nargs="*", metavar="CODE", help="languages, such as fr; all of them by default"
    )
    available.set_defaults(execute=_available)
    get = commands.add_parser(
        "get", help="download all models among some languages and English, and import them"
    )
    get.add_argument(
        "codes",
        nargs="+",
        metavar="CODE",
        help="languages, such as fr; `all` for all of them; or a model on the Hugging Face hub, "
        "such as Helsinki-NLP/opus-mt-de-fr",
    )
    get.set_defaults(execute=_get)
    update = commands.add_parser("update", help="download newer releases of what is here")
    update.set_defaults(execute=_update)
    preferring = commands.add_parser(
        "prefer", help="let a model come first wherever several have a pair"
    )
    preferring.add_argument("name", help="name or path of the model, as `models list` shows it")
    preferring.set_defaults(execute=_prefer)
    for command in (available, get, update, preferring):
        command.add_argument(
            "--folder", type=Path, help="folder of models; by default the user's own"
        )
    for command in (available, get, update):
        command.add_argument(
            "--registry",
            default="",
            help="where models come from: a web address or a folder with db/models.json; Mozilla's "
            "by default, or TRANSLATOR_REGISTRY",
        )


def _folder_of(options: argparse.Namespace) -> Path:
    return options.folder or models_folder()


def _opened(options: argparse.Namespace) -> Registry:
    """Return the registry; say on standard error which of its records cannot be used."""
    registry = read_registry(options.registry)
    for fault in registry.faults[:FEW_FAULTS]:
        print(f"left out: {fault}", file=sys.stderr)
    if len(registry.faults) > FEW_FAULTS:
        print(f"left out: {len(registry.faults) - FEW_FAULTS} more", file=sys.stderr)
    return registry


def scores_of(card: Mapping[str, Any]) -> str:
    """Return what a card says of its model's scores on FLORES-200, by direction if it has two."""
    found: Mapping[str, Mapping[str, float]] = (card.get(DOWNLOADED) or card).get("flores200") or {}
    return ", ".join(
        _shown(scores) + (f" ({pair})" if len(found) > 1 else "") for pair, scores in found.items()
    )


def _shown(scores: Mapping[str, float]) -> str:
    return " ".join(f"{name} {score:.4g}" for name, score in sorted(scores.items()))


def _available(options: argparse.Namespace) -> None:
    registry = _opened(options)
    here = {
        pair: downloaded.sha256
        for downloaded in downloaded_models(_folder_of(options))
        for pair in downloaded.model.description.pairs
    }
    for release in registry.among(options.codes or [ALL]):
        version = here.get(release.pair)
        is_same = version == release.weights.sha256
        print(
            release.name,
            f"{release.weights.num_bytes / MEGABYTE:.1f} MB",
            _shown(release.scores),
            release.kind,
            release.licence,
            "" if version is None else "here" if is_same else "here, in another version",
            sep="\t",
        )
    for model in find_models([DEFAULT_MODEL]).models:
        directions, size = model.description.directions, model.num_bytes / FLOAT_BYTES / MEGABYTE
        if not options.codes or {*options.codes} & {*model.description.languages, ALL}:
            licence = str(model.card.get("licence", "")).partition(":")[0]
            about = scores_of(model.card), "shipped", licence, "here"
            print(" ".join(directions), f"{size:.1f} MB", *about, sep="\t")


def _get(options: argparse.Namespace) -> None:
    folder, names = _folder_of(options), [name for name in options.codes if is_hub_name(name)]
    codes = [code for code in options.codes if code not in names]
    complaints = _get_released(options, folder, codes) if codes else []
    for name in names:
        with locked(folder, _say):
            imported = import_model(
                name, lambda description: place_for(folder, description.directions[0])
            )
        print(f"{folder}: {imported.kind}, {', '.join(imported.description.directions[:6])}")
    if complaints:
        raise DownloadError("; ".join(complaints))


def _get_released(options: argparse.Namespace, folder: Path, codes: Sequence[str]) -> list[str]:
    """Download what a registry has of some languages; return what is to be said of the rest."""
    registry, here = _opened(options), downloaded_pairs(folder)
    lost = {pair: why for pair, why in registry.lost_among(codes).items() if pair not in here}
    for pair, why in lost.items():
        _say(f"not downloaded: {'-'.join(pair)}: {why}")
    released, unknown = registry.sort_out(codes)
    unknown = [code for code in unknown if not registry.lost_among([code])]
    releases = registry.among(released) if released else ()
    if not (releases or lost or unknown):
        raise InputError(
            f"{' '.join(codes)}: the registry has no model among these languages; name one more"
        )
    missing = [one for one in releases if one.pair not in here]  # `update` gets other versions
    complaints = _fetch(registry, missing, folder, len(releases)) if releases else []
    if lost:
        named = ", ".join("-".join(pair) for pair in lost)
        complaints.append(f"{named}: what the registry says of them cannot be used")
    if unknown:
        complaints.append(no_release(unknown, registry.codes))
    return complaints


def _update(options: argparse.Namespace) -> None:
    folder = _folder_of(options)
    here = downloaded_models(folder)
    if not here:
        raise InputError(f"{folder}: has no downloaded models; get some with `models get CODE …`")
    registry = _opened(options)
    if complaints := _fetch(registry, newer_than(folder, registry), folder, len(here)):
        raise DownloadError("; ".join(complaints))


def _prefer(options: argparse.Namespace) -> None:
    folder = _folder_of(options)
    paths = [path for path in (folder, DEFAULT_MODEL) if path.is_dir()]
    listed = {model.name: model.path for model in find_models(paths).models}
    prefer(folder, os.path.abspath(listed.get(options.name, folder / options.name)))
    print(f"{options.name}: comes first now")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _fetch(
    registry: Registry, missing: Sequence[Release], folder: Path, num_wanted: int
) -> list[str]:
    """Download models and print what has come; return what is to be said if one has not."""
    if not missing:
        print(f"{folder}: has all of them already ({num_wanted})")
        return []
    failed, licences = list[TranslatorError](), set[str]()
    _say(announced(registry, missing))
    with _Bars() as bars, _continued_later():
        for release, result in fetch_releases(registry, missing, folder, bars):
            if isinstance(result, TranslatorError):
                failed.append(result)
                bars.write(f"not downloaded: {release.name}: {result}", sys.stderr)
            else:
                licences.add(release.licence)
                bars.write(f"{result}: {release.source} → {release.target}", sys.stdout)
    if licences:
        print(f"licence: {', '.join(sorted(licences))}; origin: {registry.source.address}")
    if not failed:
        return []
    return [
        f"{len(failed)} of {len(missing)} models have not been downloaded; run the same command "
        "again to continue"
    ]


@contextmanager
def _continued_later() -> Iterator[None]:
    """Say at Ctrl-C that nothing is lost."""
    try:
        yield
    except KeyboardInterrupt:
        _say("\ninterrupted; run the same command again to continue")
        raise


class _Bars(Watcher):
    """A bar of progress for each model that is on its way, on a terminal."""

    def __init__(self) -> None:
        self._bars: dict[str, tqdm[NoReturn]] = {}
        self._lock = threading.Lock()
        self._screen = shutil.get_terminal_size()  # 80 × 24 if a terminal does not say

    def __enter__(self) -> _Bars:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            for bar in self._bars.values():
                bar.close()

    def write(self, text: str, stream: IO[str]) -> None:
        """Print a line above the bars."""
        with self._lock:
            tqdm.write(text, file=stream)
            stream.flush()

    def waits(self, why: str) -> None:
        """Say so."""
        self.write(why, sys.stderr)

    def received(self, release: Release, done: int, total: int) -> None:
        """Draw the bar of a model."""
        with self._lock:
            bar = self._bars.get(release.name)
            if bar is None:
                bar = tqdm(
                    desc=release.name,
                    total=total or None,
                    unit="B",
                    unit_scale=True,
                    leave=False,
                    disable=None,  # but on a terminal
                    position=len(self._bars),
                    ncols=self._screen.columns,
                    nrows=self._screen.lines,
                )
                self._bars[release.name] = bar
            bar.total = max(total, done)
            bar.update(done - bar.n)

    def imports(self, release: Release) -> None:
        """Remove the bar."""
        with self._lock:
            if release.name in self._bars:
                self._bars[release.name].close()

    def tries_again(self, release: Release, why: str, pause_s: float) -> None:
        """Say so."""
        self.write(f"{release.name}: {why}; tried again in {pause_s:.0f} s", sys.stderr)
