"""A folder of many models, made of two: copies under the codes of other languages.

    python -m tests.benchmarks.language_copies en-pt pt-en --count 50 --out /tmp/models

Two model directories, to and from a pivot, become `count`: those of half as many languages, each to
and from the pivot. Their translations are all alike; what they cost a service is not. Large files
are hard links, so that fifty take hardly more room than two.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from translator.store.names import CARD, CHECKSUMS, CONFIG

CODES = (
    *("pt", "bg", "ca", "cs", "da", "de", "el", "es", "et", "fa", "fi", "fr", "hi", "hr", "hu"),
    *("id", "is", "it", "ja", "ko", "lt", "lv", "nb", "nl", "pl", "ro", "ru", "sk", "sl", "sq"),
    *("sr", "sv", "tr", "uk", "vi", "zh-Hans", "ar", "az", "be", "bn", "bs", "gu", "he", "kn"),
    *("ml", "ms", "nn", "ta", "te"),
)
"""Languages that Firefox has models for, to English or from it."""


def write_copies(into: Path, out_of: Path, folder: Path, count: int) -> list[str]:
    """Write model directories.

    Args:
        into: a model directory from the pivot to a language.
        out_of: the way back.
        folder: to make.
        count: of directories.

    Returns:
        the languages, without the pivot.
    """
    folder.mkdir(parents=True, exist_ok=True)
    languages = list(CODES[: -(-count // 2)])
    for number in range(count):
        original, code = (into, out_of)[number % 2], languages[number // 2]
        pivot, _ = _pair(into)
        source, target = (pivot, code) if original == into else (code, pivot)
        _copy(original, folder / f"{source}-{target}", source, target)
    return languages


def _pair(model: Path) -> tuple[str, str]:
    [direction] = json.loads((model / CONFIG).read_text(encoding="utf-8"))["directions"]
    source, _, target = direction.partition("-")
    return source, target


def _copy(model: Path, folder: Path, source: str, target: str) -> None:
    """Write one copy, which is a model directory with checksums of its own."""
    folder.mkdir()
    said = {"languages": sorted((source, target)), "directions": [f"{source}-{target}"]}
    checksums = json.loads((model / CHECKSUMS).read_text(encoding="utf-8"))
    for name in (CONFIG, CARD):
        table: dict[str, Any] = json.loads((model / name).read_text(encoding="utf-8"))
        own = said | ({"name": folder.name} if name == CARD else {})
        content = json.dumps(table | own, indent=2).encode()
        (folder / name).write_bytes(content)
        checksums[name] = hashlib.sha256(content).hexdigest()
    (folder / CHECKSUMS).write_text(json.dumps(checksums), encoding="utf-8")
    for file in _others(model):
        try:
            os.link(file, folder / file.name)
        except OSError:  # another file system
            shutil.copyfile(file, folder / file.name)


def _others(model: Path) -> Iterator[Path]:
    yield from (one for one in model.iterdir() if one.name not in (CONFIG, CARD, CHECKSUMS))


def main() -> None:
    """Write copies."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("into", type=Path, help="model directory from the pivot")
    parser.add_argument("out_of", type=Path, help="model directory to the pivot")
    parser.add_argument("--count", type=int, default=50, help="of model directories")
    parser.add_argument("--out", type=Path, required=True, help="folder to make")
    options = parser.parse_args()
    languages = write_copies(options.into, options.out_of, options.out, options.count)
    print(f"{options.out}: {options.count} model directories, {', '.join(languages)}")


if __name__ == "__main__":
    main()
