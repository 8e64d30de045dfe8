"""A sentence as chunks of ids, and back: the steps `protect`, `normalise`, `cut` and `encode`.

`chunks_of` leads down, `sentence_of` back up. `translator.text` shows the whole way.
"""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from translator.detection.own_words import is_in_target
from translator.errors import InputError
from translator.rules.capitals import ordinary_case
from translator.rules.formatting import format_numbers
from translator.rules.normalisation import Normalised, denormalise, normalise
from translator.rules.signs import with_currencies
from translator.text.characters import has_letters, has_spaces, is_readable
from translator.text.lone_numbers import follow_language_alone
from translator.text.protection import Protected, protect, without_accelerator
from translator.text.span_cuts import CLAUSE_END
from translator.text.spans import Span
from translator.text.wrapping import rewrap, unwrap
from translator.tokens.port import Vocabulary


@dataclass(frozen=True, slots=True)
class Chunk:
    """What the model reads at once: a sentence, or one part of a sentence that was cut.

    Attributes:
        source_ids: tag, pieces, EOS; empty if there is nothing to translate.
        protected: the text, and what its placeholders stand for.
        trailing: comes back behind it, as it is.
        denormalise: gives a translation the case of the sentence.
        languages: codes of the text's and the translation's; empty where nobody has said it.
        label_ids: what the model may read instead, if that is a word which it knows better with
            another first letter.
    """

    source_ids: tuple[int, ...]
    protected: Protected
    trailing: str
    denormalise: Callable[[str], str]
    languages: tuple[str, str]
    label_ids: tuple[int, ...] = ()
    _written: dict[str, str] = field(default_factory=dict, init=False, compare=False, repr=False)

    def restore(self, translation: str | None) -> str:
        """Return what takes the place of this chunk; None stands for the text itself.

        Of that, only a number that stands alone is written as the language wanted writes it.
        """
        if translation is None:
            text = follow_language_alone(self.protected.text, self.languages)
            if text != self.protected.text:
                text = with_currencies(text, text, self.languages)
            return self.protected.restore(text) + self.trailing
        return self.protected.restore(self.written(translation)) + self.trailing

    def written(self, translation: str) -> str:
        """Return a translation as its language writes it, still with placeholders.

        The check of its numbers asks first, and then who puts it into its place.
        """
        if translation not in self._written:
            joined = self.protected.joined(translation)
            formatted = format_numbers(joined, self.protected.sentence(), self.languages)
            self._written[translation] = self.denormalise(formatted)
        return self._written[translation]


def chunks_of(
    sentence: str,
    tokenizer: Vocabulary,
    target: str,
    max_ids: int,
    known: Sequence[Span] = (),
    source: str = "",
) -> Iterator[Chunk]:
    """Yield what the model is to read of a sentence; one of several lines is read as one.

    A sentence of which the vocabulary can read no word stays as it is, and so does one that is in
    the language wanted already.

    Args:
        sentence: with a letter.
        tokenizer: of the model.
        target: language code.
        max_ids: the most source ids of a chunk, tag and EOS included.
        known: spans of the sentence that must come back verbatim, in order, found by somebody else;
            those that can be told by their looks are found here.
        source: language code of the sentence; without it, numbers stay as the model writes them.

    Raises:
        InputError: the text is not valid Unicode.
    """
    languages = (source, target)
    line, known = unwrap(sentence, known)
    if not is_readable(line, tokenizer.alphabet) or is_in_target(line, source, target):
        yield Chunk((), Protected(line), "", str, languages)
        return
    parts = protect(line, tokenizer.num_placeholders, known, tokenizer.alphabet, source)
    parts = [part.with_ordinals(target) for part in parts]
    if "&" in line and len(parts) == 1:
        parts = [without_accelerator(parts[0], tokenizer.log_prob)]
    texts = [part.text for part in parts]
    for protected, normalised in zip(
        parts, normalise(texts, source, tokenizer.log_prob, target), strict=True
    ):
        yield from _encode(protected, normalised, tokenizer, languages, max_ids)


def _encode(
    protected: Protected,
    normalised: Normalised,
    tokenizer: Vocabulary,
    languages: tuple[str, str],
    max_ids: int,
) -> Iterator[Chunk]:
    def encode(text: str) -> list[int]:
        read = protected.apart(text, languages[0], tokenizer.log_prob)
        return tokenizer.encode_source(read, languages[1], languages[0])

    text = normalised.text
    if tokenizer.rewrites:
        text = tokenizer.rewrites.apply(text, *languages)
    with_case = partial(
        denormalise,
        case=normalised.case,
        log_prob=tokenizer.log_prob,
        shouted=normalised.shouted,
        target=languages[1],
    )
    whole, cuts = encode(text), [text]
    if len(whole) > max_ids:
        # some ids of the limit are the tag and EOS, one may be a piece that the cut splits
        frame = sum(tokenizer.frame)
        cuts = cut_long(text, lambda part: len(encode(part)) - frame, max(max_ids - frame - 1, 1))
    after = normalised.emoji + protected.trailing
    for number, cut in enumerate(cuts, start=1):
        inner = cut.rstrip()
        trailing = cut[len(inner) :] + (after if number == len(cuts) else "")
        ids: list[int] = []
        if has_letters(inner):
            ids = whole if inner == text else encode(inner)
        other = tuple(encode(normalised.label)) if normalised.label else ()
        yield Chunk(tuple(ids), protected.within(inner), trailing, with_case, languages, other)


def sentence_of(sentence: str, chunks: Sequence[Chunk], translations: Sequence[str | None]) -> str:
    """Return the translation of a sentence, in as many lines; the way back of `chunks_of`."""
    pairs = zip(chunks, translations, strict=True)
    return rewrap("".join(chunk.restore(text) for chunk, text in pairs), sentence)


class Prefix(NamedTuple):
    """What the translation of a chunk begins with.

    Attributes:
        ids: its pieces.
        text: of them, with placeholders.
        ends_word: whether a letter or a digit behind it would make its last word another one.
    """

    ids: tuple[int, ...]
    text: str
    ends_word: bool


def beginning(
    chunk: Chunk, prefix: str, tokenizer: Vocabulary, max_ids: int
) -> tuple[Chunk, Prefix]:
    """Return a chunk whose translation begins with whole words, and these as the model writes them.

    They have the case that they are given in, unless the whole sentence and they are in capitals.
    White space does not matter. The chunk is all of its sentence that is translated.

    Raises:
        InputError: the prefix would not come out as it is, or has more than `max_ids` pieces.
    """
    wanted = text = unicodedata.normalize("NFC", " ".join(prefix.split()))
    if any(unicodedata.category(character) == "Cc" for character in wanted):
        raise InputError(f"prefix: {wanted!r} has control characters")
    if chunk.denormalise(text) != text:
        chunk = dataclasses.replace(chunk, denormalise=str)
    elif text.isupper() and chunk.denormalise(text.lower()) == text:
        text = ordinary_case(text, chunk.languages[1], tokenizer.log_prob)
    for name, span in zip(chunk.protected.placeholders, chunk.protected.spans, strict=True):
        text = text.replace(span, name, 1)
    ids = tuple(tokenizer.encode(text))
    text = tokenizer.decode(ids)
    restored = chunk.restore(text)
    if not restored.startswith(wanted):
        raise InputError(f"prefix: {wanted!r} would come out as {restored!r}")
    if len(ids) > max_ids:
        raise InputError(f"prefix: may have {max_ids} pieces of words, has {len(ids)}")
    return chunk, Prefix(ids, text, wanted[-1:].isalnum() and has_spaces(chunk.languages[1]))


_SPACE = re.compile(r"\s+")


def cut_long(sentence: str, num_tokens: Callable[[str], int], max_tokens: int) -> list[str]:
    """Cut a sentence that is too long for the model into parts that are not.

    A cut is made after clause punctuation if there is some beyond the first third of what fits,
    otherwise at white space, otherwise anywhere between two characters. White space stays at the
    end of the part before it.

    Args:
        sentence: any text.
        num_tokens: counts the tokens of a text; called on all of `sentence` once, then on parts.
        max_tokens: the most tokens a part may have.

    Returns:
        parts that concatenate to `sentence`. Each has at most `max_tokens` tokens, unless a single
        character has more.

    Raises:
        ValueError: if `max_tokens` is less than 1.
    """
    if max_tokens < 1:
        raise ValueError(f"max_tokens: must be at least 1, got {max_tokens}")
    if num_tokens(sentence) <= max_tokens:
        return [sentence]
    parts = []
    start = 0
    while start < len(sentence):
        end = _longest_fit(sentence, start, num_tokens, max_tokens)
        if end < len(sentence):
            end = _best_cut(sentence, start, end, num_tokens, max_tokens)
        parts.append(sentence[start:end])
        start = end
    return parts


def _longest_fit(text: str, start: int, num_tokens: Callable[[str], int], max_tokens: int) -> int:
    """Return the largest end for which `text[start:end]` fits, at least `start + 1`; bisection."""
    low, high = start + 1, min(len(text), start + 4 * max_tokens)
    while num_tokens(text[start:high]) <= max_tokens:
        if high == len(text):
            return high
        low, high = high, min(len(text), start + 2 * (high - start))
    while high - low > 1:
        middle = (low + high) // 2
        if num_tokens(text[start:middle]) <= max_tokens:
            low = middle
        else:
            high = middle
    return low


def _best_cut(
    text: str, start: int, end: int, num_tokens: Callable[[str], int], max_tokens: int
) -> int:
    """Return where to cut `text[start:]`, at most at `end`, which is known to fit."""
    gap = _SPACE.match(text, end, 2 * end - start)  # bounded, so that the total stays linear
    limit = gap.end() if gap else end
    clauses = [m.end() for m in CLAUSE_END.finditer(text, start + (end - start) // 3, limit)]
    spaces = [m.end() for m in _SPACE.finditer(text, start, limit)]
    unbroken = end
    while unbroken > start and _joins(text[unbroken - 1], text[unbroken]):
        unbroken -= 1
    for cut in (*clauses[:-3:-1], *spaces[:-3:-1], unbroken):
        if start < cut < len(text) and num_tokens(text[start:cut]) <= max_tokens:
            return cut
    return end


def _joins(left: str, right: str) -> bool:
    """Return whether two neighbouring characters are seen as one (accents, joined emoji)."""
    return (
        unicodedata.category(right).startswith("M")
        or "\u200d" in (left, right)
        or "\U0001f3fb" <= right <= "\U0001f3ff"  # skin tones
    )
