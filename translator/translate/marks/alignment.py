"""Which words of a source the words of its translation come from, by the model's cross-attention.

The attention weights come from a second pass over source and translation, many pairs at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from translator.model.padding import pad, padding_mask
from translator.model.transformer import AttentionWeights, Transformer
from translator.runtime.thread_count import threads_worth
from translator.text.placeholders import symbols
from translator.text.spans import Span
from translator.tokens.tokenizer import WORD_START, Tokenizer

_MOST_IDS = 500  # of a batch, padding included: what it computes stays in the cache
_LONGEST_SENTENCE = 400  # ids; attention to more takes much memory


class Readable(NamedTuple):
    """A sentence as the model reads it: each span is one placeholder, or its visible text.

    Attributes:
        text: for the model.
        starts: pairs of offsets, into the sentence and into `text`, that belong together; rising.
    """

    text: str
    starts: tuple[Span, ...]

    def offset_of(self, place: int) -> int:
        """Return where a place of the sentence is in `text`."""
        return _moved(place, self.starts)

    def place_of(self, offset: int) -> int:
        """Return where an offset into `text` is in the sentence."""
        return _moved(offset, [(second, first) for first, second in self.starts])


@dataclass(frozen=True, slots=True)
class Alignment:
    """How much each piece of a translation attends to each piece of its source.

    Attributes:
        weights: (T, S), rows for the pieces of the translation.
        source: where each piece of the source is in the text that the model read.
        target: the same for the translation.
    """

    weights: npt.NDArray[np.float32]
    source: tuple[Span, ...]
    target: tuple[Span, ...]


def readable(sentence: str, shown: Sequence[tuple[Span, str]]) -> Readable:
    """Return a sentence with a few of its spans shown in another way.

    Args:
        sentence: any.
        shown: spans in order, and what the model reads instead of each.
    """
    pieces, starts, done, length = list[str](), [(0, 0)], 0, 0
    for (start, end), text in shown:
        pieces += [sentence[done:start], text]
        length += start - done
        starts.append((start, length))
        length += len(text)
        starts.append((end, length))
        done = end
    return Readable("".join([*pieces, sentence[done:]]), tuple(starts))


def _moved(place: int, starts: Sequence[Span]) -> int:
    first, second = max((pair for pair in starts if pair[0] <= place), default=(0, 0))
    following = min((other for one, other in starts if one > place), default=None)
    moved = second + place - first
    return moved if following is None else min(moved, following)


def names_of(spans: Sequence[str], tokenizer: Tokenizer) -> dict[str, str]:
    """Return a placeholder for each of some spans, as long as there are any."""
    return dict(zip(dict.fromkeys(spans), symbols(tokenizer.num_placeholders), strict=False))


@torch.inference_mode()
def align(
    model: Transformer,
    tokenizer: Tokenizer,
    pairs: Sequence[tuple[str, str]],
    target_language: str,
    while_waiting: Callable[[], None] = lambda: None,
) -> list[Alignment | None]:
    """Return the alignment of each pair of source and translation; None for one that is too long.

    Args:
        model: in evaluation mode.
        tokenizer: of that model.
        pairs: sentences as the model reads them.
        target_language: code of the language of the translations.
        while_waiting: called before each batch.
    """
    encoded = [
        (
            tokenizer.encode_source(source, target_language),
            [tokenizer.bos_id, *tokenizer.encode(target)],
        )
        for source, target in pairs
    ]
    found: list[Alignment | None] = [None] * len(pairs)
    for batch in _batches([max(len(src), len(tgt)) for src, tgt in encoded]):
        while_waiting()
        weights = _attention(model, tokenizer, [encoded[number] for number in batch])
        for row, number in enumerate(batch):
            (src, tgt), (source, target) = encoded[number], pairs[number]
            # (T, S) without tag and EOS: the state at a piece, BOS at first, predicts the next one
            own = weights[row, : len(tgt) - 1, 1 : len(src) - 1].numpy()
            found[number] = Alignment(
                own,
                places_of(source, tokenizer.pieces(src[1:-1])),
                places_of(target, tokenizer.pieces(tgt[1:])),
            )
    return found


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    batch: list[int] = []
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        if lengths[number] > _LONGEST_SENTENCE:
            break
        if batch and (len(batch) + 1) * lengths[number] > _MOST_IDS:
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch


def _attention(
    model: Transformer, tokenizer: Tokenizer, pairs: Sequence[tuple[list[int], list[int]]]
) -> Tensor:
    """Return (B, T, S): the last layer's cross-attention, the mean of its heads."""
    device = model.embedding.weight.device
    src = pad([src for src, _ in pairs], tokenizer.pad_id).to(device)
    tgt_in = pad([tgt for _, tgt in pairs], tokenizer.pad_id).to(device)
    src_mask = padding_mask(src, tokenizer.pad_id)
    weights = AttentionWeights()
    with threads_worth(0):  # one: the engine has the others, and threads that wait are slow
        model.decode(tgt_in, model.encode(src, src_mask), src_mask, weights)
    return weights.cross[-1].float().mean(dim=1).cpu()  # (B, H, T, S) -> (B, T, S)


def places_of(text: str, pieces: Sequence[str]) -> tuple[Span, ...]:
    """Return start and end of each piece in a text; what cannot be found there is empty."""
    places, done = list[Span](), 0
    for piece in pieces:
        bare = piece.replace(WORD_START, " ").strip()
        start = text.find(bare, done, done + len(bare) + 20) if bare else -1
        if start < 0:  # bytes of a rare character, or one that was normalised
            places.append((done, done))
            continue
        done = start + len(bare)
        places.append((start, done))
    return tuple(places)
