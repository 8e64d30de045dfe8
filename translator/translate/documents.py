"""Texts of several formats, and whole documents, translated with a glossary."""

from __future__ import annotations

import dataclasses
import itertools
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import closing
from typing import TypeVar

from translator.config import DecodingOptions
from translator.engine.port import Times
from translator.text.formality import Formality
from translator.text.formats.document import (
    Document,
    Filler,
    Piece,
    Prose,
    TextDocument,
    Unit,
    units_of,
)
from translator.text.formats.html import read_html
from translator.text.formats.markdown import read_markdown
from translator.text.formats.xml import read_xml
from translator.text.icu.message import message_pieces
from translator.text.icu.syntax import may_be_message
from translator.text.marked import MarkedText
from translator.translate.marks.projection import sentences_of
from translator.translate.mixed import stream_mixed, translate_mixed
from translator.translate.models.deadline import remaining
from translator.translate.models.face import AnyTranslator, Progress, Tick, idle, silent
from translator.translate.streaming import CHARS_AT_ONCE, LINES_AT_ONCE, in_windows
from translator.translate.translation import (
    SentenceStream,
    SentenceTranslation,
    Translation,
    chained,
    joined,
    mean_score,
    numbers_of,
    of_one_text,
    via_of,
)
from translator.translate.units import TextFormat, TextOptions

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


class TextTranslator:
    """The calls that every translator offers to a program; all but `AnyTranslator` is here."""

    def translate(
        self: AnyTranslator,
        texts: Sequence[str],
        *,
        source: str,
        target: str,
        options: DecodingOptions | None = None,
        formality: Formality | None = None,
        num_alternatives: int | None = None,
        timeout_s: float | None = None,
        while_waiting: Tick = idle,
        on_progress: Progress = silent,
    ) -> list[Translation]:
        """Translate plain texts, as `translate_texts` does.

        The white space between sentences comes back byte for byte. A visibly wrong sentence is
        translated once more, and `Translation.flags` says so; `options.search_again = False`
        switches that off.

        Args:
            texts: of any length. A text without letters is returned as it is.
            source: language code of all texts.
            target: language code wanted. If it is `source`, the texts come back unchanged.
            options: options of the search; the model's own by default.
            formality: how to address the reader, as `formal` (Sie) or `informal` (du); as the
                model does by default. A sentence that came out otherwise is flagged `formality`.
            num_alternatives: most other translations of each text to return; by default one less
                than `num_hypotheses` of the options.
            timeout_s: seconds for all texts together; None sets no limit.
            while_waiting: called about ten times a second; an exception in it ends the translation.
            on_progress: called as often, with the numbers of finished sentences and of all.

        Returns:
            one translation for each text, in order.

        Raises:
            UnsupportedLanguageError: no model translates that pair.
            InputError: a text is not valid Unicode, the options do not suit the model,
                num_alternatives is negative or not below MAX_BEAM_SIZE, or no model has learned
                the form of address; `Language.formality` says which targets have a choice.
            EngineOverloadedError: the queue is full of sentences of other callers.
            EngineClosedError: the translator has been closed.
            DeadlineExceededError: the translation takes longer than `timeout_s`.
        """
        wanted = TextOptions(
            source=source,
            target=target,
            decoding=options,
            formality=formality,
            num_alternatives=num_alternatives,
            timeout_s=timeout_s,
            while_waiting=while_waiting,
            on_progress=on_progress,
        )
        return translate_texts(self, texts, wanted)

    def stream(
        self: AnyTranslator,
        texts: Sequence[str],
        *,
        source: str,
        target: str,
        options: DecodingOptions | None = None,
        formality: Formality | None = None,
        timeout_s: float | None = None,
        while_waiting: Tick = idle,
    ) -> SentenceStream:
        """Translate as `translate` does, and yield each sentence when it is done.

        All texts are in the engine when this returns. Close the stream if you need no more of it:
        the remaining sentences then leave the engine. Arguments and errors are those of
        `translate`.

        Yields:
            the number of a text, from 0, and its next sentence. The separators and translations of
            a text, joined, are its whole translation. After its last sentence comes an empty one,
            whose separator is the rest of the text.
        """
        wanted = TextOptions(
            source=source,
            target=target,
            decoding=options,
            formality=formality,
            timeout_s=timeout_s,
            while_waiting=while_waiting,
        )
        return stream_texts(self, texts, wanted)


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
        TranslatorError: see `TextTranslator.translate`.
    """
    if options.text_format == "text" and not any(map(may_be_message, texts)):
        return translate_mixed(translator, texts, options)  # as nearly always
    documents = [_read(text, options) for text in texts]
    units = [unit for document in documents for unit in document.units]
    translations = iter(translate_mixed(translator, units, options))
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
        see `TextTranslator.stream`.
    """
    documents = [_read(text, options) for text in texts]
    units = [unit for document in documents for unit in document.units]
    stream = stream_mixed(translator, units, options)

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
    translator: AnyTranslator,
    document: Document[Content],
    options: TextOptions,
    told: Callable[[Translation], object] = lambda translation: None,
) -> Content:
    """Translate a document that a reader of files has taken apart.

    A long one is translated window by window, and of each window only the texts are kept.

    Args:
        translator: has the models.
        document: any.
        options: say how. The progress of a long document is told in units.
        told: called with the translation of each unit, in order.

    Raises:
        TranslatorError: see `TextTranslator.translate`.

    Returns:
        the document with translations.
    """
    options = dataclasses.replace(options, num_alternatives=0)
    with closing(_translations(translator, document.units, options)) as translations:
        return document.rebuild(_texts(translations, told))


def _texts(
    translations: Iterable[Translation], told: Callable[[Translation], object]
) -> Iterator[str]:
    for translation in translations:
        told(translation)
        yield translation.text


def _translations(
    translator: AnyTranslator, units: Sequence[MarkedText], options: TextOptions
) -> Generator[Translation, None, None]:
    """Yield the translation of each unit; what stands in many cells is translated once."""
    different = dict.fromkeys(units)
    seen, repeated = set[MarkedText](), set[MarkedText]()
    if len(different) < len(units):
        for unit in units:
            (repeated if unit in seen else seen).add(unit)
    known = dict[MarkedText, Translation]()
    with closing(_of_different(translator, list(different), options)) as answers:
        for unit in units:
            answer = known.get(unit) or next(answers)
            if unit in repeated:
                known[unit] = answer
            yield answer


def _of_different(
    translator: AnyTranslator, units: Sequence[MarkedText], options: TextOptions
) -> Generator[Translation, None, None]:
    """Yield the translations of units, which are held for two windows at a time."""
    if len(units) <= LINES_AT_ONCE and sum(len(unit.text) for unit in units) <= CHARS_AT_ONCE:
        yield from translate_mixed(translator, units, options)
        return
    left_s, is_over, lock = remaining(options.timeout_s), threading.Event(), threading.Lock()
    done = 0

    def while_waiting() -> None:
        if is_over.is_set():
            raise CancelledError
        options.while_waiting()

    def translate(window: Sequence[MarkedText]) -> list[Translation]:
        nonlocal done
        own = dataclasses.replace(
            options,
            timeout_s=left_s(),
            while_waiting=while_waiting,
            on_progress=lambda *_: options.on_progress(done, len(units)),
        )
        found = translate_mixed(translator, window, own)
        with lock:
            done += len(window)
        return found

    try:
        yield from in_windows(translate, units, lambda unit: len(unit.text))
    finally:
        is_over.set()


def _sentences(pieces: Iterable[Piece], units: Iterator[Told]) -> Iterator[SentenceTranslation]:
    """Yield the sentences of a document from those of its units, each as soon as it is known.

    Prose is told sentence by sentence. Any other unit is told as one, since its tags may enclose
    many sentences. Behind the last one comes an empty one, with what is left.
    """
    return chained(
        [SentenceTranslation(separator=piece, source="", text="")]
        if isinstance(piece, str)
        else next(units)[0]
        if isinstance(piece, Prose)
        else [_whole(piece, units)]
        for piece in pieces
    )


def _whole(unit: Unit, units: Iterator[Told]) -> SentenceTranslation:
    """Return how a unit and what is inside it now stand, as one sentence if they have any."""
    own = units_of(unit)
    sent = Filler(one.marked.text for one in own).text([unit])
    sentences, terms, texts = list[SentenceTranslation](), set[str](), list[str]()
    for told, met in itertools.islice(units, len(own)):
        every = list(told)
        texts.append("".join(sentence.separator + sentence.text for sentence in every))
        sentences += [sentence for sentence in every if sentence.source]
        terms.update(met)
    text = Filler(texts).text([unit])
    if not sentences:
        return SentenceTranslation(separator=text, source="", text="")
    return SentenceTranslation(
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
