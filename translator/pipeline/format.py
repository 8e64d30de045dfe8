"""The step `format`: texts in their formats, taken apart into units and put together again."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence

from translator.documents.document import Filler, Piece, Prose, TextDocument, Unit, units_of
from translator.documents.markup.html import read_html, read_xml
from translator.documents.markup.icu import may_be_message, message_pieces
from translator.documents.markup.markdown import read_markdown
from translator.pipeline.options import TextFormat, TextOptions
from translator.pipeline.steps import Batches, Texts, numbered
from translator.pipeline.translation import (
    SentenceTranslation,
    chained,
    joined,
    numbers_of,
    of_one_text,
)
from translator.text.marked import MarkedText

_READERS: dict[TextFormat, Callable[[str, TextOptions], TextDocument]] = {
    "text": lambda text, options: TextDocument(_pieces_of_lines(text, options.target)),
    "html": lambda text, options: read_html(text, options=options.tags, target=options.target),
    "markdown": lambda text, _: read_markdown(text),
    "xml": lambda text, options: read_xml(text, options=options.tags, target=options.target),
}


def _read(text: str, options: TextOptions) -> TextDocument:
    """Take a text apart; one that is a message of ICU, or has some as lines, by their choices."""
    choices = None if options.text_format == "xml" else message_pieces(text, options.target)
    return (
        _READERS[options.text_format](text, options) if choices is None else TextDocument(choices)
    )


def _pieces_of_lines(text: str, target: str) -> Iterator[Piece]:
    """Yield a text, with those of its lines taken apart that are messages of ICU."""
    prose = ""
    for line in text.splitlines(keepends=True) if may_be_message(text) else [text]:
        content = line.rstrip("\r\n")
        choices = message_pieces(content, target)
        if choices is None:
            prose += line
            continue
        if prose:
            yield Prose(MarkedText(prose))
        yield from choices
        prose = line[len(content) :]
    if prose or not text:
        yield Prose(MarkedText(prose))


class Format:
    """The step `format`: texts in their formats, and the units in them that are translated."""

    name = "format"

    def __init__(self, texts: Sequence[str], options: TextOptions) -> None:
        """Take texts apart."""
        self._documents = [_read(text, options) for text in texts]

    def down(self, texts: Texts) -> Texts:
        """Return the units of all texts, of which there are none yet."""
        return [unit for document in self._documents for unit in document.units]

    def up(self, batches: Batches) -> Batches:
        """Put the units back in their places."""
        sentences = numbered(batches)
        units = iter(lambda: of_one_text(sentences), None)
        for number, document in enumerate(self._documents):
            if [*map(type, document.pieces)] == [Prose]:
                yield [(number, sentence) for sentence in next(units)]
                continue
            for sentence in _sentences(document.pieces, units):
                yield [(number, sentence)]


def _sentences(
    pieces: Iterable[Piece], units: Iterator[Iterator[SentenceTranslation]]
) -> Iterator[SentenceTranslation]:
    """Yield the sentences of a document from those of its units, each as soon as it is known.

    Prose is told sentence by sentence. Any other unit is told as one, since its tags may enclose
    many sentences. Behind the last one comes an empty one, with what is left.
    """
    return chained(
        [SentenceTranslation(separator=piece, source="", text="")]
        if isinstance(piece, str)
        else next(units)
        if isinstance(piece, Prose)
        else [_whole(piece, units)]
        for piece in pieces
    )


def _whole(
    unit: Unit, translations: Iterator[Iterator[SentenceTranslation]]
) -> SentenceTranslation:
    """Return how a unit and what is inside it now stand, as one sentence if they have any."""
    units = units_of(unit)
    sent = Filler(inner.marked.text for inner in units).text([unit])
    of_units = [list(translation) for translation in itertools.islice(translations, len(units))]
    text = Filler(joined(sentences).text for sentences in of_units).text([unit])
    whole = joined([*itertools.chain.from_iterable(of_units)])
    if not whole.sentences:
        return SentenceTranslation(separator=text, source="", text="", terms=whole.terms)
    return SentenceTranslation(
        separator="",
        source=sent,
        text=text,
        score=whole.score,
        finish_reasons=whole.finish_reasons,
        flags=whole.flags,
        numbers=numbers_of(whole.sentences),
        times=whole.times,
        terms=whole.terms,
        via=whole.via,
    )
