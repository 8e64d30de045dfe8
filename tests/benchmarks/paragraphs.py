"""Paragraphs of PDF: how many are found exactly, by distances alone and with the tags of the files.

    python -m tests.benchmarks.paragraphs FILE.pdf...

Tagged files say which text belongs to which paragraph. Prints how many of these paragraphs are one
block of just their text, how many are joined with text of others, and how many are in parts, on the
first pages of each file. Give files from many programs, and as many languages as are read.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from training.paragraphs import tagged_pages
from translator.documents.pdf.blocks import blocks_of
from translator.documents.pdf.runs import Box, Run, untold


def main() -> None:
    """Print a line for distances alone, and one for what is read with tags."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    pages = [page for path in parser.parse_args().files for page in tagged_pages(path)]
    if not pages:
        raise SystemExit("error: none of the files is a tagged PDF")
    print(f"{len(pages)} tagged pages")
    for name, has_tags in (("distances alone", False), ("with tags", True)):
        counts = Counter(kind for page in pages for kind in found(*page, has_tags))
        shares = (
            f"{kind} {count} ({count / counts.total():.1%})" for kind, count in counts.items()
        )
        print(f"{name}: {counts.total()} paragraphs; " + ", ".join(sorted(shares)))


def found(runs: Sequence[Run], drawn: Sequence[Box], has_tags: bool) -> Iterator[str]:
    """Yield for each paragraph with letters whether it is `exact`, `joined` or `split`."""
    texts = {run.number: run.text for run in runs if run.paragraph and run.text.strip()}
    paragraphs = defaultdict[int, set[int]](set)
    for run in runs:
        if run.number in texts:
            paragraphs[run.paragraph].add(run.number)
    read = runs if has_tags else [*map(untold, runs)]
    blocks = [block.numbers & texts.keys() for block in blocks_of(read, drawn)]
    blocks = [own for own in blocks if _has_letters(texts[number] for number in own)]
    for paragraph in paragraphs.values():
        if not _has_letters(texts[number] for number in paragraph):
            continue
        own = [block for block in blocks if block & paragraph]
        rest = [paragraph - block for block in own if block <= paragraph]
        if any(not _has_letters(texts[number] for number in left) for left in rest):
            yield "exact"
        else:
            yield "split" if all(block <= paragraph for block in own) else "joined"


def _has_letters(texts: Iterable[str]) -> bool:
    return any(char.isalpha() for text in texts for char in text)


if __name__ == "__main__":
    main()
