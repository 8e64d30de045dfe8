"""`python -m translator attention`: a picture of what the model attends to."""

from __future__ import annotations

import argparse
from pathlib import Path

from translator.alignment.pictures import draw
from translator.alignment.record import KINDS, record_attention
from translator.cli.translate import add_model_arguments, load
from translator.commands import utf8
from translator.errors import InputError
from translator.extras import require_extras
from translator.pipeline.translator import Translator


def add_attention(parser: argparse.ArgumentParser) -> None:
    """Add the flags of this command."""
    add_model_arguments(parser)
    parser.add_argument("text", nargs="+", type=utf8, help="one sentence to translate")
    parser.add_argument(
        "--target-text", type=utf8, help="its translation; the model's own by default"
    )
    parser.add_argument("--output", type=Path, required=True, help="a .png, .svg or .pdf file")
    parser.add_argument(
        "--kind",
        choices=KINDS,
        action="append",
        help="which attention; all three by default; may be repeated",
    )
    parser.add_argument(
        "--layer", type=int, help="number of the layer, from 1; the last by default"
    )
    parser.add_argument(
        "--head", type=int, help="number of the head, from 1; the mean of all by default"
    )
    parser.set_defaults(execute=_attention)


def _attention(options: argparse.Namespace) -> None:
    text, translation = " ".join(options.text), options.target_text
    if not text.strip():
        raise InputError("the text is empty; give a sentence to translate")
    require_extras("matplotlib")  # before a model is loaded and perhaps compiled
    chosen = load(options)
    source, target = chosen.source, chosen.target
    with chosen.translator as translator:
        if not isinstance(translator, Translator):
            raise InputError(f"no single model translates {source} to {target}; name another pair")
        if translation is None:
            [answer] = translator.translate([text], source=source, target=target)
            translation = answer.text
        record = record_attention(
            translator.reference.get(),
            translator.tokenizer,
            source=text,
            target=translation,
            target_language=target,
            source_language=source,
        )
    kinds = options.kind or KINDS
    draw([record.select(kind, options.layer, options.head) for kind in kinds], options.output)
    print(f"{options.output}: {text} → {translation}")
