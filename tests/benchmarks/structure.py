"""Whether real documentation keeps its structure when the service translates it.

    python -m tests.benchmarks.structure [MODEL] [--count 200] [--show]

The paragraphs are the project descriptions of the Python packages that are installed here: Markdown
and reStructuredText with inline code, links, lists, tables, tags and blocks of code. Each that has
such a thing goes through `POST /translate`, and what was counted before is counted again after.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from service.app import create_app
from service.config import ServiceConfig
from tests.benchmarks.arguments import print_header, print_row, results_parser
from tests.benchmarks.results import results
from translator.translate.translator import DEFAULT_MODEL, Translator

KINDS = {
    "blocks of code": r"(?s)```.*?```",
    "inline code": r"(?<!`)``?(?!`)(?:[^`<\n]|<(?![^<>`\n]*>`_))+``?(?!`)",
    "addresses": r"https?://[^\s<>)\]\"'`]*[\w/]",
    "link targets": r"\]\(([^()\s]+)\)",
    "tags": r"</?[a-z][a-z0-9]*(?: [^<>]*)?>",
    "placeholders": r"\{\w*\}|%\([a-z]+\)s|%[sd]\b|\$\{?[A-Z_]{2,}\}?",
    "options": r"(?<!\S)--[a-z][\w-]+",
    "list markers": r"(?m)^\s*(?:[-*+]|\d+[.)])\s",
    "headings": r"(?m)^#{1,6}\s",
    "table bars": r"(?<!\S)\|(?!\S)",
    "emphasis": r"\*\*",
    "lines": r"\n",
}
"""What is counted, by regular expressions of their own: not those that protect it."""


def main() -> None:
    """Print what was kept, by kind; the paragraphs that lost something on standard error."""
    parser = results_parser(__doc__)
    parser.add_argument("model", nargs="?", type=Path, default=DEFAULT_MODEL)
    parser.add_argument("--count", type=int, default=200, help="paragraphs")
    parser.add_argument("--show", action="store_true", help="print every paragraph with a loss")
    options = parser.parse_args()
    with results(options.write, "structure"):
        measure(options)


def measure(options: argparse.Namespace) -> None:
    """Translate, and print a row for each kind."""
    chosen = sorted(structured_paragraphs())
    random.Random(1).shuffle(chosen)
    losses, totals, kept = [], Counter[str](), Counter[str]()
    with Translator.load(options.model) as translator:
        client = create_app(ServiceConfig(), translator).test_client()
        for paragraph in chosen[: options.count]:
            body = {"q": paragraph, "source": "en", "target": "de"}
            answer = client.post("/translate", json=body).get_json()["translatedText"]
            before, after = structure(paragraph), structure(answer)
            for kind, found in before.items():
                totals[kind] += found.total()
                kept[kind] += (found & after[kind]).total()
            if before != after:
                losses.append((paragraph, answer))
    print_header("", "in the original", "kept")
    for kind, total in totals.items():
        print_row(kind, total, kept[kind])
    count = min(options.count, len(chosen))
    print(f"\n{count - len(losses)} of {count} paragraphs have the same structure.")
    for paragraph, answer in losses if options.show else []:
        print(f"\n<<< {paragraph}\n>>> {answer}", file=sys.stderr)


def structured_paragraphs() -> Iterator[str]:
    """Yield distinct paragraphs of prose that have something besides prose in them."""
    seen = set()
    for package in metadata.distributions():
        for paragraph in paragraphs(str(package.metadata.json.get("description", ""))):
            kinds = [kind for kind, found in structure(paragraph).items() if found]
            is_prose = len(re.findall(r"\b[a-z]{2,}\b", paragraph)) >= 8
            if is_prose and kinds not in ([], ["lines"]) and paragraph not in seen:
                seen.add(paragraph)
                yield paragraph


def paragraphs(text: str) -> Iterator[str]:
    """Yield what lies between blank lines; a block of code belongs to what is before it."""
    fenced = re.sub(r"(?s)```.*?```", lambda block: block[0].replace("\n\n", "\n"), text)
    for paragraph in re.split(r"\n\s*\n", fenced):
        if 40 <= len(paragraph) <= 3_000:
            yield paragraph


def structure(text: str) -> dict[str, Counter[str]]:
    """Count what is there besides language, by kind."""
    return {kind: Counter(re.findall(pattern, text)) for kind, pattern in KINDS.items()}


if __name__ == "__main__":
    main()
