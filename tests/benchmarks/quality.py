"""Models beside each other, and beside copying the source, on all test parts of a recipe.

    python -m tests.benchmarks.quality [MODEL …] --data FOLDER [--recipe RECIPE]

Prints cased BLEU and chrF with the settings each model is served with. Of the first model also:
what it has in float32, if it is served in int8, how many translations are the same, and how many
are flagged, or were until a second search mended them; with `--ctranslate2` the same of
CTranslate2's int8.
"""

from __future__ import annotations

import argparse
import tempfile
from contextlib import ExitStack
from pathlib import Path

from tests.benchmarks.arguments import print_header, print_row, results_parser
from tests.benchmarks.ctranslate2_engine import load_in_ctranslate2
from tests.benchmarks.results import results
from training.data.corpus import load_catalogue
from training.recipe import load_recipe
from training.stages.evaluation import bleu_and_chrf, score
from training.stages.preparation import Preparation
from translator.config import Precision
from translator.pipeline.translation import Translation
from translator.pipeline.translator import DEFAULT_MODEL, Translator

RECIPE = Path("training/recipes/de-en-general.toml")


def main() -> None:
    """Print the table."""
    parser = results_parser(__doc__)
    parser.add_argument("models", nargs="*", type=Path, default=[DEFAULT_MODEL])
    parser.add_argument("--data", type=Path, help="folder with the recipe's corpora")
    parser.add_argument("--recipe", type=Path, default=RECIPE)
    parser.add_argument("--count", type=int, help="sentences of each part; all by default")
    parser.add_argument("--ctranslate2", action="store_true", help="the first model in it, too")
    options = parser.parse_args()
    with results(options.write, "quality"):
        compare(options)


def compare(options: argparse.Namespace) -> None:
    """Print a row for each test part and direction."""
    first, *others = options.models
    columns = [f"{first.name}, float32", "same", *(model.name for model in others)]
    if options.ctranslate2:
        columns += ["CTranslate2, int8", "CTranslate2, float32", "same"]
    print_header("test part", "copy", first.name, "repaired", "flagged", *columns)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        served = stack.enter_context(Translator.load(first))
        beside = [stack.enter_context(Translator.load(first, precision="float32"))]
        beside += [stack.enter_context(Translator.load(model)) for model in others]
        precisions: list[Precision] = ["int8", "float32"] if options.ctranslate2 else []
        peer = [stack.enter_context(load_in_ctranslate2(first, own)) for own in precisions]
        recipe = load_recipe(options.recipe)
        text = Preparation(recipe, Path(folder) / "data", options.data, load_catalogue())
        for part in text.test_parts:
            sides = text.sides(part, options.count)
            for direction in part.directions:
                row = _row(served, beside, peer, sides, direction)
                print_row(f"{part.name} {direction}", *row)
    signatures = score(["a"], ["a"], "en").signatures
    print(f"\nBLEU (chrF): {signatures['bleu']}, {signatures['chrf']}")


def _row(
    served: Translator,
    beside: list[Translator],
    peer: list[Translator],
    sides: dict[str, list[str]],
    direction: str,
) -> list[str]:
    source, target = direction.split("-")
    sources, references = sides[source], sides[target]

    def translate(translator: Translator) -> list[Translation]:
        return translator.translate(sources, source=source, target=target)

    def scores(texts: list[str]) -> str:
        found = bleu_and_chrf(texts, references)
        return f"{found['bleu']:.2f} ({found['chrf']:.1f})"

    def same(one: list[Translation], other: list[Translation]) -> str:
        number = sum(mine.text == its.text for mine, its in zip(one, other, strict=True))
        return f"{number / len(one):.1%}"

    answers, in_floats = translate(served), translate(beside[0])
    others, peers = [[translate(one) for one in group] for group in (beside[1:], peer)]
    repaired = sum(answer.flags == ("retried",) for answer in answers)
    flagged = sum(bool({*answer.flags} - {"retried"}) for answer in answers)
    return [
        scores(sources),
        scores([answer.text for answer in answers]),
        f"{repaired / len(answers):.2%}",
        f"{flagged / len(answers):.2%}",
        scores([answer.text for answer in in_floats]),
        same(answers, in_floats),
        *(scores([answer.text for answer in other]) for other in (*others, *peers)),
        *([same(*peers)] if peers else []),
    ]


if __name__ == "__main__":
    main()
