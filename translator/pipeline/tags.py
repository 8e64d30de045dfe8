"""The steps of a model: `words` says where each word is from, `tags` takes marks out and back.

`words` also says how sure each word is.
"""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from translator.alignment.places import find_places
from translator.alignment.readable import readable_pair
from translator.alignment.regions import Mark, Region, Taken, regions_of, take_out, with_tokens
from translator.alignment.words import translated_words
from translator.documents.markup.inline import TOKEN, Item, inline_of, paired
from translator.pipeline.options import MarkMethod
from translator.pipeline.steps import BringUp, ModelStep, Question
from translator.pipeline.translation import SentenceTranslation
from translator.text.marked import MarkedText
from translator.text.spans import Span, find_spans, span_at

if TYPE_CHECKING:
    from translator.alignment.alignment import Aligner, Alignment
    from translator.deadline import Deadline

_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][\w:-]*)[^<>]{0,300}>")
_SPACES = re.compile(r"\s+")
_ADDRESS = re.compile(
    r"(?:https?|ftp)://[^\s<>\"”“»«)\]}]*[\w/]|\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}\b"
)


class Words(ModelStep):
    """Says of each word of a translation where it comes from."""

    name = "words"
    has_log_probs = True

    def take_down(self, text: MarkedText) -> tuple[MarkedText, BringUp | None]:
        """Return the text as it is."""
        end, tokenizer = 0, self.aligner.tokenizer

        def bring_up(sentence: SentenceTranslation) -> SentenceTranslation | Question:
            nonlocal end
            start = end + len(sentence.separator)
            end = start + len(sentence.source)
            known = [(a - start, b - start) for a, b in text.spans if start <= a and b <= end]
            has_tags = TOKEN.search(sentence.source) or TOKEN.search(sentence.text)
            if sentence.score is None or has_tags:
                return sentence
            spans: list[Span] = []
            if tokenizer.num_placeholders:
                spans = find_spans(sentence.source, known, tokenizer.alphabet)
            read, written = readable_pair(sentence.source, spans, sentence.text, tokenizer)

            def with_words(alignment: Alignment | None) -> SentenceTranslation:
                words = translated_words(read, written, alignment) if alignment else None
                return dataclasses.replace(sentence, words=words)

            return Question(read.text, written.text, with_words)

        return text, bring_up


class Tags(ModelStep):
    """Takes tags and other marks out of texts, and puts them where they belong in translations.

    With placeholders, the model reads them along; then those that it has lost are put back.
    """

    name = "tags"

    def __init__(
        self, aligner: Aligner, target: str, deadline: Deadline, method: MarkMethod
    ) -> None:
        """Take what aligns, and how tags follow their words."""
        super().__init__(aligner, target, deadline)
        self._has_placeholders = aligner.tokenizer.num_placeholders > 0
        self._is_by_attention = method == "attention" or not self._has_placeholders

    def take_down(self, text: MarkedText) -> tuple[MarkedText, BringUp | None]:
        """Return a text without its marks."""
        if text.prefix is not None:  # into which attention must put nothing
            return text, None
        if not self._is_by_attention:
            return text, self._mended
        bare = text if self._has_placeholders else with_addresses(text)
        taken = take_out(bare, self._has_placeholders)
        bring_up = _with_nested_tags if len(_TAG.findall(text.text)) > 1 else None
        return taken.text, self._putting_back(taken) if taken.marks else bring_up

    def _putting_back(self, taken: Taken) -> BringUp:
        marks, place = deque(taken.marks), 0

        def bring_up(sentence: SentenceTranslation) -> SentenceTranslation | Question:
            nonlocal place
            start = place + len(sentence.separator)
            end = start + len(sentence.source)
            between = list(_until(marks, start, is_last=not sentence.source))
            inside = list(_until(marks, end)) if sentence.source else []
            spots = [
                Region(
                    (0, 0),
                    mark.token,
                    is_replaced=True,
                    target=(mark.start - place, min(mark.end, start) - place),
                )
                for mark in between
            ]
            place = end
            separator = with_tokens(sentence.separator, spots)
            sentence = dataclasses.replace(sentence, separator=separator)
            if not inside:
                return sentence
            known = [(a - start, b - start) for a, b in taken.text.spans if start <= a and b <= end]
            return self._placed(sentence, sentence.source, known, regions_of(inside, start, end))

        return bring_up

    def _mended(self, sentence: SentenceTranslation) -> SentenceTranslation | Question:
        """Return a sentence with marks, those that were lost where they belong.

        A lost mark stands at the end of its sentence, and the sentence has the flag `placeholders`.
        """
        if not ("placeholders" in sentence.flags and _has_marks(sentence.source)):
            return sentence
        spans = tuple(token.span() for token in TOKEN.finditer(sentence.source))
        taken = take_out(MarkedText(sentence.source, spans), has_placeholders=True)
        bare = TOKEN.sub(lambda token: token[0] if token["text"] else "", sentence.text)
        source = taken.text.text
        regions = regions_of(taken.marks, 0, len(source))
        sentence = dataclasses.replace(sentence, text=_SPACES.sub(" ", bare).strip())
        return self._placed(sentence, source, taken.text.spans, regions)

    def _placed(
        self,
        sentence: SentenceTranslation,
        source: str,
        known: Sequence[Span],
        regions: list[Region],
    ) -> SentenceTranslation | Question:
        """Return a translation with its marks, or ask where those belong that stand inside it."""
        is_unclear = _is_unclear(regions, source)
        spans: list[Span] = []
        if self._has_placeholders:
            spans = find_spans(source, known, self.aligner.tokenizer.alphabet)
            _widen(regions, spans)
        read, written = readable_pair(source, spans, sentence.text, self.aligner.tokenizer)

        def placed(alignment: Alignment | None) -> SentenceTranslation:
            _move(regions, "source", read.offset_of)
            find_places(regions, read.text, written.text, alignment)
            _move(regions, "target", written.place_of)
            _stay_where_copied(regions, sentence.text)
            return dataclasses.replace(sentence, text=with_tokens(sentence.text, regions))

        return Question(read.text, written.text, placed) if is_unclear else placed(None)


def _with_nested_tags(sentence: SentenceTranslation) -> SentenceTranslation:
    """Return a sentence in which the tags of a message do not cross."""
    return dataclasses.replace(sentence, text=nested(sentence.source, sentence.text))


def nested(source: str, translation: str) -> str:
    """Return a translation whose own tags, such as `<b>`, are nested as those of its source are.

    One that closes a pair has no space before it if it has none in the source. A translation that
    lacks a tag stays as it is.
    """
    tags = list(_TAG.finditer(source))
    items: list[Item[str]] = [
        Item("closes" if tag["end"] else "opens", mark=tag[0], pair=tag["name"]) for tag in tags
    ]
    inline = inline_of(paired(items))
    tokens = defaultdict[str, deque[str]](deque)
    for tag, token in zip(tags, TOKEN.finditer(inline.marked().text), strict=True):
        tokens[tag[0]].append(token[0])
    found = _TAG.sub(lambda it: tokens[it[0]].popleft() if tokens[it[0]] else it[0], translation)
    if any(tokens.values()) or not tags or TOKEN.search(source):
        return translation
    pieces = (piece if isinstance(piece, str) else piece[0] for piece in inline.pieces(found))
    whole = "".join(pieces)
    for closing in {tag[0] for tag in tags if tag["end"]}:
        if not re.search(rf"\s{re.escape(closing)}", source):
            whole = re.sub(rf"(?<!\s)\s+(?={re.escape(closing)})", "", whole)
    return whole if translation[-1:].isspace() else whole.rstrip()


def with_addresses(marked: MarkedText) -> MarkedText:
    """Return a text whose addresses are spans: a model without placeholders may misspell them."""
    found = [match.span() for match in _ADDRESS.finditer(marked.text)]
    free = [
        (start, end)
        for start, end in found
        if all(end <= first or last <= start for first, last in marked.spans)
    ]
    return dataclasses.replace(marked, spans=tuple(sorted([*marked.spans, *free])))


def _stay_where_copied(regions: Sequence[Region], target: str) -> None:
    """Let a span that the model has copied, once and as it was, be there."""
    for region in regions:
        if region.is_replaced and region.before and target.count(region.before) == 1:
            start = target.index(region.before)
            region.target = (start, start + len(region.before))
        _stay_where_copied(region.inner, target)


def _until(marks: deque[Mark], end: int, is_last: bool = False) -> Iterator[Mark]:
    """Take those marks that come before a place, or close something just there."""
    while marks and (
        is_last or marks[0].start < end or (marks[0].start == end and marks[0].kind == "closes")
    ):
        yield marks.popleft()


def _has_marks(source: str) -> bool:
    return any(not token["text"] for token in TOKEN.finditer(source))


def _is_unclear(regions: Sequence[Region], source: str) -> bool:
    return any(
        {*region.source} - {0, len(source)} or _is_unclear(region.inner, source)
        for region in regions
    )


def _widen(regions: Sequence[Region], spans: Sequence[Span]) -> None:
    """Let regions have all of a span, such as an address, of which they have a part."""
    for region in regions:
        start, end = region.source
        if start < end:
            first, last = span_at(start, spans), span_at(end - 1, spans)
            region.source = (first[0] if first else start, last[1] if last else end)
        _widen(region.inner, spans)


def _move(regions: Sequence[Region], name: str, moved: Callable[[int], int]) -> None:
    for region in regions:
        start, end = getattr(region, name)
        setattr(region, name, (moved(start), moved(end)))
        _move(region.inner, name, moved)
