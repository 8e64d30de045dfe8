"""A parallel corpus from the descriptions of Debian's packages, which people have translated.

`apt-get update -o Acquire::Languages=de,en` fetches `Translation-de` and `Translation-en`. A
description has a title and paragraphs, which a line with a full stop parts:

    Package: 2048-qt
    Description-md5: 0f25c2ca95ceff4500fde9f651d74f2e
    Description-de: Mathematik-Rätselspiel
     2048 puzzle ist ein Mathematik-Rätselspiel, in dem Sie Kacheln in einem
     Raster umherschieben.
     .
     Der nächste Absatz.

Source: https://www.debian.org/international/l10n/ddtp
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from training.commands import Commands, require_files
from training.data.cleaning import write_sides
from training.data.corpus import SentencePair
from translator.errors import InputError
from translator.files import read_lines
from translator.text.segmentation import split

SUM = "Description-md5: "
TITLE = re.compile(r"Description-(\w+): ")
LISTED = re.compile(r"^ ( |[*+o-] )", re.MULTILINE)  # lines that are no running text
MAX_PARAGRAPH = 400  # characters of a paragraph whose sentences do not match one by one


def add_command(commands: Commands) -> None:
    """Add `read-descriptions` to the commands of `python -m training`."""
    parser = commands.add_parser(
        "read-descriptions", help="make a parallel corpus from Debian's package descriptions"
    )
    parser.add_argument(
        "--input",
        type=Path,
        nargs=2,
        required=True,
        metavar="TRANSLATION",
        help="two files such as Translation-de and Translation-en, unpacked",
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for descriptions.*")
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> None:
    require_files(*options.input)
    both = [read_descriptions(read_lines(path)) for path in options.input]
    languages = [language for language, _ in both]
    for path, language in zip(options.input, languages, strict=True):
        if not language:
            raise InputError(f"{path}: has no line that begins with `Description-LANGUAGE:`")
    pairs = pair_up((languages[0], languages[1]), (both[0][1], both[1][1]))
    options.out.mkdir(parents=True, exist_ok=True)
    paths = [options.out / f"descriptions.{language}" for language in languages]
    print(f"{write_sides(paths, pairs):,} pairs in {paths[0]} and {paths[1]}")


def read_descriptions(lines: Iterable[str]) -> tuple[str, dict[str, list[str]]]:
    """Return the language, and title and paragraphs of each description by its checksum.

    Lines of a paragraph are joined, but a list stays as it is, with its line breaks.
    """
    language, checksum, found = "", "", dict[str, list[str]]()
    for line in lines:
        if line.startswith(SUM):
            checksum = line.removeprefix(SUM)
        elif title := TITLE.match(line):
            language = title[1]
            found[checksum] = [line[title.end() :].strip(), ""]
        elif line == " .":
            found[checksum].append("")
        elif line.startswith(" ") and checksum in found:
            found[checksum][-1] += f"{line}\n"
    return language, {key: [_joined(text) for text in texts] for key, texts in found.items()}


def _joined(paragraph: str) -> str:
    return paragraph if LISTED.search(paragraph) else " ".join(paragraph.split())


def pair_up(
    languages: tuple[str, str], described: tuple[dict[str, list[str]], dict[str, list[str]]]
) -> Iterator[SentencePair]:
    """Yield each title, and each sentence or paragraph of descriptions in both languages, once.

    Descriptions whose numbers of paragraphs differ are left out, and so are lists.
    """
    seen: set[SentencePair] = set()
    for checksum, first in described[0].items():
        second = described[1].get(checksum, [])
        if len(first) != len(second):
            continue
        for texts in zip(first, second, strict=True):
            for pair in _sentence_pairs(texts, languages):
                if pair not in seen and pair.source != pair.target:
                    seen.add(pair)
                    yield pair


def _sentence_pairs(texts: tuple[str, str], languages: tuple[str, str]) -> Iterator[SentencePair]:
    if not all(texts) or any("\n" in text for text in texts):
        return
    cut = [split(text, language).sentences for text, language in zip(texts, languages, strict=True)]
    if len(cut[0]) == len(cut[1]):
        yield from map(SentencePair, *cut)
    elif max(map(len, texts)) <= MAX_PARAGRAPH:
        yield SentencePair(*texts)
