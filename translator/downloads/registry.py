"""A registry of models in the layout of Mozilla's: `db/models.json`, and files beside it.

Nothing that a registry says is believed: names stay below its address, sizes have bounds, and
languages have the form of codes. A record that breaks a rule is left out, and the reason kept.

Source: `PublicModelsJsonGenerator` in https://github.com/mozilla/translations, db/updater.py.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from translator.config import REGISTRY
from translator.downloads.sources import FolderSource, Source, source_at
from translator.errors import DownloadError, InputError
from translator.store.imports.pieces import own_code

MOZILLA = "https://storage.googleapis.com/moz-fx-translations-data--303e-prod-translations-data"
LIST = "db/models.json"
PIVOT = "en"
ALL = "all"

MOST_LIST_BYTES = 100_000_000
MOST_WEIGHTS_BYTES = 2_000_000_000
MOST_OTHER_BYTES = 100_000_000
"""Of a vocabulary or a shortlist, unpacked; the largest known have 5 million."""

MOST_SHOWN = 80
"""Characters of what a registry says, in a message."""

LICENCE = "MPL-2.0"
"""Of Mozilla's models; the registry does not name it."""

PARTS = ("model", "lexicalShortlist", "vocab", "srcVocab", "trgVocab")
"""Files of a record that are fetched; the first are the weights."""

_CODE = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?")
_STEP = re.compile(r"[\w+@=-][\w.+@=-]*", re.ASCII)
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, kw_only=True, slots=True)
class RemoteFile:
    """A file of a model."""

    path: str  # from the registry's address on
    sha256: str  # of its contents, unpacked; empty if the registry does not name it
    num_bytes: int  # of its contents, unpacked; 0 if the registry does not say
    most_bytes: int  # that it may have


@dataclass(frozen=True, kw_only=True, slots=True)
class Release:
    """A model of one direction that can be downloaded."""

    source: str  # code of its source language, as this project writes it
    target: str  # code of its target language
    kind: str  # what the registry calls its size, such as `base`
    licence: str  # its licence
    scores: Mapping[str, float]  # by metric, on FLORES-200, where the registry names them
    weights: RemoteFile  # the file of its weights
    others: tuple[RemoteFile, ...]  # its other files

    @property
    def name(self) -> str:
        """The direction, such as `de-en`, which the model directory is named after."""
        return f"{self.source}-{self.target}"

    @property
    def pair(self) -> tuple[str, str]:
        """Both codes."""
        return self.source, self.target


@dataclass(frozen=True, kw_only=True, slots=True)
class Registry:
    """What can be downloaded from one place."""

    source: Source  # where the files are
    releases: tuple[Release, ...]  # the best released model of each direction, by direction
    faults: tuple[str, ...] = ()  # why other records cannot be used
    # why there is no release of directions that the list names, by direction
    lost: Mapping[tuple[str, str], str] = field(default_factory=dict)

    @property
    def codes(self) -> tuple[str, ...]:
        """All languages."""
        return tuple(sorted({code for release in self.releases for code in release.pair}))

    def among(self, codes: Iterable[str]) -> tuple[Release, ...]:
        """Return all releases among some languages, or `all`, and English, through which pairs go.

        Raises:
            InputError: a language is not there.
        """
        available, chosen = self.codes, {PIVOT}
        for code in codes:
            if code == ALL:
                return self.releases
            chosen.add(_code_there(code, available))
        return tuple(release for release in self.releases if chosen.issuperset(release.pair))

    def sort_out(self, codes: Iterable[str]) -> tuple[list[str], list[str]]:
        """Return those of some codes that `among` takes, and those that it refuses."""
        available, unknown = list[str](), list[str]()
        for code in codes:
            try:
                self.among([code])
            except InputError:
                unknown.append(code)
            else:
                available.append(code)
        return available, unknown

    def lost_among(self, codes: Iterable[str]) -> dict[tuple[str, str], str]:
        """Return why directions among languages and English cannot be had, by direction."""
        listed = {*self.codes, *(code for pair in self.lost for code in pair)}
        chosen = {PIVOT}
        for code in codes:
            if code == ALL:
                return dict(self.lost)
            with suppress(InputError):
                chosen.add(_code_there(code, sorted(listed)))
        return {pair: why for pair, why in self.lost.items() if chosen.issuperset(pair)}


def _code_there(code: str, available: Sequence[str]) -> str:
    """Return the registry's own code of a language: `pt_BR` may be `pt`."""
    listed = own_code(code.strip().replace("_", "-"))
    while listed not in available:
        listed, dash, _ = listed.rpartition("-")
        if not dash:
            raise InputError(no_release([code], available), "unsupported_language")
    return listed


def no_release(codes: Iterable[str], available: Iterable[str]) -> str:
    """Return what to say of languages that a registry lacks, among those that it has."""
    return f"{', '.join(codes)}: the registry has no released model; it has {', '.join(available)}"


def registry_address(given: str = "") -> str:
    """Return where the registry is: as given, or as `TRANSLATOR_REGISTRY` says, or Mozilla's."""
    return given or os.environ.get(REGISTRY, "") or MOZILLA


def check_registry(address: str = "") -> None:
    """Refuse an address that can never be a registry; asks no server."""
    source = _source(address)
    if isinstance(source, FolderSource) and not Path(source.address).is_dir():
        raise DownloadError(f"{source.address}: no such folder")


def _source(address: str) -> Source:
    return source_at(registry_address(address).rstrip("/").removesuffix(f"/{LIST}"))


def read_registry(address: str = "") -> Registry:
    """Return what a registry offers, below whose address `db/models.json` lies; or of that file.

    Raises:
        DownloadError: it cannot be reached, or is no registry.
    """
    source = _source(address)
    content, place = bytearray(), f"{source.address}/{LIST}"
    with source.open(LIST, unpack=True) as opened:
        for block in opened.blocks:
            content += block
            if len(content) > MOST_LIST_BYTES:
                raise DownloadError(f"{place}: larger than {MOST_LIST_BYTES} bytes; refused")
    return _registry(source, _parsed(bytes(content), place), place)


def _parsed(content: bytes, place: str) -> Mapping[str, Any]:
    try:
        table = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise DownloadError(f"{place}: {_no_json(content)}") from error
    if not (isinstance(table, dict) and isinstance(table.get("models"), dict)):
        raise DownloadError(f"{place}: is not a registry of models; check its address")
    return table


def _no_json(content: bytes) -> str:
    if looks_like_a_page(content):
        return (
            "a web page came in its place, perhaps from a proxy; check the address and HTTPS_PROXY"
        )
    return "is not a registry of models (no JSON); check its address"


def looks_like_a_page(content: bytes) -> bool:
    """Return whether some bytes begin like HTML."""
    return content.lstrip()[:1] == b"<"


def _registry(source: Source, table: Mapping[str, Any], place: str) -> Registry:
    """Return the best release of each direction; of several, that with the largest weights."""
    best, faults = dict[tuple[str, str], Release](), list[str]()
    lost = dict[tuple[str, str], str]()
    is_mozilla = MOZILLA in (source.address, str(table.get("baseUrl", "")).rstrip("/"))
    licence = _text(table.get("licence")) or (LICENCE if is_mozilla else "not stated")
    for name, record in _records(table["models"]):
        try:
            release = _release(record, licence)
        except ValueError as error:
            faults.append(f"{place}, {_shown(name)}: {error}")
            with suppress(ValueError):
                lost[_pair(record)] = str(error)
            continue
        size = release.weights.num_bytes
        if release.pair not in best or size > best[release.pair].weights.num_bytes:
            best[release.pair] = release
    releases = tuple(best[pair] for pair in sorted(best))
    lost = {pair: lost[pair] for pair in sorted(lost) if pair not in best}
    return Registry(source=source, releases=releases, faults=tuple(faults), lost=lost)


def _records(models: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, records in models.items():
        for record in records if isinstance(records, list) else []:
            if isinstance(record, dict) and "Release" in str(
                record.get("releaseStatus", "Release")
            ):
                yield name, record


def _release(record: Mapping[str, Any], licence: str) -> Release:
    """Return a record.

    Raises:
        ValueError: it breaks a rule.
    """
    source, target = _pair(record)
    files = record.get("files")
    if not isinstance(files, dict) or not isinstance(files.get(PARTS[0]), dict):
        raise ValueError("names no weights")
    remote_files = [_file(part, files[part]) for part in PARTS if files.get(part)]
    names = [file.path.rpartition("/")[2] for file in remote_files]
    if len(set(names)) < len(names):
        raise ValueError("has two files of one name")
    if not remote_files[0].sha256:
        raise ValueError("names no SHA-256 of the weights")
    return Release(
        source=source,
        target=target,
        kind=_text(record.get("architecture")),
        licence=_text(record.get("licence")) or licence,
        scores=_scores(record.get("metrics")),
        weights=remote_files[0],
        others=tuple(remote_files[1:]),
    )


def _pair(record: Mapping[str, Any]) -> tuple[str, str]:
    """Return the languages of a record.

    Raises:
        ValueError: one is none.
    """
    codes = [record.get("sourceLanguage"), record.get("targetLanguage")]
    for code in codes:
        if not (isinstance(code, str) and _CODE.fullmatch(code)):
            raise ValueError(f"{_shown(code)} is no code of a language")
    source, target = map(own_code, map(str, codes))
    return source, target


def _file(part: str, record: object) -> RemoteFile:
    fields: dict[str, Any] = record if isinstance(record, dict) else {}
    path = fields.get("path")
    if not isinstance(path, str) or not all(map(_STEP.fullmatch, path.split("/"))):
        raise ValueError(f"the name {_shown(path)} could lead out of the registry")
    most = MOST_WEIGHTS_BYTES if part == PARTS[0] else MOST_OTHER_BYTES
    size, digest = fields.get("uncompressedSize") or 0, fields.get("uncompressedHash") or ""
    if not isinstance(size, int) or isinstance(size, bool) or not 0 <= size <= most:
        raise ValueError(f"{_shown(path)} with {_shown(size)} bytes is larger than {most}")
    if digest and not (isinstance(digest, str) and _SHA256.fullmatch(digest)):
        raise ValueError(f"{_shown(digest)} is no SHA-256")
    return RemoteFile(path=path, sha256=digest, num_bytes=size, most_bytes=size or most)


def _scores(record: object) -> dict[str, float]:
    flores = record.get("flores200-plus") if isinstance(record, dict) else None
    pairs = flores.items() if isinstance(flores, dict) else ()
    return {str(name)[:20]: float(score) for name, score in pairs if isinstance(score, int | float)}


def _text(value: object) -> str:
    """Return a short text on one line; empty if it is none."""
    return " ".join(value.split())[:80] if isinstance(value, str) else ""


def _shown(value: object) -> str:
    """Return what a registry says, short, printable and with its closing quote."""
    text = ascii(value)
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 4]}...{text[-1]}"
