"""Rows translated: each by its own language, and what cannot be translated says why."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from translator.bulk.formats.rows import Row, TranslatedRow
from translator.detection.detector import Detector
from translator.detection.sources import SourceFinder
from translator.errors import (
    InputError,
    ModelDirectoryError,
    UnreadLanguageError,
    UnsupportedLanguageError,
)
from translator.pipeline.face import AnyTranslator
from translator.pipeline.models.model_set import ModelSet
from translator.pipeline.options import TextFormat, TextOptions
from translator.pipeline.texts import translate_texts
from translator.pipeline.translation import Translation
from translator.pipeline.translator import Translator
from translator.store.installed import InstalledModel
from translator.text.glossary import Glossary

AUTO = "auto"
"""In the place of a language: it is found by the text."""

HALF_OF_A_PAIR = re.compile("[\ud800-\udfff]")
"""What UTF-16 writes other characters with; alone it is none."""

VERSION_DIGITS = 12
"""Of a model's checksum, beside its name."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RowOptions:
    """How rows are translated."""

    source: str  # code of their language, or `auto`; a row may name its own
    target: str  # code of the language wanted
    text_format: TextFormat = "text"  # of the texts
    # terms whose translation is given
    glossary: Glossary = dataclasses.field(default_factory=Glossary)


class BulkModels(ModelSet):
    """Models that remember why one of them could not be loaded.

    A service leaves such a model out. A job must not: all its rows would have an error.
    """

    def __init__(
        self,
        paths: Sequence[str | Path],
        load: Callable[[InstalledModel], Translator],
        *,
        pivot: str = "",
        max_bytes: int = 0,
    ) -> None:
        self.faults = list[Exception]()
        self.beam_size: int | None = None

        def noting(model: InstalledModel) -> Translator:
            try:
                translator = load(model)
            except Exception as error:
                self.faults.append(error)
                raise
            if self.beam_size is not None:
                description = translator.description
                decoding = dataclasses.replace(description.decoding, beam_size=self.beam_size)
                translator.description = dataclasses.replace(description, decoding=decoding)
            return translator

        super().__init__(paths, noting, pivot=pivot, max_bytes=max_bytes)


def model_version(translator: AnyTranslator, source: str, target: str) -> str:
    """Return names and checksums of the models of a pair; nothing if it needs none."""
    if source == target:
        return ""
    names = [str(card.get("name", "")) for card in translator.cards(source, target)]
    checksums = translator.fingerprint(source, target).split("+")
    named = zip(names, checksums, strict=True)
    return " + ".join(f"{name} {checksum[:VERSION_DIGITS]}".strip() for name, checksum in named)


class RowTranslator:
    """Translates rows; safe to use from several threads."""

    def __init__(
        self, translator: AnyTranslator, options: RowOptions, faults: Sequence[Exception] = ()
    ) -> None:
        """Use a translator, whose models' faults may become known later.

        Raises:
            UnsupportedLanguageError: no model translates into the target, or from the source.
        """
        self._translator, self._options, self._faults = translator, options, faults
        self._sources = [
            language.code for language in translator.languages if options.target in language.targets
        ]
        if not self._sources or self._sources == [options.target]:
            targets = ", ".join(sorted({pair[1] for pair in translator.directions}))
            raise UnsupportedLanguageError(
                f"--to {options.target}: the models translate to {targets}"
            )
        if options.source != AUTO:
            translator.cards(options.source, options.target)  # raises if there is no way
        self._finder = SourceFinder(Detector(self._sources), self._sources)
        self._version = functools.cache(
            lambda source: model_version(translator, source, options.target)
        )

    def translate(self, rows: list[Row]) -> list[TranslatedRow]:
        """Return what becomes of some rows, in order.

        Raises:
            ModelDirectoryError: a model cannot be loaded.
            EngineError: the engine has failed. What is wrong with a row is said beside it.
        """
        done = [self._examined(row) for row in rows]
        groups: dict[tuple[str, SourceFinder | None], list[int]] = {}
        for number, (row, examined) in enumerate(zip(rows, done, strict=True)):
            if not examined.error and examined.text is not None:
                finder = self._finder if self._language(row) == AUTO else None
                groups.setdefault((examined.language, finder), []).append(number)
        for (source, finder), numbers in groups.items():
            texts = [done[number].text or "" for number in numbers]
            answers = self._answers(texts, source, finder)
            for number, answer in zip(numbers, answers, strict=True):
                done[number] = self._row_of(source, answer)
        return done

    def _language(self, row: Row) -> str:
        return self._options.source if row.language is None else row.language

    def _examined(self, row: Row) -> TranslatedRow:
        """Return a row with its language, and with its text still to be translated."""
        language = self._language(row)
        if row.error or row.text is None:
            return TranslatedRow(None, language.replace(AUTO, ""), error=row.error)
        if (character := HALF_OF_A_PAIR.search(row.text)) is not None:
            error = f"is not valid Unicode: it has half of a pair, {character[0]!a}"
            return TranslatedRow(None, language.replace(AUTO, ""), error=error)
        if language != AUTO:
            return TranslatedRow(row.text, language)
        is_markup = self._options.text_format in ("html", "xml")
        try:
            detected = self._finder.of_text(row.text, is_markup=is_markup)
        except UnreadLanguageError as error:
            return TranslatedRow(None, error.language, error=str(error))
        return TranslatedRow(row.text, detected.language)

    def _answers(
        self, texts: list[str], source: str, finder: SourceFinder | None
    ) -> list[Translation | str]:
        """Return a translation a text, or why there is none."""
        options = self._options
        try:
            translations = translate_texts(
                self._translator,
                texts,
                TextOptions(
                    source=source,
                    target=options.target,
                    finder=finder,
                    text_format=options.text_format,
                    glossary=options.glossary,
                ),
            )
        except UnsupportedLanguageError as error:
            if self._faults:
                raise ModelDirectoryError(str(self._faults[0])) from self._faults[0]
            return [str(error)] * len(texts)
        except InputError as error:
            if len(texts) == 1:
                return [str(error)]
            half = len(texts) // 2  # that is found before a text of the same half is translated
            first, second = texts[:half], texts[half:]
            return self._answers(first, source, finder) + self._answers(second, source, finder)
        return [*translations]

    def _row_of(self, source: str, answer: Translation | str) -> TranslatedRow:
        if isinstance(answer, str):
            return TranslatedRow(None, source, error=answer)
        return TranslatedRow(answer.text, source, flags=answer.flags, model=self._version(source))
