"""What a trainer works on, and the batches that it reads of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from training.config import TrainingConfig
from training.data.encoded import EncodedCorpus
from training.data.loader import StepBatches, StepPlan, load
from training.data.on_device import DeviceText, Shapes, load_rows
from training.data.sampler import BatchSampler, Share
from translator.model.embedding import Embedding
from translator.model.positions import FEW_POSITIONS
from translator.model.transformer import Transformer
from translator.tokens.tokenizer import Tokenizer

DevScorer = Callable[[Mapping[str, Tensor]], dict[str, float]]


@dataclass(frozen=True, kw_only=True, slots=True)
class TrainerInputs:
    """What a trainer works on.

    Attributes:
        model: freshly initialised, or to be fine-tuned.
        tokenizer: gives the special ids.
        train: pairs to learn from.
        dev: pairs whose loss is watched.
        score_dev: translates the dev set with given weights and returns `bleu` and `chrf`.
        shares: how often the parts of `train` are seen; all alike if None.
    """

    model: Transformer
    tokenizer: Tokenizer
    train: EncodedCorpus
    dev: EncodedCorpus
    score_dev: DevScorer
    shares: list[Share] | None = None

    def shapes(self, config: TrainingConfig) -> Shapes | None:
        """Return the shapes of batches that are gathered on a device.

        There are none if words are split anew each time: their number is known too late. The model
        gets all positions that are met, since to compute them on the way would hold up the device.
        """
        if self.train.is_resampled:
            return None
        tables = [module for module in self.model.modules() if isinstance(module, Embedding)]
        learned = [len(t.position_table) - t.config.position_offset for t in tables if t.is_learned]
        most = min(learned, default=None)
        shapes = Shapes.fitting(self.train.lengths, config.max_batch_tokens, most)
        if shapes.widths[-1] > FEW_POSITIONS:
            for table in tables:
                table.make_positions(shapes.widths[-1])
        return shapes

    def sampler(self, config: TrainingConfig, seed: int, shapes: Shapes | None) -> BatchSampler:
        """Return what chooses the pairs of each batch, in `shapes` if there are any."""
        group = shapes.group if shapes else None
        return BatchSampler(self.train.lengths, config.max_batch_tokens, seed, self.shares, group)

    def steps(
        self,
        step_plans: Iterator[StepPlan],
        device: torch.device,
        shapes: Shapes | None,
        workers: int,
    ) -> Iterator[StepBatches]:
        """Yield the batches of each plan: gathered on the device if they have `shapes`."""
        pad_id, bos_id = self.tokenizer.pad_id, self.tokenizer.bos_id
        if shapes:
            text = DeviceText(self.train, shapes, device, pad_id=pad_id, bos_id=bos_id)
            return load_rows(text, step_plans)
        multiple_of = 1 if device.type == "cpu" else 8
        return load(
            self.train, self.tokenizer, step_plans, multiple_of=multiple_of, workers=workers
        )
