"""Texts of several formats, and whole documents, translated with a glossary."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, TypeVar

from translator.config import DecodingOptions
from translator.text.formats.document import Document
from translator.text.formats.html import read_html
from translator.text.formats.markdown import read_markdown
from translator.text.glossary import Glossary
from translator.text.marked import MarkedText
from translator.translate.translation import SentenceTranslation, Translation

if TYPE_CHECKING:
    from translator.translate.translator import Translator

TextFormat = Literal["text", "html", "markdown"]
MarkMethod = Literal["placeholders", "attention"]

Content = TypeVar("Content", str, bytes)
_READERS: dict[TextFormat, Callable[[str], Document[str]]] = {
    "html": read_html,
    "markdown": read_markdown,
}


def translate_texts(
    translator: Translator,
    texts: Sequence[str],
    *,
    source: str,
    target: str,
    text_format: TextFormat = "text",
    glossary: Glossary | None = None,
    options: DecodingOptions | None = None,
    num_alternatives: int = 0,
    timeout_s: float | None = None,
    while_waiting: Callable[[], None] = lambda: None,
    marks: MarkMethod = "attention",
) -> list[Translation]:
    """Translate texts of a format; all their units are decoded together.

    Args:
        translator: has the model.
        texts: plain text, HTML or Markdown; whole pages or fragments.
        source: language code of all texts.
        target: language code wanted.
        text_format: of all texts.
        glossary: terms whose translation is given.
        options: of the search; the model's own by default.
        num_alternatives: further translations of each text; there are none in other formats.
        timeout_s: for all texts together; as long as it takes if None.
        while_waiting: see `Translator.translate`.
        marks: how tags inside a paragraph follow their words. By attention the model reads plain
            sentences, and translates them better. Placeholders take less time, if it has any.

    Returns:
        one translation a text, in order. The sentences of a text with markup are left out.

    Raises:
        TranslatorError: see `Translator.translate`.
    """
    reader = _READERS.get(text_format)
    documents = [reader(text) for text in texts] if reader else []
    units = [unit for one in documents for unit in one.units] if reader else list(texts)
    translations = _translate_units(
        translator,
        units,
        source=source,
        target=target,
        glossary=glossary,
        options=options,
        num_alternatives=0 if reader else num_alternatives,
        timeout_s=timeout_s,
        while_waiting=while_waiting,
        marks=marks,
    )
    if not reader:
        return translations
    answers, done = [], 0
    for document in documents:
        own = translations[done : done + len(document.units)]
        done += len(own)
        answers.append(_joined(document.rebuild([unit.text for unit in own]), own))
    return answers


def stream_texts(
    translator: Translator,
    texts: Sequence[str],
    *,
    source: str,
    target: str,
    text_format: TextFormat = "text",
    glossary: Glossary | None = None,
    timeout_s: float | None = None,
    while_waiting: Callable[[], None] = lambda: None,
) -> Iterator[tuple[int, SentenceTranslation]]:
    """Translate as `translate_texts` does, and yield each sentence when it is done.

    A text with markup is yielded as a whole, as one sentence, since tags may enclose many.

    Yields:
        see `Translator.stream`.
    """
    if text_format == "text":
        marked = [_with_terms(text, glossary if source != target else None)[0] for text in texts]
        yield from translator.stream(
            marked,
            source=source,
            target=target,
            timeout_s=timeout_s,
            while_waiting=while_waiting,
        )
        return
    for number, text in enumerate(texts):
        [found] = translate_texts(
            translator,
            [text],
            source=source,
            target=target,
            text_format=text_format,
            glossary=glossary,
            timeout_s=timeout_s,
            while_waiting=while_waiting,
        )
        yield (
            number,
            SentenceTranslation(
                separator="",
                source=text,
                text=found.text,
                score=found.score,
                finish_reasons=found.finish_reasons,
                flags=found.flags,
            ),
        )


def translate_document(
    translator: Translator,
    document: Document[Content],
    *,
    source: str,
    target: str,
    glossary: Glossary | None = None,
    options: DecodingOptions | None = None,
    timeout_s: float | None = None,
    while_waiting: Callable[[], None] = lambda: None,
) -> tuple[Content, tuple[Translation, ...]]:
    """Translate a document that a reader of files has taken apart.

    Args: and Raises: see `translate_texts`.

    Returns:
        the document with translations, and the translation of each unit.
    """
    translations = _translate_units(
        translator,
        document.units,
        source=source,
        target=target,
        glossary=glossary,
        options=options,
        num_alternatives=0,
        timeout_s=timeout_s,
        while_waiting=while_waiting,
        marks="attention",
    )
    return document.rebuild([unit.text for unit in translations]), tuple(translations)


def _translate_units(
    translator: Translator,
    units: Sequence[str | MarkedText],
    *,
    source: str,
    target: str,
    glossary: Glossary | None,
    options: DecodingOptions | None,
    num_alternatives: int,
    timeout_s: float | None,
    while_waiting: Callable[[], None],
    marks: MarkMethod,
) -> list[Translation]:
    """Translate units with their terms, and see to it that marks stand where they belong."""
    from translator.translate.marks.projection import MarkProjection  # loads PyTorch

    glossary = glossary if source != target else None
    applied = [_with_terms(unit, glossary) for unit in units]
    marked = [text for text, _ in applied]
    projection = MarkProjection(
        model=translator.model,
        tokenizer=translator.tokenizer,
        target=target,
        while_waiting=while_waiting,
    )
    can_carry = translator.tokenizer.num_placeholders > 0
    by_attention = marks == "attention" or not can_carry
    taken = [projection.take_out(text) for text in marked] if by_attention else []
    translations = translator.translate(
        [text for text, _ in taken] if by_attention and source != target else marked,
        source=source,
        target=target,
        options=options,
        num_alternatives=num_alternatives,
        timeout_s=timeout_s,
        while_waiting=while_waiting,
    )
    if source != target and by_attention:
        translations = projection.put_back(taken, translations)
    elif source != target:
        translations = projection.mend(translations)
    return [
        dataclasses.replace(found, terms=tuple(sorted(terms))) if terms else found
        for found, (_, terms) in zip(translations, applied, strict=True)
    ]


def _with_terms(
    text: str | MarkedText, glossary: Glossary | None
) -> tuple[MarkedText, frozenset[str]]:
    marked = text if isinstance(text, MarkedText) else MarkedText(text)
    return glossary.apply(marked) if glossary else (marked, frozenset())


def _joined(text: str, units: Sequence[Translation]) -> Translation:
    """Return the translation of a text from those of its units."""
    scores = [unit.score for unit in units if unit.score is not None]
    return Translation(
        text=text,
        score=sum(scores) / len(scores) if scores else None,
        finish_reasons=tuple(reason for unit in units for reason in unit.finish_reasons),
        flags=tuple(sorted({flag for unit in units for flag in unit.flags})),
        terms=tuple(sorted({term for unit in units for term in unit.terms})),
    )
