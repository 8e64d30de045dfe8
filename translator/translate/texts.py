"""Texts of several formats, and whole documents, translated with a glossary."""

from __future__ import annotations

import dataclasses
import itertools
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TypeVar

from translator.config import DecodingOptions
from translator.documents.kinds import NO_OPTIONS, FileOptions, read_file
from translator.engine.port import Times
from translator.errors import InputError
from translator.patience import PATIENT, Patience
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
from translator.text.formats.html.reader import read_xml
from translator.text.formats.markdown import read_markdown
from translator.text.glossary import Glossary
from translator.text.icu.message import message_pieces
from translator.text.icu.syntax import may_be_message
from translator.text.marked import MarkedText
from translator.translate.face import AnyTranslator
from translator.translate.ladder import Batches, Step, Texts, climb, numbered, text_by_text
from translator.translate.options import TextFormat, TextOptions
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
from translator.translate.way import open_units, translate_units

Content = TypeVar("Content", str, bytes)

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


class Format:
    """The step `format`: texts in their formats, and the units in them that are translated.

    Attributes:
        name: of the step.
    """

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


class TextTranslator:
    """The calls that every translator offers to a program; all but `AnyTranslator` is here."""

    def translate(
        self: AnyTranslator,
        texts: Sequence[str],
        *,
        source: str,
        target: str,
        text_format: TextFormat = "text",
        glossary: Glossary | None = None,
        options: DecodingOptions | None = None,
        formality: Formality | None = None,
        num_alternatives: int | None = None,
        prefixes: Sequence[str | None] = (),
        patience: Patience = PATIENT,
    ) -> list[Translation]:
        """Translate texts, exactly as the service does.

        The white space between sentences comes back byte for byte. A visibly wrong sentence is
        translated once more, and `Translation.flags` says so; `options.search_again = False`
        switches that off.

        Args:
            texts: of any length. A text without letters is returned as it is.
            source: language code of all texts.
            target: language code wanted. If it is `source`, the texts come back unchanged.
            text_format: of all texts, whole pages or fragments. Each paragraph of HTML or XML, and
                each attribute, is one sentence, and has its tags.
            glossary: terms whose translation is given.
            options: options of the search; the model's own by default.
            formality: how to address the reader, as `formal` (Sie) or `informal` (du); as the
                model does by default. A sentence that came out otherwise is flagged `formality`.
            num_alternatives: most other translations of each text to return; by default one less
                than `num_hypotheses` of the options. There are none of other formats than `text`.
            prefixes: what the translation of each text, plain text only, begins with; None leaves
                that to the model. A prefix has whole words of the first sentence that is
                translated, and the score is that of what follows them. Alternatives begin with it
                too, and each goes on with another word; so they do behind an empty prefix.
            patience: how long to wait, what is called meanwhile, and who is told of the progress.

        Returns:
            one translation for each text, in order.

        Raises:
            UnsupportedLanguageError: no model translates that pair.
            InputError: a text is not valid Unicode, the options do not suit the model,
                num_alternatives is negative or not below MAX_BEAM_SIZE, a prefix cannot be kept,
                or no model has learned the form of address; `Language.formality` says which
                targets have a choice.
            EngineOverloadedError: the queue is full of sentences of other callers.
            EngineClosedError: the translator has been closed.
            DeadlineExceededError: the translation takes longer than the patience lasts.
        """
        wanted = TextOptions(
            source=source,
            target=target,
            text_format=text_format,
            glossary=glossary,
            decoding=options,
            formality=formality,
            num_alternatives=num_alternatives,
            prefixes=prefixes,
        )
        return translate_texts(self, texts, wanted, patience)

    def stream(
        self: AnyTranslator,
        texts: Sequence[str],
        *,
        source: str,
        target: str,
        text_format: TextFormat = "text",
        glossary: Glossary | None = None,
        options: DecodingOptions | None = None,
        formality: Formality | None = None,
        patience: Patience = PATIENT,
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
            text_format=text_format,
            glossary=glossary,
            decoding=options,
            formality=formality,
        )
        return stream_texts(self, texts, wanted, patience)

    def translate_file(
        self: AnyTranslator,
        file: str | Path,
        *,
        source: str,
        target: str,
        glossary: Glossary | None = None,
        options: DecodingOptions | None = None,
        formality: Formality | None = None,
        file_options: FileOptions = NO_OPTIONS,
        patience: Patience = PATIENT,
    ) -> bytes:
        """Return a file in another language, with everything else in it as it was.

        Args: see `translate`, and:
            file: of any kind that the service translates, such as `.docx`, `.pdf`, `.po` or `.txt`.
            file_options: of tables: which columns, and whether names of sheets are translated.

        Raises:
            InputError: the file cannot be read.
            OSError: it cannot be opened.
            TranslatorError: see `translate`.
        """
        path = Path(file)
        document = read_file(str(path), path.read_bytes(), target, file_options)
        wanted = TextOptions(
            source=source, target=target, glossary=glossary, decoding=options, formality=formality
        )
        return translate_document(self, document, wanted, patience)


def translate_texts(
    translator: AnyTranslator,
    texts: Sequence[str],
    options: TextOptions,
    patience: Patience = PATIENT,
) -> list[Translation]:
    """Translate texts of a format; all their units are decoded together.

    Args:
        translator: has the models.
        texts: plain text, HTML, Markdown or XML; whole pages or fragments.
        options: say how.
        patience: of the caller.

    Returns:
        one translation a text, in order.

    Raises:
        TranslatorError: see `TextTranslator.translate`.
    """
    with ExitStack() as stack:
        batches = _open(translator, texts, options, patience, stack, is_whole=True)
        return [joined(sentences) for sentences in text_by_text(batches, len(texts))]


def stream_texts(
    translator: AnyTranslator,
    texts: Sequence[str],
    options: TextOptions,
    patience: Patience = PATIENT,
) -> SentenceStream:
    """Translate as `translate_texts` does, and yield each sentence when it is done.

    All texts are in the engine when this returns.

    Args: and Raises: see `translate_texts`.

    Yields:
        see `TextTranslator.stream`.
    """
    with ExitStack() as stack:
        batches = _open(translator, texts, options, patience, stack, is_whole=False)
        return SentenceStream(numbered(batches), stack.pop_all().close)


def _open(
    translator: AnyTranslator,
    texts: Sequence[str],
    options: TextOptions,
    patience: Patience,
    stack: ExitStack,
    *,
    is_whole: bool,
) -> Batches:
    """Begin to translate texts; see `open_units`."""
    steps = list[Step]()
    if options.text_format != "text" or any(map(may_be_message, texts)):  # rarely
        steps.append(Format(texts, options))

    def by_models(units: Texts) -> Batches:
        return open_units(translator, units, options, patience, stack, is_whole=is_whole)

    return climb(steps, _marked(texts, options.prefixes, bool(steps)), by_models, options.on_step)


def _marked(
    texts: Sequence[str], prefixes: Sequence[str | None], have_format: bool
) -> list[MarkedText]:
    """Return texts with what their translations begin with.

    Raises:
        InputError: there are not as many prefixes, or a text with one has a format.
    """
    if not prefixes:
        return list(map(MarkedText, texts))
    if len(prefixes) != len(texts):
        raise InputError(f"prefix: {len(prefixes)} for {len(texts)} texts; give one for each")
    if have_format and any(prefix is not None for prefix in prefixes):
        raise InputError(
            "prefix: is for plain text only, not for other formats or messages with {variables}"
        )
    return [MarkedText(text, (), prefix) for text, prefix in zip(texts, prefixes, strict=True)]


def translate_document(
    translator: AnyTranslator,
    document: Document[Content],
    options: TextOptions,
    patience: Patience = PATIENT,
    on_unit: Callable[[Translation], object] = lambda translation: None,
) -> Content:
    """Translate a document that a reader of files has taken apart.

    A long one is translated window by window, and of each window only the texts are kept.

    Args:
        translator: has the models.
        document: any.
        options: say how.
        patience: of the caller, who is told of the progress of a long document in units.
        on_unit: called with the translation of each unit, in order.

    Raises:
        TranslatorError: see `TextTranslator.translate`.

    Returns:
        the document with translations.
    """
    options = dataclasses.replace(options, num_alternatives=0, is_file=True)
    with closing(_translations(translator, document.units, options, patience)) as translations:
        return document.rebuild(_texts(translations, on_unit))


def _texts(
    translations: Iterable[Translation], on_unit: Callable[[Translation], object]
) -> Iterator[str]:
    for translation in translations:
        on_unit(translation)
        yield translation.text


def _translations(
    translator: AnyTranslator,
    units: Sequence[MarkedText],
    options: TextOptions,
    patience: Patience,
) -> Generator[Translation, None, None]:
    """Yield the translation of each unit; what stands in many cells is translated once."""
    different = dict.fromkeys(units)
    seen, repeated = set[MarkedText](), set[MarkedText]()
    if len(different) < len(units):
        for unit in units:
            (repeated if unit in seen else seen).add(unit)
    done = dict[MarkedText, Translation]()
    with closing(_of_different(translator, list(different), options, patience)) as answers:
        for unit in units:
            answer = done.get(unit) or next(answers)
            if unit in repeated:
                done[unit] = answer
            yield answer


def _of_different(
    translator: AnyTranslator,
    units: Sequence[MarkedText],
    options: TextOptions,
    patience: Patience,
) -> Generator[Translation, None, None]:
    """Yield the translations of units, which are held for two windows at a time."""
    if len(units) <= LINES_AT_ONCE and sum(len(unit.text) for unit in units) <= CHARS_AT_ONCE:
        yield from translate_units(translator, units, options, patience)
        return
    is_over, lock = threading.Event(), threading.Lock()
    num_done = 0

    def look() -> None:
        if is_over.is_set():
            raise CancelledError
        patience.look()

    of_window = patience.looking(look).telling(lambda *_: patience.tell(num_done, len(units)))

    def translate(window: Sequence[MarkedText]) -> list[Translation]:
        nonlocal num_done
        translations = translate_units(translator, window, options, of_window)
        with lock:
            num_done += len(window)
        return translations

    try:
        yield from in_windows(translate, units, lambda unit: len(unit.text))
    finally:
        is_over.set()


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
    sentences, texts = list[SentenceTranslation](), list[str]()
    for translation in itertools.islice(translations, len(units)):
        of_unit = list(translation)
        texts.append("".join(sentence.separator + sentence.text for sentence in of_unit))
        sentences += of_unit
    text = Filler(texts).text([unit])
    terms = tuple(sorted({term for sentence in sentences for term in sentence.terms}))
    translated = [sentence for sentence in sentences if sentence.source]
    if not translated:
        return SentenceTranslation(separator=text, source="", text="", terms=terms)
    return SentenceTranslation(
        separator="",
        source=sent,
        text=text,
        score=mean_score(translated),
        finish_reasons=tuple(
            reason for sentence in translated for reason in sentence.finish_reasons
        ),
        flags=tuple(sorted({flag for sentence in translated for flag in sentence.flags})),
        numbers=numbers_of(translated),
        times=Times.around(sentence.times for sentence in translated),
        terms=terms,
        via=via_of(translated),
    )
