"""The way of texts through the ladder: its steps, and at the bottom one model or two."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from translator.documents.markup.icu import may_be_message
from translator.errors import InputError
from translator.patience import PATIENT, Patience, silent
from translator.pipeline.cache import cached
from translator.pipeline.format import Format
from translator.pipeline.ladder import Batches, Step, Texts, down_and_up, numbered, text_by_text
from translator.pipeline.languages import Languages
from translator.pipeline.pivot import led_on
from translator.pipeline.tags import Tags
from translator.pipeline.terms import Amounts, Beginnings, Spacing, Terms
from translator.pipeline.translation import (
    SentenceStream,
    SentenceTranslation,
    Translation,
    joined,
    of_one_text,
)
from translator.pipeline.words import Words
from translator.text.characters import has_spaces
from translator.text.lone_numbers import amounts_among
from translator.text.marked import MarkedText

if TYPE_CHECKING:
    from translator.pipeline.face import AnyTranslator, Loan
    from translator.pipeline.options import TextOptions


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


def translate_units(
    translator: AnyTranslator, units: Texts, options: TextOptions, patience: Patience
) -> list[Translation]:
    """Translate texts without a format; see `TextTranslator.translate`."""
    with ExitStack() as stack:
        batches = _open_units(translator, units, options, patience, stack, is_whole=True)
        return [joined(sentences) for sentences in text_by_text(batches, len(units))]


def _open(
    translator: AnyTranslator,
    texts: Sequence[str],
    options: TextOptions,
    patience: Patience,
    stack: ExitStack,
    *,
    is_whole: bool,
) -> Batches:
    """Begin to translate texts; see `_open_units`."""

    def from_units(units: Texts) -> Batches:
        return _open_units(translator, units, options, patience, stack, is_whole=is_whole)

    has_format = options.text_format != "text" or any(map(may_be_message, texts))
    units = _marked(texts, options.prefixes, has_format)
    if not has_format:
        return from_units(units)
    return down_and_up([Format(texts, options)], units, from_units, options.on_step)


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


def _open_units(
    translator: AnyTranslator,
    units: Texts,
    options: TextOptions,
    patience: Patience,
    stack: ExitStack,
    *,
    is_whole: bool,
) -> Batches:
    """Begin to translate texts without a format, each sentence from its own language.

    Args:
        translator: has the models.
        units: the texts.
        options: say how.
        patience: of the caller.
        stack: on which the models are held, and what is left in the engine given up.
        is_whole: whether the sentences are wanted all at once; then they come in one batch.
    """
    if options.finder is None:
        return _from_one(translator, units, options, patience, stack, is_whole)
    languages = Languages(options.source, options.finder)

    def from_each(parts: Texts) -> Batches:
        sources = languages.sources
        return _from_several(translator, parts, sources, options, patience, stack, is_whole)

    return down_and_up([languages], units, from_each, options.on_step)


def _from_several(
    translator: AnyTranslator,
    parts: Texts,
    sources: Sequence[str],
    options: TextOptions,
    patience: Patience,
    stack: ExitStack,
    is_whole: bool,
) -> Batches:
    """Begin to translate texts, each from the language that is said."""
    if {*sources} <= {options.source}:
        return _from_one(translator, parts, options, patience, stack, is_whole)
    groups = defaultdict[str, list[MarkedText]](list)
    for source, part in zip(sources, parts, strict=True):
        groups[source].append(part)
    streams = dict[str, Iterator[tuple[int, SentenceTranslation]]]()
    for source, texts in groups.items():
        own, whose = _options_from(source, translator, options), patience
        if source != options.source:
            whose = patience.telling(silent)
        if not is_whole:
            batches = _from_one(translator, texts, own, whose, stack, is_whole)
            streams[source] = numbered(batches)
            continue
        with ExitStack() as inner:  # one after the other, so that the models of one are held
            batches = _from_one(translator, texts, own, whose, inner, is_whole)
            streams[source] = iter(list(numbered(batches)))
    return (
        [(number, sentence)]
        for number, source in enumerate(sources)
        for sentence in of_one_text(streams[source])
    )


def _options_from(source: str, translator: AnyTranslator, options: TextOptions) -> TextOptions:
    """Return the options of the texts in one language of several."""
    if source == options.source:
        return options
    has_choice = any(
        language.code == source and options.target in language.formality
        for language in translator.languages
    )
    formality = options.formality if has_choice else None
    return dataclasses.replace(options, source=source, formality=formality)


def _from_one(
    translator: AnyTranslator,
    texts: Texts,
    options: TextOptions,
    patience: Patience,
    stack: ExitStack,
    is_whole: bool,
) -> Batches:
    """Begin to translate texts in one language by the models that lead to the one wanted."""
    if options.text_format != "text" or not is_whole:
        options = dataclasses.replace(options, num_alternatives=0)
    loans = stack.enter_context(translator.lent(options.source, options.target, patience))
    if not loans:
        same = [SentenceTranslation(separator=text.text, source="", text="") for text in texts]
        return iter([list(enumerate(same))])
    steps = list[Step]()
    if not has_spaces(options.target):
        steps.append(Spacing())
    if options.glossary is not None:
        steps.append(Terms(options.glossary))
    if options.is_file or options.text_format != "text":
        steps.append(Beginnings())
        languages = (options.source, options.target)
        if amounts := amounts_among([text.text for text in texts], languages):
            steps.append(Amounts(amounts))
    if len(loans) == 1:
        return _leg(loans[0], texts, options, patience, stack, is_whole, above=steps)

    def by_two(below: Texts) -> Batches:
        return _two_legs(loans, below, options, patience, stack, is_whole)

    return down_and_up(steps, texts, by_two, options.on_step)


def _leg(
    loan: Loan,
    texts: Texts,
    options: TextOptions,
    patience: Patience,
    stack: ExitStack,
    is_whole: bool,
    above: Sequence[Step] = (),
) -> Batches:
    """Begin to translate texts by one model, which may have other steps above its own."""
    aligner = loan.model.aligner(options.source)
    tags = Tags(aligner, options.target, patience, options.marks)
    steps = [*above]
    if options.has_words:
        steps.append(Words(aligner, options.target, patience))
    steps.append(tags)

    def decoded(below: Texts) -> Batches:
        if options.cache is not None and is_whole:
            return cached(loan, below, options.search, patience, options.cache)
        decoding = loan.model.decode(
            below, options.search, patience, is_whole=is_whole, on_step=options.on_step
        )
        return stack.enter_context(decoding)

    return down_and_up(steps, texts, decoded, options.on_step)


def _two_legs(
    loans: Sequence[Loan],
    texts: Texts,
    options: TextOptions,
    patience: Patience,
    stack: ExitStack,
    is_whole: bool,
) -> Batches:
    """Begin to translate texts by two models."""
    first, second = loans
    first_options = dataclasses.replace(
        options, target=first.target, formality=None, num_alternatives=0, has_words=False
    )
    second_options = dataclasses.replace(
        options,
        source=second.source,
        num_alternatives=options.num_alternatives or 0,
        has_words=False,
    )
    both = patience.telling(lambda done, total: patience.tell(done, 2 * total))
    then = patience.telling(lambda done, total: patience.tell(total + done, 2 * total))

    def translate_on(between: Texts) -> Generator[Translation, None, None]:
        with ExitStack() as inner:
            on = _leg(second, between, second_options, then, inner, is_whole=True)
            yield from map(joined, text_by_text(on, len(between)))

    free = [dataclasses.replace(text, prefix=None) for text in texts]
    batches = _leg(first, free, first_options, both, stack, is_whole)
    num_alternatives = second_options.num_alternatives or 0
    return led_on(texts, batches, translate_on, second, num_alternatives)
