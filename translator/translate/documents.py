"""Texts of several formats, and whole documents, translated with a glossary."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from translator.engine.port import Times
from translator.text.formats.document import Document
from translator.text.formats.html import read_html
from translator.text.formats.markdown import read_markdown
from translator.text.formats.pieces import Filler, Piece, Prose, TextDocument, Unit, with_inner
from translator.text.formats.xml import read_xml
from translator.text.icu.message import message_pieces
from translator.text.icu.syntax import may_be_message
from translator.text.marked import MarkedText
from translator.translate.legs import stream_units, translate_units
from translator.translate.marks.projection import sentences_of
from translator.translate.translation import (
    SentenceStream,
    SentenceTranslation,
    Translation,
    joined,
    mean_score,
    numbers_of,
    of_one_text,
    via_of,
)
from translator.translate.units import TextFormat, TextOptions

if TYPE_CHECKING:
    from translator.translate.models.face import AnyTranslator

Content = TypeVar("Content", str, bytes)
Told = tuple[Iterable[SentenceTranslation], Iterable[str]]
"""The sentences of a unit, an empty one behind them, and the terms that it has."""

_READERS: dict[TextFormat, Callable[[str, TextOptions], TextDocument]] = {
    "text": lambda text, options: TextDocument(_pieces_of_lines(text, options.target)),
    "html": lambda text, options: read_html(text, wishes=options.tags, target=options.target),
    "markdown": lambda text, _: read_markdown(text),
    "xml": lambda text, options: read_xml(text, wishes=options.tags, target=options.target),
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


def translate_texts(
    translator: AnyTranslator, texts: Sequence[str], options: TextOptions
) -> list[Translation]:
    """Translate texts of a format; all their units are decoded together.

    Args:
        translator: has the models.
        texts: plain text, HTML, Markdown or XML; whole pages or fragments.
        options: say how.

    Returns:
        one translation a text, in order. Each paragraph of HTML or XML, and each attribute, is one
        sentence, and has its tags.

    Raises:
        TranslatorError: see `Translator.translate`.
    """
    if options.text_format == "text" and not any(map(may_be_message, texts)):
        return translate_units(translator, texts, options)  # as nearly always
    documents = [_read(text, options) for text in texts]
    units = [unit for document in documents for unit in document.units]
    translations = iter(translate_units(translator, units, options))
    return [
        next(translations)
        if [*map(type, document.pieces)] == [Prose]
        else _joined(document.pieces, list(itertools.islice(translations, len(document.units))))
        for document in documents
    ]


def stream_texts(
    translator: AnyTranslator, texts: Sequence[str], options: TextOptions
) -> SentenceStream:
    """Translate as `translate_texts` does, and yield each sentence when it is done.

    All texts are in the engine when this returns.

    Args: and Raises: see `translate_texts`.

    Yields:
        see `Translator.stream`.
    """
    documents = [_read(text, options) for text in texts]
    units = [unit for document in documents for unit in document.units]
    stream = stream_units(translator, units, options)

    def told() -> Iterator[Told]:
        for number in range(len(units)):
            yield of_one_text(stream), stream.terms(number)

    def sentences() -> Iterator[tuple[int, SentenceTranslation]]:
        by_unit = told()
        for number, document in enumerate(documents):
            for sentence in _sentences(document.pieces, by_unit):
                yield number, sentence

    return SentenceStream(sentences(), stream.close)


def translate_document(
    translator: AnyTranslator, document: Document[Content], options: TextOptions
) -> tuple[Content, tuple[Translation, ...]]:
    """Translate a document that a reader of files has taken apart.

    Args: and Raises: see `translate_texts`.

    Returns:
        the document with translations, and the translation of each unit.
    """
    known = dict.fromkeys(document.units)  # what stands in many cells is translated once
    found = dict(zip(known, translate_units(translator, list(known), options), strict=True))
    translations = [found[unit] for unit in document.units]
    return document.rebuild([unit.text for unit in translations]), tuple(translations)


def _sentences(pieces: Iterable[Piece], units: Iterator[Told]) -> Iterator[SentenceTranslation]:
    """Yield the sentences of a document from those of its units, each as soon as it is known.

    Prose is told sentence by sentence. Any other unit is told as one, since its tags may enclose
    many sentences. Behind the last one comes an empty one, with what is left.
    """
    between = ""
    for piece in pieces:
        if isinstance(piece, str):
            between += piece
        elif isinstance(piece, Prose):
            for sentence in next(units)[0]:
                between += sentence.separator
                if sentence.source:
                    yield dataclasses.replace(sentence, separator=between)
                    between = ""
        else:
            text, whole = _whole(piece, units)
            if whole is None:
                between += text
            else:
                yield dataclasses.replace(whole, separator=between)
                between = ""
    yield SentenceTranslation(separator=between, source="", text="")


def _whole(unit: Unit, units: Iterator[Told]) -> tuple[str, SentenceTranslation | None]:
    """Return how a unit and what is inside it now stand, as one sentence if they have any."""
    own = list(with_inner([unit]))
    sent = Filler({id(one): one.marked.text for one in own}).text([unit])
    sentences, terms, texts = list[SentenceTranslation](), set[str](), dict[int, str]()
    for one in own:
        told, met = next(units)
        every = list(told)
        texts[id(one)] = "".join(sentence.separator + sentence.text for sentence in every)
        sentences += [sentence for sentence in every if sentence.source]
        terms.update(met)
    text = Filler(texts).text([unit])
    if not sentences:
        return text, None
    return text, SentenceTranslation(
        separator="",
        source=sent,
        text=text,
        score=mean_score(sentences),
        finish_reasons=tuple(reason for one in sentences for reason in one.finish_reasons),
        flags=tuple(sorted({flag for one in sentences for flag in one.flags})),
        numbers=numbers_of(sentences),
        times=Times.around(one.times for one in sentences),
        terms=tuple(sorted(terms)),
        via=via_of(sentences),
    )


def _joined(pieces: Iterable[Piece], units: Sequence[Translation]) -> Translation:
    """Return the translation of a text from those of its units."""
    told = ((sentences_of(unit), unit.terms) for unit in units)
    return joined(list(_sentences(pieces, told)))
