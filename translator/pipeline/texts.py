"""The way of texts through the pipeline: its steps, and at the bottom one model or two.

`Job` is one call. Read its methods from the top: format, languages, steps, hops, the model.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from translator.deadline import NO_DEADLINE, Deadline, silent
from translator.documents.markup.icu import may_be_message
from translator.errors import InputError
from translator.pipeline.format import Format
from translator.pipeline.languages import Languages
from translator.pipeline.options import Key
from translator.pipeline.pivot import led_on
from translator.pipeline.steps import Batches, Step, Texts, down_and_up, numbered, text_by_text
from translator.pipeline.tags import Tags, Words
from translator.pipeline.terms import Amounts, Beginnings, Spacing, Terms
from translator.pipeline.translation import (
    SentenceStream,
    SentenceTranslation,
    Translation,
    joined,
    of_one_text,
    sentences_of,
)
from translator.text.characters import has_spaces
from translator.text.lone_numbers import amounts_among
from translator.text.marked import MarkedText

if TYPE_CHECKING:
    from translator.pipeline.face import AnyTranslator, Lease
    from translator.pipeline.options import Cache, SearchOptions, TextOptions


def translate_texts(
    translator: AnyTranslator,
    texts: Sequence[str],
    options: TextOptions,
    deadline: Deadline = NO_DEADLINE,
) -> list[Translation]:
    """Translate texts of a format, whole pages or fragments; all their units are decoded together.

    Raises:
        TranslatorError: see `TextTranslator.translate`.
    """
    with ExitStack() as stack:
        job = Job(translator, options, deadline, stack, is_whole=True)
        return [joined(sentences) for sentences in text_by_text(job.texts(texts), len(texts))]


def stream_texts(
    translator: AnyTranslator,
    texts: Sequence[str],
    options: TextOptions,
    deadline: Deadline = NO_DEADLINE,
) -> SentenceStream:
    """Translate as `translate_texts` does, and yield each sentence; see `TextTranslator.stream`.

    All texts are in the engine when this returns.
    """
    with ExitStack() as stack:
        batches = Job(translator, options, deadline, stack, is_whole=False).texts(texts)
        return SentenceStream(numbered(batches), stack.pop_all().close)


def translate_units(
    translator: AnyTranslator, units: Texts, options: TextOptions, deadline: Deadline
) -> list[Translation]:
    """Translate texts without a format; see `TextTranslator.translate`."""
    with ExitStack() as stack:
        job = Job(translator, options, deadline, stack, is_whole=True)
        return [joined(sentences) for sentences in text_by_text(job.units(units), len(units))]


@dataclass(frozen=True, slots=True)
class Job:
    """One call: texts on their way down, and what brings their translations up.

    Attributes:
        stack: on which the models are held, and what is left in the engine given up.
        is_whole: whether the sentences are wanted all at once; then they come in one batch.
    """

    translator: AnyTranslator
    options: TextOptions
    deadline: Deadline
    stack: ExitStack
    is_whole: bool

    def texts(self, texts: Sequence[str]) -> Batches:
        """Take texts of a format apart, and translate their units."""
        options = self.options
        has_format = options.text_format != "text" or any(map(may_be_message, texts))
        units = _marked(texts, options.prefixes, has_format)
        if not has_format:
            return self.units(units)
        return down_and_up([Format(texts, options)], units, self.units, options.on_step)

    def units(self, units: Texts) -> Batches:
        """Translate texts without a format, each sentence from its own language."""
        options = self.options
        if options.finder is None:
            return self.from_one_language(units)
        languages = Languages(options.source, options.finder)

        def from_each(parts: Texts) -> Batches:
            return self.from_languages(parts, languages.sources)

        return down_and_up([languages], units, from_each, options.on_step)

    def from_languages(self, parts: Texts, sources: Sequence[str]) -> Batches:
        """Translate texts, each from the language that is said."""
        if {*sources} <= {self.options.source}:
            return self.from_one_language(parts)
        groups = defaultdict[str, list[MarkedText]](list)
        for source, part in zip(sources, parts, strict=True):
            groups[source].append(part)
        streams = dict[str, Iterator[tuple[int, SentenceTranslation]]]()
        for source, texts in groups.items():
            job = dataclasses.replace(
                self, options=_options_from(source, self.translator, self.options)
            )
            if source != self.options.source:
                job = dataclasses.replace(job, deadline=self.deadline.telling(silent))
            if not self.is_whole:
                streams[source] = numbered(job.from_one_language(texts))
                continue
            with ExitStack() as inner:  # one after the other, so that the models of one are held
                batches = dataclasses.replace(job, stack=inner).from_one_language(texts)
                streams[source] = iter(list(numbered(batches)))
        return (
            [(number, sentence)]
            for number, source in enumerate(sources)
            for sentence in of_one_text(streams[source])
        )

    def from_one_language(self, texts: Texts) -> Batches:
        """Translate texts in one language by the models that lead to the one wanted."""
        options = self.options
        if options.text_format != "text" or not self.is_whole:
            options = dataclasses.replace(options, num_alternatives=0)
        leases = self.stack.enter_context(
            self.translator.lease(
                options.source, options.target, self.deadline, has_form=bool(options.formality)
            )
        )
        if not leases:
            same = [SentenceTranslation(separator=text.text, source="", text="") for text in texts]
            return iter([list(enumerate(same))])
        job = dataclasses.replace(self, options=options)
        steps = _steps_above(texts, options)
        if len(leases) == 1:
            return job.hop(leases[0], texts, above=steps)
        return down_and_up(steps, texts, lambda below: job.two_hops(leases, below), options.on_step)

    def hop(self, lease: Lease, texts: Texts, above: Sequence[Step] = ()) -> Batches:
        """Translate texts by one model, which may have other steps above its own."""
        options, aligner = self.options, lease.model.aligner(self.options.source)
        steps = [*above]
        if options.has_words:
            steps.append(Words(aligner, options.target, self.deadline))
        steps.append(Tags(aligner, options.target, self.deadline, options.marks))

        def decoded(below: Texts) -> Batches:
            if options.cache is not None and self.is_whole:
                return cached(lease, below, options.search, self.deadline, options.cache)
            decoding = lease.model.decode(
                below,
                options.search,
                self.deadline,
                is_whole=self.is_whole,
                on_step=options.on_step,
            )
            return self.stack.enter_context(decoding)

        return down_and_up(steps, texts, decoded, options.on_step)

    def two_hops(self, leases: Sequence[Lease], texts: Texts) -> Batches:
        """Translate texts by two models."""
        (first, second), options, deadline = leases, self.options, self.deadline
        first_options = dataclasses.replace(
            options, target=first.target, formality=None, num_alternatives=0, has_words=False
        )
        num_alternatives = options.num_alternatives or 0
        second_options = dataclasses.replace(
            options, source=second.source, num_alternatives=num_alternatives, has_words=False
        )
        both = deadline.telling(lambda done, total: deadline.tell(done, 2 * total))
        then = deadline.telling(lambda done, total: deadline.tell(total + done, 2 * total))

        def translate_on(between: Texts) -> Generator[Translation, None, None]:
            with ExitStack() as inner:
                job = Job(self.translator, second_options, then, inner, is_whole=True)
                yield from map(joined, text_by_text(job.hop(second, between), len(between)))

        free = [dataclasses.replace(text, prefix=None) for text in texts]
        job = dataclasses.replace(self, options=first_options, deadline=both)
        return led_on(texts, job.hop(first, free), translate_on, second, num_alternatives)


def cached(
    lease: Lease, texts: Texts, options: SearchOptions, deadline: Deadline, cache: Cache
) -> Batches:
    """Translate what a cache lacks, and return all in one batch; see `SingleModel.decode`."""
    keys = [Key(lease.fingerprint, text, options) for text in texts]
    found = {key: cache.get(key) for key in keys}
    missing = [key for key, translation in found.items() if translation is None]
    if missing:
        lacking = [key.text for key in missing]
        with lease.model.decode(lacking, options, deadline, is_whole=True) as batches:
            for key, sentences in zip(missing, text_by_text(batches, len(missing)), strict=True):
                found[key] = translation = joined(sentences)
                cache.put(key, key.text.text, translation)
    translations = enumerate(found[key] for key in keys)
    return iter([[(n, one) for n, whole in translations if whole for one in sentences_of(whole)]])


def _steps_above(texts: Texts, options: TextOptions) -> list[Step]:
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
    return steps


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


def _options_from(source: str, translator: AnyTranslator, options: TextOptions) -> TextOptions:
    if source == options.source:
        return options
    has_choice = any(
        language.code == source and options.target in language.formality
        for language in translator.languages
    )
    formality = options.formality if has_choice else None
    return dataclasses.replace(options, source=source, formality=formality)
