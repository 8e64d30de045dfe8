"""Sentences with numbers, names of variables, addresses and code: what becomes of them.

    python -m tests.benchmarks.fidelity [--model MODEL] [--count 10000]

The sentences are made from quantities that are known (`tests/fidelity`), and each translation is
judged by them, by rules that share nothing with the check of the library. Prints for each kind how
many sentences have something wrong if they are searched for once, and with the check: wrong and not
flagged, flagged, and searched for again. With `--references PREFIX` (files PREFIX.de and PREFIX.en)
also how many pairs of people's translations the check would flag.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.arguments import print_header, print_row, results_parser
from tests.benchmarks.results import results
from tests.fidelity.judge import faults
from tests.fidelity.samples import MAKERS, PAIRS, Sample, samples
from tests.fidelity.vocabulary import without_placeholders
from translator.config import DecodingOptions
from translator.pipeline.options import TextOptions
from translator.pipeline.texts import translate_texts
from translator.pipeline.translation import Translation
from translator.pipeline.translator import DEFAULT_MODEL, Translator
from translator.rules.comparison import AGREED, disagreement
from translator.store.model_directory import load_model_directory
from translator.text.protection import protect_pair

WRONG = {"numbers", "placeholders"}
"""Flags that say that something may be wrong."""
COLUMNS = ("sentences", "once", "silent", "flagged", "again")


def main() -> None:
    """Print the tables; with `--show`, what is wrong or flagged, on standard error."""
    parser = results_parser(__doc__)
    parser.add_argument("--model", type=Path, default=DEFAULT_MODEL)
    parser.add_argument("--count", type=int, default=10_000, help="sentences")
    parser.add_argument("--seed", type=int, default=1, help="of the sentences")
    parser.add_argument("--references", nargs="*", type=Path, default=[], metavar="PREFIX")
    parser.add_argument("--show", action="store_true", help="print what is wrong or flagged")
    parser.add_argument(
        "--imported", action="store_true", help="use no placeholders, as with imported models"
    )
    options = parser.parse_args()
    if options.imported:
        with results(options.write, "fidelity-imported"):
            measure(options)
    else:
        with results(options.write, "fidelity"):
            measure(options)


def measure(options: argparse.Namespace) -> None:
    """Translate all sentences twice; print a row for each kind in which something was wrong."""
    loaded = load_model_directory(options.model)
    if options.imported:
        loaded = without_placeholders(loaded)
    made = samples(options.count, options.seed)
    with Translator.from_model(loaded) as translator:
        checked = translator.description.decoding
        once = translate(translator, made, dataclasses.replace(checked, search_again=False))
        answers = translate(translator, made, checked)
    counts = {kind: Counter[str]() for kind in (*MAKERS, "two kinds at once", "all")}
    for number, one in enumerate(made):
        columns = judged(one, once[number], answers[number])
        counts[one.kind].update(columns)
        counts["all"].update(columns)
        if options.show and columns & {"silent", "flagged"}:
            said = answers[number]
            wrong = faults(one.quantities, said.text, one.units)
            print(f"{one.text} → {said.text} {said.flags} {wrong}", file=sys.stderr)
    print_header(
        "kind", "sentences", "wrong at first", "wrong, not flagged", "flagged", "searched again"
    )
    total = counts.pop("all")
    whole = [kind for kind, found in counts.items() if found.total() == found["sentences"]]
    rest = sum((counts.pop(kind) for kind in whole), Counter[str]())
    for kind, found in {**counts, f"{len(whole)} other kinds": rest, "all": total}.items():
        print_row(kind, *(found[column] for column in COLUMNS))
    for prefix in options.references:
        print_references(prefix)


def translate(
    translator: Translator, made: Sequence[Sample], options: DecodingOptions
) -> list[Translation]:
    """Return the translations of sentences of both directions, in order."""
    found: dict[int, Translation] = {}
    for source, target in PAIRS:
        own = [n for n, one in enumerate(made) if (one.source, one.target) == (source, target)]
        texts = [made[number].text for number in own]
        wanted = TextOptions(source=source, target=target, decoding=options)
        answers = translate_texts(translator, texts, wanted)
        found |= dict(zip(own, answers, strict=True))
    return [found[number] for number in range(len(made))]


def judged(one: Sample, once: Translation, answer: Translation) -> set[str]:
    """Return the columns of the table that count a sentence."""
    flags = {*answer.flags}
    columns = {
        "sentences": True,
        "once": bool(faults(one.quantities, once.text, one.units)),
        "silent": bool(faults(one.quantities, answer.text, one.units)) and not flags & WRONG,
        "flagged": bool(flags & WRONG),
        "again": "retried" in flags,
    }
    return {column for column, counts in columns.items() if counts}


def print_references(prefix: Path) -> None:
    """Print how many pairs of a development set the check would flag."""
    sides = [Path(f"{prefix}.{language}").read_text(encoding="utf-8") for language in PAIRS[0]]
    pairs = list(zip(*(side.splitlines() for side in sides), strict=True))
    protected = (protect_pair(german, english, 8) for german, english in pairs)
    flagged = sum(disagreement(*pair, PAIRS[0]) != AGREED for pair in protected)
    print(f"\n{prefix.name}: {flagged} of {len(pairs)} pairs ({flagged / len(pairs):.2%}) flagged")


if __name__ == "__main__":
    main()
