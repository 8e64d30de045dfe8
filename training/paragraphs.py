"""The network that finds the paragraphs of PDF, from tagged files, which tell what is one.

    python -m training.paragraphs FILE.pdf...

Give files from many programs, and in as many languages and layouts as are to be read. Prints how
many decisions are right on files that were not trained on, for five parts of them in turn, and
writes the weights where the reader of PDF has its own. Those were trained on 505 public files that
Word, InDesign, Chrome, LibreOffice and others had written, on 404 files of Word and PowerPoint that
LibreOffice wrote, and on 110 public pages and 700 made ones (tables, forms, code) that Chrome did.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np
import pypdfium2
import safetensors.numpy
import torch
from torch import Tensor, nn

from translator.commands import CommandParser, run_command
from translator.documents.pdf import joins
from translator.documents.pdf import thresholds as by
from translator.documents.pdf.blocks import Block, blocks_of
from translator.documents.pdf.forms import without_forms
from translator.documents.pdf.lines import Line
from translator.documents.pdf.reading import contents_of
from translator.documents.pdf.runs import FROM_THE_RIGHT, Box, Run, untold
from translator.documents.pdf.structure import is_tagged
from translator.errors import InputError

MOST_PAGES = 6
"""Of a file, so that no long one outweighs the others."""

HIDDEN, NUM_EPOCHS, BATCH_SIZE = (64, 32), 40, 256
LEARNING_RATE, WEIGHT_DECAY, DROPOUT = 5e-3, 0.05, 0.2
NUM_FOLDS = 5

SURE = 3.0
"""Log odds: an example that a network of other files contradicts so surely is told wrongly."""


class Example(NamedTuple):
    """A line below a paragraph: the file, what can be measured, and whether it goes on."""

    file: str
    features: Sequence[float]
    goes_on: bool


def main(arguments: list[str] | None = None) -> int:
    """Train on the files that are given; return the exit code."""
    parser = CommandParser(
        prog="python -m training.paragraphs", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    own = Path(joins.__file__).with_name(joins.WEIGHTS)
    parser.add_argument("--out", type=Path, default=own, help="file for the weights")
    parser.set_defaults(execute=_train)
    return run_command(parser, arguments)


def _train(options: argparse.Namespace) -> None:
    examples = [
        Example(path.name, *example)
        for path in options.files
        for runs, drawn in tagged_pages(path)
        for example in examples_of(runs, drawn)
    ]
    if not examples:
        raise InputError("none of the files is a PDF whose tags tell paragraphs of text")
    likely = _of_others(examples)
    is_right = (likely > 0) == _labels(examples).bool()
    print(f"{len(examples)} examples; {is_right.double().mean():.2%} right of files not trained on")
    examples = [
        one
        for one, right, sure in zip(examples, is_right, likely.abs() > SURE, strict=True)
        if right or not sure
    ]
    options.out.write_bytes(safetensors.numpy.save(trained(examples).weights()))


def _of_others(examples: Sequence[Example]) -> Tensor:
    """Return for each example what a network says that was trained on other files: (examples,)."""
    likely = torch.zeros(len(examples))
    folds = [crc32(one.file.encode()) % NUM_FOLDS for one in examples]
    for fold in {*folds}:
        rest = [place for place, own in enumerate(folds) if own == fold]
        others = [one for one, own in zip(examples, folds, strict=True) if own != fold]
        if others:
            likely[rest] = trained(others)(_inputs([examples[place] for place in rest])).detach()
    return likely


def tagged_pages(path: Path) -> Iterator[tuple[Sequence[Run], Sequence[Box]]]:
    """Yield what is shown and drawn on the first pages of a file; nothing of one without tags."""
    data = without_forms(path.read_bytes())
    if not is_tagged(data):
        return
    document = pypdfium2.PdfDocument(data)
    for number in range(min(len(document), MOST_PAGES)):
        runs, drawn, *_ = contents_of(document[number], has_tags=True)
        yield runs, drawn


def examples_of(
    runs: Sequence[Run], drawn: Sequence[Box]
) -> Iterator[tuple[Sequence[float], bool]]:
    """Yield what can be measured of each line below a paragraph, and whether it belongs to that.

    Lines of which the file tells nothing, or of several paragraphs, are left out, and pages whose
    lines begin at the right. Where the next word had had much room, a line was broken by hand,
    and what does not begin with a small letter there is another text.
    """
    if FROM_THE_RIGHT.search("".join(run.text for run in runs)):
        return
    told = {run.number: run.paragraph for run in runs}
    found = list[tuple[Sequence[float], bool]]()

    def paragraph_of(line: Line) -> int:
        own = {told[run.number] for run in line.runs if run.text.strip()}
        return own.pop() if len(own) == 1 else 0

    def choose(above: Sequence[Block], line: Line, around: joins.Surroundings) -> Block | None:
        chosen, own = None, paragraph_of(line)
        for block in above:
            last = block.lines[-1]
            is_told = own == paragraph_of(last) != 0
            if is_told and chosen is None:
                chosen = block
            if not (own and paragraph_of(last)):
                continue
            like = (one for one in around.overlapping(last) if paragraph_of(one) == own)
            end = max((one.right for one in like), default=line.right)
            room = end - last.right - line.first_word
            is_by_hand = room > by.BY_HAND * line.size and not line.text[:1].islower()
            features = around.features(block.lines, line)
            found.append((features, is_told and not is_by_hand))
        return chosen

    blocks_of([*map(untold, runs)], drawn, choose)
    yield from found


class Network(nn.Module):
    """Layers with ReLU between them, over deviations from the mean."""

    def __init__(self, inputs: Tensor) -> None:
        """Take the inputs that it will be trained on, (examples, inputs)."""
        super().__init__()
        self.mean, self.deviation = inputs.mean(0), inputs.std(0) + 1e-3
        layers = list[nn.Module]()
        for num_in, num_out in itertools.pairwise((inputs.shape[1], *HIDDEN, 1)):
            layers += [nn.Linear(num_in, num_out), nn.ReLU(), nn.Dropout(DROPOUT)]
        self.layers = nn.Sequential(*layers[:-2])

    def forward(self, inputs: Tensor) -> Tensor:
        """Return the log odds that lines go on: (examples,)."""
        deviations = (inputs - self.mean) / self.deviation
        log_odds: Tensor = self.layers(deviations.clamp(-joins.FARTHEST, joins.FARTHEST))
        return log_odds[:, 0]

    def weights(self) -> dict[str, joins.Vector]:
        """Return the weights by the names that are read, in half of the precision."""
        weights = {"mean": self.mean, "deviation": self.deviation}
        linear = (layer for layer in self.layers if isinstance(layer, nn.Linear))
        for number, layer in enumerate(linear):
            weights |= {f"{number}.weight": layer.weight, f"{number}.bias": layer.bias}
        return {name: value.detach().numpy().astype(np.float16) for name, value in weights.items()}


def trained(examples: Sequence[Example]) -> Network:
    """Return a network that was trained on examples; those of long files count less."""
    torch.manual_seed(1)
    inputs, labels = _inputs(examples), _labels(examples)
    counts = Counter(one.file for one in examples)
    weights = torch.tensor([1 / math.sqrt(counts[one.file]) for one in examples])
    network = Network(inputs)
    optimizer = torch.optim.AdamW(network.parameters(), weight_decay=WEIGHT_DECAY)
    num_steps = NUM_EPOCHS * math.ceil(len(examples) / BATCH_SIZE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, LEARNING_RATE, num_steps)
    for _ in range(NUM_EPOCHS):
        for batch in torch.split(torch.randperm(len(examples)), BATCH_SIZE):
            losses = nn.functional.binary_cross_entropy_with_logits(
                network(inputs[batch]), labels[batch], weights[batch], reduction="sum"
            )
            optimizer.zero_grad()
            torch.autograd.backward(losses / weights[batch].sum())
            optimizer.step()
            schedule.step()
    return network.eval()


def _inputs(examples: Sequence[Example]) -> Tensor:
    return torch.from_numpy(joins.inputs([one.features for one in examples]))


def _labels(examples: Sequence[Example]) -> Tensor:
    return torch.tensor([float(one.goes_on) for one in examples])


if __name__ == "__main__":
    sys.exit(main())
