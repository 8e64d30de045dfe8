"""A sentence as the model gets it, and the way back from what the model says.

What is not language becomes placeholders, emoji are taken out, capitals become small letters, and
what is longer than the model has seen is cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from translator import text as segmentation
from translator.characters import WINDOWS, plain, take_out_emoji
from translator.placeholders import Protected, protect, span_places
from translator.tokenizer import Tokenizer
from translator.wrapping import unwrap, wrapped_lines


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence, or one part of an overlong one.

    Attributes:
        source_ids: tag, pieces, EOS; empty if there is nothing to translate.
        protected: the text, and what its placeholders stand for.
        trailing: comes back behind it, as it is.
        in_capitals: whether the sentence was, and its translation is to be.
    """

    source_ids: tuple[int, ...]
    protected: Protected
    trailing: str
    in_capitals: bool

    def restore(self, translation: str | None) -> str:
        """Return what takes the place of this part; None stands for the text itself."""
        text = self.protected.text if translation is None else translation.translate(WINDOWS)
        if self.in_capitals:
            text = text.upper()
        return self.protected.restore(text) + self.trailing


def parts_of(sentence: str, tokenizer: Tokenizer, target: str, max_ids: int) -> Iterator[Part]:
    """Yield what is to be translated of a sentence.

    One of several lines is read as one, or line by line if it has more spans that are not language
    than there are placeholders.

    Args:
        sentence: with a letter.
        tokenizer: of the model.
        target: language code.
        max_ids: the most source ids a part may have, tag and EOS included.

    Raises:
        InputError: the text is not valid Unicode.
    """
    one_line = unwrap(sentence)
    if one_line != sentence and 0 < tokenizer.num_placeholders < len(span_places(one_line)):
        for line, gap in wrapped_lines(sentence):
            *parts, last = parts_of(line, tokenizer, target, max_ids)
            yield from (*parts, replace(last, trailing=last.trailing + gap))
        return
    protected = protect(one_line, tokenizer.num_placeholders)
    text, emoji = take_out_emoji(protected.text)
    behind, text = f" {emoji}" if emoji else "", plain(text)
    in_capitals = segmentation.is_in_capitals(text)
    text = text.capitalize() if in_capitals else text

    def encode(part: str) -> list[int]:
        return tokenizer.encode_source(protected.apart(part), target)

    whole, pieces = encode(text), [text]
    if len(whole) > max_ids:
        # two ids of the limit are the tag and EOS, one may be a piece that the cut splits
        limit = max(max_ids - 3, 1)
        pieces = segmentation.split_long(text, lambda part: len(encode(part)) - 2, limit)
    for number, piece in enumerate(pieces, start=1):
        inner = piece.rstrip()
        trailing = piece[len(inner) :] + (behind if number == len(pieces) else "")
        ids: list[int] = []
        if segmentation.has_letters(inner):
            ids = whole if inner == text else encode(inner)
        yield Part(tuple(ids), protected.within(inner), trailing, in_capitals)


def source_ids(
    sentences: Iterable[str], tokenizer: Tokenizer, target: str, max_ids: int
) -> list[list[int]]:
    """Return what the encoder is to read of all parts of some sentences; see `parts_of`."""
    parts = (part for text in sentences for part in parts_of(text, tokenizer, target, max_ids))
    return [list(part.source_ids) for part in parts if part.source_ids]
