"""Models beside each other, and beside copying the source, on all test parts of a recipe.

    python -m tests.benchmarks.quality MODEL [MODEL …] --data FOLDER [--recipe RECIPE]

Prints cased BLEU and chrF with the settings each model is served with. Of the first model also:
what it has in float32, if it is served in int8, and how many translations are flagged, or were
until a second search mended them.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

import sacrebleu

from training.corpus import load_catalogue
from training.preparation import Preparation
from training.recipe import load_recipe
from translator.config import Precision
from translator.pipeline import DEFAULT_MODEL, Translation, Translator

RECIPE = Path("training/recipes/de-en-cpu.toml")
BLEU, CHRF = sacrebleu.BLEU(), sacrebleu.CHRF()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", type=Path, default=[DEFAULT_MODEL])
    parser.add_argument("--data", type=Path, help="folder with the recipe's corpora")
    parser.add_argument("--recipe", type=Path, default=RECIPE)
    parser.add_argument("--count", type=int, help="sentences of each part; all by default")
    options = parser.parse_args()
    names = " | ".join(model.name for model in options.models)
    print(f"| test part | copy | {names} | float32 | repaired | flagged |")
    print("|---|---|" + "---|" * (len(options.models) + 3), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        recipe = load_recipe(options.recipe)
        text = Preparation(recipe, Path(folder) / "data", options.data, load_catalogue())
        for part in text.test_parts:
            sides = text.sides(part, options.count)
            for direction in part.directions:
                source, target = direction.split("-")
                row = _row(options.models, sides[source], sides[target], direction)
                print(f"| {part.name} {source}→{target} | " + " | ".join(row) + " |", flush=True)
    print(f"\nBLEU (chrF): {BLEU.get_signature()}, {CHRF.get_signature()}")


def _row(
    models: list[Path], sources: list[str], references: list[str], direction: str
) -> list[str]:
    first, *others = models
    answers = _translate(first, sources, direction)
    exact = _translate(first, sources, direction, "float32")
    repaired = sum(answer.flags == ("retried",) for answer in answers)
    flagged = sum(bool({*answer.flags} - {"retried"}) for answer in answers)
    return [
        _scores(sources, references),
        _scores([answer.text for answer in answers], references),
        *(
            _scores([answer.text for answer in _translate(model, sources, direction)], references)
            for model in others
        ),
        _scores([answer.text for answer in exact], references),
        f"{repaired / len(answers):.2%}",
        f"{flagged / len(answers):.2%}",
    ]


def _translate(
    model: Path, sources: list[str], direction: str, precision: Precision = "auto"
) -> list[Translation]:
    source, target = direction.split("-")
    with Translator.load(model, precision=precision) as translator:
        return translator.translate(sources, source=source, target=target)


def _scores(texts: Sequence[str], references: Sequence[str]) -> str:
    bleu = BLEU.corpus_score(texts, [references]).score
    return f"{bleu:.2f} ({CHRF.corpus_score(texts, [references]).score:.1f})"


if __name__ == "__main__":
    main()
