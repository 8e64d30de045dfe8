"""Texts of several formats, and whole documents, translated with a glossary."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, TypeVar

from translator.engine.port import Times
from translator.text.formats.document import Document
from translator.text.formats.html import read_html
from translator.text.formats.markdown import read_markdown
from translator.text.marked import MarkedText
from translator.translate.translation import SentenceTranslation, Translation
from translator.translate.units import PreparedUnits, TextFormat, TextOptions

if TYPE_CHECKING:
    from translator.translate.translator import Translator

Content = TypeVar("Content", str, bytes)
_READERS: dict[TextFormat, Callable[[str], Document[str]]] = {
    "html": read_html,
    "markdown": read_markdown,
}


def translate_texts(
    translator: Translator, texts: Sequence[str], options: TextOptions
) -> list[Translation]:
    """Translate texts of a format; all their units are decoded together.

    Args:
        translator: has the model.
        texts: plain text, HTML or Markdown; whole pages or fragments.
        options: say how.

    Returns:
        one translation a text, in order. The sentences of a text with markup are left out.

    Raises:
        TranslatorError: see `Translator.translate`.
    """
    reader = _READERS.get(options.text_format)
    documents = [reader(text) for text in texts] if reader else []
    units = [unit for one in documents for unit in one.units] if reader else list(texts)
    translations = _translate_units(translator, units, options)
    if not reader:
        return translations
    answers, done = [], 0
    for document in documents:
        own = translations[done : done + len(document.units)]
        done += len(own)
        answers.append(_joined(document.rebuild([unit.text for unit in own]), own))
    return answers


def stream_texts(
    translator: Translator, texts: Sequence[str], options: TextOptions
) -> Generator[tuple[int, SentenceTranslation], None, None]:
    """Translate as `translate_texts` does, and yield each sentence when it is done.

    A text with markup is yielded as a whole, as one sentence, since tags may enclose many.

    Yields:
        see `Translator.stream`.
    """
    if options.text_format == "text":
        aligner = translator.aligner(options.source, options.target)
        prepared = PreparedUnits(texts, aligner, options)
        told = translator.stream(
            prepared.texts,
            source=options.source,
            target=options.target,
            options=options.decoding,
            timeout_s=options.timeout_s,
            while_waiting=options.while_waiting,
        )
        for number, own in itertools.groupby(told, key=lambda one: one[0]):
            for sentence in prepared.finished_each(number, (one for _, one in own)):
                yield number, sentence
        return
    for number, text in enumerate(texts):
        [found] = translate_texts(translator, [text], options)
        yield (
            number,
            SentenceTranslation(
                separator="",
                source=text,
                text=found.text,
                score=found.score,
                finish_reasons=found.finish_reasons,
                flags=found.flags,
                times=found.times,
            ),
        )


def translate_document(
    translator: Translator, document: Document[Content], options: TextOptions
) -> tuple[Content, tuple[Translation, ...]]:
    """Translate a document that a reader of files has taken apart.

    Args: and Raises: see `translate_texts`.

    Returns:
        the document with translations, and the translation of each unit.
    """
    translations = _translate_units(translator, document.units, options)
    return document.rebuild([unit.text for unit in translations]), tuple(translations)


def _translate_units(
    translator: Translator, units: Sequence[str | MarkedText], options: TextOptions
) -> list[Translation]:
    """Translate units with their terms, and see to it that marks stand where they belong."""
    prepared = PreparedUnits(units, translator.aligner(options.source, options.target), options)
    translations = translator.translate(
        prepared.texts,
        source=options.source,
        target=options.target,
        options=options.decoding,
        num_alternatives=options.num_alternatives if options.text_format == "text" else 0,
        timeout_s=options.timeout_s,
        while_waiting=options.while_waiting,
    )
    return prepared.finished(translations)


def _joined(text: str, units: Sequence[Translation]) -> Translation:
    """Return the translation of a text from those of its units."""
    scores = [unit.score for unit in units if unit.score is not None]
    return Translation(
        text=text,
        score=sum(scores) / len(scores) if scores else None,
        finish_reasons=tuple(reason for unit in units for reason in unit.finish_reasons),
        flags=tuple(sorted({flag for unit in units for flag in unit.flags})),
        times=Times.around(unit.times for unit in units),
        terms=tuple(sorted({term for unit in units for term in unit.terms})),
    )
