"""Whole documents, translated window by window."""

from __future__ import annotations

import dataclasses
import threading
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import closing
from typing import TypeVar

from translator.deadline import NO_DEADLINE, Deadline
from translator.documents.document import Document
from translator.pipeline.face import AnyTranslator
from translator.pipeline.options import TextOptions
from translator.pipeline.streaming import CHARS_AT_ONCE, LINES_AT_ONCE, in_windows
from translator.pipeline.texts import translate_units
from translator.pipeline.translation import Translation
from translator.text.marked import MarkedText

Content = TypeVar("Content", str, bytes)


def translate_document(
    translator: AnyTranslator,
    document: Document[Content],
    options: TextOptions,
    deadline: Deadline = NO_DEADLINE,
    on_unit: Callable[[Translation], object] = lambda translation: None,
) -> Content:
    """Translate a document that a reader of files has taken apart; return it as it is written.

    A long one is translated window by window, and of each window only the texts are kept. Of such a
    one, progress is told in units. `on_unit` is called with the translation of each unit, in order.

    Raises:
        TranslatorError: see `TextTranslator.translate`.
    """
    options = dataclasses.replace(options, num_alternatives=0, is_file=True)
    with closing(_translations(translator, document.units, options, deadline)) as translations:
        return document.rebuild(_texts(translations, on_unit))


def _texts(
    translations: Iterable[Translation], on_unit: Callable[[Translation], object]
) -> Iterator[str]:
    for translation in translations:
        on_unit(translation)
        yield translation.text


def _translations(
    translator: AnyTranslator, units: Sequence[MarkedText], options: TextOptions, deadline: Deadline
) -> Generator[Translation, None, None]:
    """Yield the translation of each unit; what stands in many cells is translated once."""
    counts, done = Counter(units), dict[MarkedText, Translation]()
    with closing(_of_different(translator, list(counts), options, deadline)) as answers:
        for unit in units:
            answer = done.get(unit) or next(answers)
            if counts[unit] > 1:
                done[unit] = answer
            yield answer


def _of_different(
    translator: AnyTranslator, units: Sequence[MarkedText], options: TextOptions, deadline: Deadline
) -> Generator[Translation, None, None]:
    """Yield the translations of units, which are held for two windows at a time."""
    if len(units) <= LINES_AT_ONCE and sum(len(unit.text) for unit in units) <= CHARS_AT_ONCE:
        yield from translate_units(translator, units, options, deadline)
        return
    is_over, lock = threading.Event(), threading.Lock()
    num_done = 0

    def look() -> None:
        if is_over.is_set():
            raise CancelledError
        deadline.look()

    of_window = deadline.looking(look).telling(lambda *_: deadline.tell(num_done, len(units)))

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
