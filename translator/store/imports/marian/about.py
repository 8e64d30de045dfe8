"""What the files beside a model of Marian's tell of it: languages, licence, and a digest.

`README.md` is OPUS-MT's, `metadata.json` Mozilla's, `model_info.json` and `modelMeta.json` are of
translateLocally. Where none of them tells, names may: that of the folder, such as `de-en`, or that
of the weights, such as `model.deen.intgemm.alphas.bin`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from translator.errors import ImportedModelError
from translator.store.imports.reading import read_bytes, read_table

README = "README.md"
TABLES = ("metadata.json", "model_info.json", "modelMeta.json")
LICENCES = ("license", "licence")

_LANGUAGES = re.compile(r"^\* (source|target) language\(s\):[ \t]*(\S.*)$", re.MULTILINE)
_SHA256 = re.compile(r"[0-9a-f]{64}")
_PAIR = re.compile(r"(?:^|[/_])(?:opus-mt-)?([a-z]{2,3})-([a-z]{2,3})(?:$|[/_-])")
_SHORT_NAME = re.compile(r"([a-z]{2,3})-([a-z]{2,3})(?:-\w+)?")
_WEIGHTS = re.compile(r"model\.([a-z]{2})([a-z]{2})\..+")


def model_pair(folder: Path, weights: str) -> tuple[str, str]:
    """Return what a model translates from and to; several languages are joined by `+`.

    Args:
        folder: of the model.
        weights: name of their file.

    Raises:
        ImportedModelError: neither files nor names tell.
    """
    told = _of_readme(folder)
    for table in [] if told else _tables(folder):
        told = told or _of_table(table)
    if told:
        return told
    found = _PAIR.search(folder.name) or _WEIGHTS.fullmatch(weights)
    if not found:
        raise ImportedModelError(f"{folder}: does not tell its languages; give --from and --to")
    return found[1], found[2]


def model_card(folder: Path) -> dict[str, Any]:
    """Return what the card is to say: version and licence, where a file tells them."""
    said: dict[str, Any] = {}
    for table in _tables(folder):
        licences = [table[key] for key in LICENCES if isinstance(table.get(key), str)]
        if licences:
            said["licence"] = licences[0]
        if isinstance(table.get("version"), (str, int, float)):
            said["package_version"] = str(table["version"])
    return said


def check_digest(weights: Path, content: bytes) -> None:
    """Compare weights with what Mozilla's `metadata.json` says of them, if it is there and does.

    Args:
        weights: where they lie, unpacked.
        content: of that file.

    Raises:
        ImportedModelError: it is of other weights, or these are damaged.
    """
    place = weights.with_name(TABLES[0])
    told = read_table(place).get("hash") if place.exists() else None
    if not (isinstance(told, str) and _SHA256.fullmatch(told)):
        return
    found = hashlib.sha256(content).hexdigest()
    if found != told:
        raise ImportedModelError(
            f"{weights}: damaged, or another model's: has the SHA-256 {found[:12]}…, "
            f"{place.name} says {told[:12]}…"
        )


def _of_readme(folder: Path) -> tuple[str, str] | None:
    if not (folder / README).exists():
        return None
    text = read_bytes(folder / README).decode(errors="replace")
    told = {
        side: "+".join(re.split(r"[\s,]+", codes.strip()))
        for side, codes in reversed(_LANGUAGES.findall(text))
    }
    return (told["source"], told["target"]) if len(told) == 2 else None


def _tables(folder: Path) -> list[dict[str, Any]]:
    return [read_table(folder / name) for name in TABLES if (folder / name).exists()]


def _of_table(table: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the pair that a table tells, in the words of either project."""
    for keys in (("sourceLanguage", "targetLanguage"), ("fromLang", "toLang")):
        pair = [table.get(key) for key in keys]
        if all(isinstance(code, str) and code for code in pair):
            return str(pair[0]), str(pair[1])
    sources, target = table.get("srcTags"), table.get("trgTag")
    if isinstance(sources, dict) and sources and isinstance(target, str):
        return "+".join(map(str, sources)), target
    found = _SHORT_NAME.fullmatch(str(table.get("shortName")))
    return (found[1], found[2]) if found else None
