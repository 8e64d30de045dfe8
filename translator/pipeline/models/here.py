"""Which models there are in some folders, and which are used when nobody names one.

Those are downloaded ones, and then the shipped one. What is damaged is named and left out.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from translator.downloads.fetching import fetch_releases
from translator.downloads.registry import PIVOT, no_release, read_registry
from translator.errors import (
    DownloadError,
    InputError,
    ModelDirectoryError,
    TranslatorError,
    UnsupportedLanguageError,
)
from translator.language_names import english_name
from translator.pipeline.face import AnyTranslator, Pair
from translator.pipeline.models.routes import Hop, Routes
from translator.store.home import DEFAULT_MODEL, PREFERENCE, models_folder, preferred
from translator.store.installed import InstalledModel, is_model_directory, read_installed
from translator.store.names import CHECKSUMS

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ModelsFound:
    """What lies in some folders.

    Attributes:
        models: that can be used, in order of preference.
        faults: why others cannot; each names a file.
    """

    models: tuple[InstalledModel, ...]
    faults: tuple[str, ...]


def find_models(paths: Sequence[Path]) -> ModelsFound:
    """Look for model directories, by paths in order of preference.

    Each is a model directory, or a folder of some, which come in order of their names. Those that
    the folder's `preference.txt` lists come first. Hidden folders are passed over, and so is
    whatever else lies there.
    """
    models, faults = list[InstalledModel](), list[str]()
    names, places = set[str](), set[Path]()
    for folder in _folders(paths, faults):
        if folder.resolve() in places:
            continue
        places.add(folder.resolve())
        try:
            model = read_installed(folder)
        except ModelDirectoryError as error:
            faults.append(str(error))
            continue
        if model.name in names:  # of two folders with one name, the second is known by its path
            model = replace(model, name=str(folder))
        names.add(model.name)
        models.append(model)
    return ModelsFound(tuple(models), tuple(faults))


def stamp_of(paths: Sequence[Path]) -> tuple[tuple[str, int], ...]:
    """Return what changes when a model comes, goes or is replaced, or another one is preferred."""
    files = list[Path]()
    for path in paths:
        files += [path / CHECKSUMS, path / PREFERENCE]
        with suppress(OSError):
            inner = [entry for entry in path.iterdir() if not entry.name.startswith(".")]
            files += [entry / CHECKSUMS for entry in sorted(inner)]
    found = list[tuple[str, int]]()
    for file in files:
        with suppress(OSError):
            found.append((str(file), file.stat().st_mtime_ns))
    return tuple(found)


def _folders(paths: Sequence[Path], faults: list[str]) -> Iterator[Path]:
    for path in paths:
        if is_model_directory(path):
            yield path
            continue
        try:
            inner = sorted(path.iterdir())
        except OSError as error:
            faults.append(f"{path}: {error.strerror}")
            continue
        yield from filter(is_model_directory, (path / name for name in preferred(path)))
        for folder in inner:
            if not folder.name.startswith(".") and is_model_directory(folder):
                yield folder


def default_paths() -> tuple[Path, ...]:
    """Return where models are looked for, in order of preference."""
    folder = models_folder()
    return (folder, DEFAULT_MODEL) if folder.is_dir() else (DEFAULT_MODEL,)


def routes_here() -> Routes:
    """Return the ways that the models here offer, through English where there is no other."""
    return Routes(find_models(default_paths()).models, PIVOT)


def choose_pair(routes: Routes, source: str | None, target: str | None) -> Pair:
    """Return the first pair that is as asked: of the shipped model, or else of any other.

    Raises:
        UnsupportedLanguageError: there is none; the message names the command that gets one.
    """
    if source and target:
        return source, target
    shipped = find_models([DEFAULT_MODEL]).models
    pairs = [pair for model in shipped for pair in model.description.pairs]
    for first, second in [*pairs, *routes.directions]:
        if source in (None, first) and target in (None, second):
            return first, second
    raise _not_here(routes, source, target)


def hops_here(routes: Routes, source: str, target: str, *, has_form: bool = False) -> Sequence[Hop]:
    """Return the models that translate a pair, one or two; see `Routes.hops`.

    Raises:
        UnsupportedLanguageError: there are none; the message names the command that gets them.
    """
    try:
        return routes.hops(source, target, has_form=has_form)
    except UnsupportedLanguageError as error:
        raise _not_here(routes, source, target) from error


def _not_here(routes: Routes, source: str | None, target: str | None) -> UnsupportedLanguageError:
    """Return what to say; the command that it names gets only what the models here lack."""
    codes = [code for code in (source, target) if code]
    lacking, have = list[str](), set(routes.directions)
    if source and source != PIVOT and (source, PIVOT) not in have:
        lacking.append(source)
    if target and target != PIVOT and (PIVOT, target) not in have:
        lacking.append(target)
    named = " and ".join(map(english_name, codes))
    return UnsupportedLanguageError(
        f"no model here translates {' to '.join(codes)} ({named}); to download what there is, run: "
        f"python -m translator models get {' '.join(lacking or codes)}",
        "unsupported_pair",
    )


@functools.cache
def _shipped() -> Sequence[InstalledModel]:
    return find_models([DEFAULT_MODEL]).models


def stand_in(translator: AnyTranslator) -> set[Pair]:
    """Return the pairs that the shipped model translates, for want of a better one."""
    pairs, checksums = set[Pair](), {model.checksum for model in _shipped()}
    for pair in translator.directions:
        with suppress(UnsupportedLanguageError):  # a model has gone a moment ago
            if translator.fingerprint(*pair) in checksums:
                pairs.add(pair)
    return pairs


def _own_directions() -> set[Pair]:
    """Return the pairs of all models here but the shipped one."""
    models = find_models(default_paths()).models
    return {
        pair for model in models if model.path != DEFAULT_MODEL for pair in model.description.pairs
    }


def download(codes: Iterable[str]) -> None:
    """Download what the models here lack, of all directions among some languages and English.

    The shipped model stands in for better ones: what it has is downloaded, too, and only if that
    fails, it translates. Languages that the registry lacks keep no others from coming.

    Raises:
        DownloadError: it cannot be had.
        InputError: neither the registry nor a model here has a language.
    """
    wanted, have = set(codes), _own_directions()
    both = {pair for code in wanted - {PIVOT} for pair in ((code, PIVOT), (PIVOT, code))}
    if both <= have:
        return
    try:
        _download(wanted, have)
    except DownloadError as error:
        if not both <= set(routes_here().directions):
            raise
        log.warning("the shipped model translates, since a better one did not come: %s", error)


def _download(wanted: set[str], have: set[Pair]) -> None:
    registry = read_registry()
    known, unknown = registry.sort_out(sorted(wanted))
    releases = registry.among(known) if known else ()
    missing = [one for one in releases if one.pair not in have]
    for fetched in fetch_releases(registry, missing, models_folder()):
        if isinstance(fetched.result, TranslatorError):
            raise fetched.result
    here = {code for pair in routes_here().directions for code in pair}
    if lacking := [code for code in unknown if code not in here]:
        raise InputError(no_release(lacking, registry.codes), "unsupported_language")


def model_of(direction: str, *, may_download: bool = False) -> Path:
    """Return the model directory of a direction such as `fr-en`, the preferred one of several.

    Raises:
        UnsupportedLanguageError: no single model has it.
        DownloadError: it cannot be downloaded.
    """
    halves = direction.split("-")
    # `zh-Hant-en` is `zh-Hant` to `en`
    cuts = [("-".join(halves[:cut]), "-".join(halves[cut:])) for cut in range(1, len(halves))]
    source, target = next((cut for cut in cuts if PIVOT in cut), cuts[0])
    routes = routes_here()
    if may_download and (source, target) not in _own_directions():
        download([source, target])
        routes = routes_here()
    hops = hops_here(routes, source, target)
    if len(hops) != 1:
        raise UnsupportedLanguageError(
            f"no single model translates {source} to {target}; ModelSet.load() goes through "
            f"{english_name(PIVOT)}",
            "no_single_model",
        )
    return hops[0].model.path
