"""A small model with a recurrent decoder beside one with self-attention, here and in CTranslate2.

    python -m tests.benchmarks.recurrent_decoder [--unit avx2] [--sentences 300] [--write PAGE]

All three have the sizes of Bergamot's "tiny" models, random weights in int8, one thread, and the
same sources; every translation has 25 pieces. CTranslate2 has no recurrent unit, so it runs the
decoder of the paper. It has no shortlist of the sentence's own either: nobody has one here. With
`--unit`, all are held to the same instructions. The three take turns, and medians are told. It
takes two minutes in a quiet minute.
"""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from collections.abc import Callable

import torch

from tests.benchmarks.arguments import print_header, print_row, results_parser
from tests.benchmarks.decoding.contenders import Contender, CTranslate2Contender, TorchContender
from tests.benchmarks.decoding.report import PEERS_HELD_TO, alternate
from tests.benchmarks.decoding.subject import FORMS, Subject, random_subject
from tests.benchmarks.results import results
from tests.checkout import ROOT
from translator.model.transformer import make_model
from translator.runtime.kernels.unit import hold_to, unit

FORM = "bergamot-tiny"
HELD = "RECURRENT_DECODER_HELD"
"""Set in the child that is held to a unit."""

REPEATS = 5
SINGLE = 40
"""Sentences that are translated one at a time."""


def recurrent(subject: Subject) -> Subject:
    """Return the same with an SSRU in the place of the decoder's self-attention."""
    torch.manual_seed(0)
    config = dataclasses.replace(FORMS[FORM], decoder="ssru", norm="post")
    return dataclasses.replace(subject, model=make_model(config).eval())


def measure(num_sentences: int) -> None:
    """Print a row for each way to ask."""
    torch.set_num_threads(1)
    subject = random_subject(FORM, num_sentences)
    contenders: list[Contender] = [
        TorchContender(recurrent(subject), 1),
        TorchContender(subject, 1),
        CTranslate2Contender(subject, 1),
    ]
    singles, corpus = subject.sources[:SINGLE], subject.sources
    ways: dict[str, tuple[int, Callable[[Contender], int]]] = {
        "one at a time": (
            len(singles),
            lambda one: sum(one.translate_batch([ids], 1) for ids in singles),
        ),
        f"{len(corpus)} at once": (len(corpus), lambda one: one.translate_corpus(corpus, 1)),
        f"{len(corpus)} at once, beam 5": (
            len(corpus),
            lambda one: one.translate_corpus(corpus, 5),
        ),
    }
    print_header(
        *("sentences", "ours, SSRU: sentences/s", "ours, self-attention", contenders[2].name),
        *("SSRU to self-attention", "SSRU to CTranslate2"),
    )
    for name, (count, work) in ways.items():
        seconds, _ = alternate(contenders, work, REPEATS)
        print_row(
            name,
            *(f"{count / each:.0f}" for each in seconds),
            f"{seconds[1] / seconds[0]:.2f}×",
            f"{seconds[2] / seconds[0]:.2f}×",
        )
    print(f"\n{unit().name}, one thread")


def main() -> None:
    """Measure, in a child that is held to a unit if one is named."""
    parser = results_parser(__doc__)
    parser.add_argument("--unit", choices=[*PEERS_HELD_TO], help="the CPU's best by default")
    parser.add_argument("--sentences", type=int, default=300)
    options = parser.parse_args()
    if options.unit and HELD not in os.environ:
        held = {**PEERS_HELD_TO[options.unit], HELD: options.unit, "OMP_NUM_THREADS": "1"}
        command = [sys.executable, "-m", "tests.benchmarks.recurrent_decoder", *sys.argv[1:]]
        sys.exit(subprocess.run(command, cwd=ROOT, env={**os.environ, **held}).returncode)
    if options.unit:
        hold_to(options.unit)
    with results(options.write, "recurrent-decoder"):
        measure(options.sentences)


if __name__ == "__main__":
    main()
