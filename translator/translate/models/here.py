"""The models that are used when nobody names one: downloaded ones, and then the shipped one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from translator.downloads.fetching import fetch_releases
from translator.downloads.registry import PIVOT, no_release, read_registry
from translator.errors import InputError, TranslatorError, UnsupportedLanguageError
from translator.language_names import english_name
from translator.store.home import DEFAULT_MODEL, models_folder
from translator.translate.models.face import Pair
from translator.translate.models.found import find_models
from translator.translate.models.routes import Leg, Routes


def default_paths() -> tuple[Path, ...]:
    """Return where models are looked for, in order of preference."""
    folder = models_folder()
    return (folder, DEFAULT_MODEL) if folder.is_dir() else (DEFAULT_MODEL,)


def routes_here() -> Routes:
    """Return the ways that the models here offer, through English where there is no other."""
    return Routes(find_models(default_paths()).models, PIVOT)


def choose_pair(routes: Routes, source: str | None, target: str | None) -> Pair:
    """Return the first pair that is as asked: of the shipped model, or else of any other.

    Args:
        routes: of the models here.
        source: code of the source language; any if None.
        target: code of the target language; any if None.

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


def legs_here(routes: Routes, source: str, target: str) -> Sequence[Leg]:
    """Return the models that translate a pair, one or two.

    Raises:
        UnsupportedLanguageError: there are none; the message names the command that gets them.
    """
    try:
        return routes.legs(source, target)
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


def download(codes: Iterable[str]) -> None:
    """Download what the models here lack, of all directions among some languages and English.

    Languages that the registry lacks keep no others from coming.

    Raises:
        DownloadError: it cannot be had.
        InputError: neither the registry nor a model here has a language.
    """
    wanted = set(codes)
    have = set(routes_here().directions)
    if {(code, PIVOT) for code in wanted - {PIVOT}} | {
        (PIVOT, code) for code in wanted - {PIVOT}
    } <= have:
        return
    registry = read_registry()
    known, unknown = registry.sort_out(sorted(wanted))
    releases = registry.among(known) if known else ()
    missing = [one for one in releases if one.pair not in have]
    for fetched in fetch_releases(registry, missing, models_folder()):
        if isinstance(fetched.result, TranslatorError):
            raise fetched.result
    here = {code for pair in have for code in pair}
    if lacking := [code for code in unknown if code not in here]:
        raise InputError(no_release(lacking, registry.codes), "unsupported_language")


def model_of(direction: str, *, may_download: bool = False) -> Path:
    """Return the model directory of a direction such as `fr-en`, the preferred one of several.

    Args:
        direction: codes with `-` between.
        may_download: whether to download it if no model here has it.

    Raises:
        UnsupportedLanguageError: no single model has it.
        DownloadError: it cannot be downloaded.
    """
    halves = direction.split("-")
    cuts = [
        ("-".join(halves[:cut]), "-".join(halves[cut:])) for cut in range(1, len(halves))
    ]  # `zh-Hant-en` is `zh-Hant` to `en`
    source, target = next((cut for cut in cuts if PIVOT in cut), cuts[0])
    routes = routes_here()
    if may_download and (source, target) not in routes.directions:
        download([source, target])
        routes = routes_here()
    legs = legs_here(routes, source, target)
    if len(legs) != 1:
        raise UnsupportedLanguageError(
            f"no single model translates {source} to {target}; ModelSet.load() goes through "
            f"{english_name(PIVOT)}",
            "no_single_model",
        )
    return legs[0].model.path
