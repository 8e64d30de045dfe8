"""Other ways to ask a model for the same sentence, in which it can hardly get the numbers wrong.

Stand-ins are short numbers that every model copies; each number comes back in the place of its
stand-in. Placeholders do the same for a model that has learned to carry them. Spaces in brackets
keep what stands there from being lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from translator.pipeline.chunks import Chunk
from translator.rules.writing import MINUS, Replacement, with_ordinals
from translator.text.brackets import with_spaces_in_brackets
from translator.text.placeholders import symbols
from translator.tokens.port import Vocabulary

_DIGIT = re.compile("[0-9]")


@dataclass(frozen=True, slots=True)
class Variant:
    """A chunk with replaced numbers.

    Attributes:
        source_ids: what the model reads.
        numbers: what each stand-in, or placeholder, is to be replaced with.
        target: code of the language wanted.
    """

    source_ids: tuple[int, ...]
    numbers: Mapping[str, str]
    target: str

    def with_numbers(self, translation: str) -> str | None:
        """Return a translation with the numbers; None unless each stand-in is there just once."""
        for stand_in, number in self.numbers.items():
            if stand_in.removeprefix(MINUS).isdigit():
                alone = rf"(?<![0-9])(?<![0-9][.,:/]){stand_in}(?![0-9]|[.,:/][0-9])"
            else:
                alone = re.escape(stand_in)
            parts = re.split(alone, translation)
            if len(parts) != 2:
                return None
            translation = number.join(parts)
        return with_ordinals(translation) if self.target == "en" else translation


def with_brackets_apart(chunk: Chunk, tokenizer: Vocabulary, max_ids: int) -> Iterator[Variant]:
    """Yield the chunk with spaces in all its brackets, if it has been read otherwise."""
    (source, target), text = chunk.languages, chunk.protected.text
    read = chunk.protected.apart(
        with_spaces_in_brackets(text, are_all=True), source, tokenizer.log_prob
    )
    ids = tuple(tokenizer.encode_source(read, target, source))
    if ids != chunk.source_ids and len(ids) <= max_ids:
        yield Variant(ids, {}, target)


def variants_of(
    chunk: Chunk, found: Sequence[Replacement], tokenizer: Vocabulary, max_ids: int
) -> Iterator[Variant]:
    """Yield the ways to ask for a chunk, the best first.

    Args:
        chunk: of a sentence.
        found: its numbers, in order, and what to write instead.
        tokenizer: of the model.
        max_ids: the most source ids of a chunk.
    """
    if not found:
        return
    text, (source, target) = chunk.protected.text, chunk.languages
    free = [name for name in symbols(tokenizer.num_placeholders) if name not in text]
    ways = [[one.stand_in for one in found]]
    if len(found) <= len(free):
        has_names = any(_DIGIT.search(one.whole) is None for one in found)
        ways.insert(0 if has_names else 1, free[: len(found)])
    for names in ways:
        has_stand_ins = names[0] not in free
        read = chunk.protected.apart(_replaced(text, found, names), source, tokenizer.log_prob)
        ids = tokenizer.encode_source(read, target, source)
        numbers = {
            name: one.written if has_stand_ins and one.written is not None else one.whole
            for name, one in zip(names, found, strict=True)
            if not has_stand_ins or one.written is not None
        }
        if len(ids) <= max_ids:
            yield Variant(tuple(ids), numbers, target)


def _replaced(text: str, found: Sequence[Replacement], names: Sequence[str]) -> str:
    pieces, done = list[str](), 0
    for one, name in zip(found, names, strict=True):
        pieces += [text[done : one.start], name]
        done = one.end
    return "".join([*pieces, text[done:]])
