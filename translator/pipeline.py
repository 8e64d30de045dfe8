"""`Translator`, the public face: text in, translation out."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path

from translator import text as segmentation
from translator.checkpoint import LoadedModel, load_model_directory
from translator.config import DecodingOptions
from translator.decoding.engine import Engine
from translator.decoding.hypothesis import Hypothesis
from translator.decoding.torch_engine import SpecialIds, TorchEngine
from translator.errors import UnsupportedLanguageError

PRETRAINED = Path(__file__).with_name("pretrained")
DEFAULT_MODEL = PRETRAINED / "multi30k-de-en"
LANGUAGE_NAMES = {"cs": "Czech", "de": "German", "en": "English", "es": "Spanish", "fr": "French"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Translation:
    """The translation of one text.

    Attributes:
        text: with every separator of the original.
        alternatives: other translations, best first, without `text` and without repetitions.
        score: mean score of the sentences; None if there was nothing to translate.
        finish_reasons: why each sentence ended, `eos` or `length`.
    """

    text: str
    alternatives: tuple[str, ...] = ()
    score: float | None = None
    finish_reasons: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Language:
    """A language of a model, and what it can be translated into (itself included)."""

    code: str
    name: str
    targets: tuple[str, ...]


@dataclass(slots=True)
class _PendingText:
    """A text whose sentences are being decoded; `parts[i]` belong to sentence i."""

    segments: segmentation.Segments
    parts: list[list[Future[list[Hypothesis]]]]


class Translator:
    """Translates texts of any length between the languages of one model.

    Safe to use from many threads: their sentences are decoded together.
    """

    def __init__(self, loaded: LoadedModel, engine: Engine) -> None:
        """Use the tokenizer and description of `loaded`, and `engine` to decode."""
        self.description, self.card = loaded.description, loaded.card
        self.tokenizer = loaded.tokenizer
        self.model = loaded.model
        self._engine = engine

    @classmethod
    def from_model(cls, loaded: LoadedModel, threads: int | None = None) -> Translator:
        """Start an engine for a model in memory."""
        tokenizer = loaded.tokenizer
        special_ids = SpecialIds(
            bos_id=tokenizer.bos_id,
            eos_id=tokenizer.eos_id,
            forbidden_ids=tuple(
                {*tokenizer.control_ids, tokenizer.pad_id, tokenizer.unk_id} - {tokenizer.eos_id}
            ),
        )
        return cls(loaded, TorchEngine(loaded.model.eval(), special_ids, threads=threads))

    @classmethod
    def load(
        cls,
        directory: str | Path = DEFAULT_MODEL,
        *,
        device: str = "cpu",
        threads: int | None = None,
    ) -> Translator:
        """Load a model directory and start its engine.

        Args:
            directory: a model directory; the one shipped with the project by default.
            device: `cpu` or `cuda`.
            threads: CPU threads for decoding; torch's default if None.

        Raises:
            ModelDirectoryError: the directory cannot be used; the message names the file.
        """
        return cls.from_model(load_model_directory(directory, device), threads)

    def __enter__(self) -> Translator:
        """Return self."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    def close(self) -> None:
        """Stop the engine."""
        self._engine.close()

    @property
    def is_alive(self) -> bool:
        """Whether the engine still answers."""
        return self._engine.is_alive

    @property
    def languages(self) -> tuple[Language, ...]:
        """The languages of the model, by code."""
        return tuple(
            Language(code=code, name=LANGUAGE_NAMES.get(code, code), targets=self._targets(code))
            for code in sorted(self.description.languages)
        )

    def _targets(self, source: str) -> tuple[str, ...]:
        directions = (direction.split("-") for direction in self.description.directions)
        return tuple(sorted({source} | {target for code, target in directions if code == source}))

    def translate(
        self,
        texts: Sequence[str],
        *,
        source: str,
        target: str,
        options: DecodingOptions | None = None,
        num_alternatives: int = 0,
    ) -> list[Translation]:
        """Translate texts; everything that is not a sentence comes back byte for byte.

        Args:
            texts: any lengths; text without letters is returned as it is.
            source: language code of all texts.
            target: language code wanted; the same as `source` returns the texts unchanged.
            options: of the search; the model's own by default.
            num_alternatives: how many further translations to give, if there are that many.

        Returns:
            one translation a text, in order.

        Raises:
            UnsupportedLanguageError: the model does not translate that pair.
            InputError: a text is not valid Unicode.
            EngineOverloadedError: too many sentences are waiting.
            EngineClosedError: the translator has been closed.
        """
        self._check_pair(source, target)
        if source == target:
            return [Translation(text=text) for text in texts]
        options = options or self.description.decoding
        if num_alternatives > 0:
            wanted = num_alternatives + 1
            options = dataclasses.replace(
                options, num_hypotheses=wanted, beam_size=max(options.beam_size, wanted)
            )
        pending: list[_PendingText] = []
        try:
            for text in texts:
                pending.append(_PendingText(segmentation.split(text, source), []))
                for sentence in pending[-1].segments.sentences:
                    parts = pending[-1].parts
                    parts.append([])
                    for source_ids in self._source_ids(sentence, target):
                        parts[-1].append(self._engine.submit(source_ids, options))
            return [self._finish(item, num_alternatives) for item in pending]
        finally:
            for item in pending:
                for futures in item.parts:
                    for future in futures:
                        future.cancel()

    def _check_pair(self, source: str, target: str) -> None:
        for code in (source, target):
            if code not in self.description.languages:
                known = ", ".join(sorted(self.description.languages))
                raise UnsupportedLanguageError(f"{code} is not supported; known languages: {known}")
        if target not in self._targets(source):
            raise UnsupportedLanguageError(f"{source} to {target} is not a direction of this model")

    def _source_ids(self, sentence: str, target: str) -> Iterator[list[int]]:
        """Yield what the encoder reads, in parts if the sentence is longer than any it knows."""
        source_ids = self.tokenizer.encode_source(sentence, target)
        limit = self.description.max_source_ids
        if len(source_ids) <= limit:
            yield source_ids
            return
        count = lambda piece: len(self.tokenizer.encode(piece))  # noqa: E731
        for part in segmentation.split_long(sentence, count, limit - 2):
            yield self.tokenizer.encode_source(part, target)

    def _finish(self, pending: _PendingText, num_alternatives: int) -> Translation:
        """Wait for the sentences of one text and put them back between its separators."""
        answers = [[future.result() for future in parts] for parts in pending.parts]
        if not answers:
            return Translation(text=pending.segments.join([]))
        texts = [
            self._join(pending.segments, answers, rank) for rank in range(num_alternatives + 1)
        ]
        best = [hypotheses[0] for parts in answers for hypotheses in parts]
        return Translation(
            text=texts[0],
            alternatives=tuple(dict.fromkeys(text for text in texts[1:] if text != texts[0])),
            score=sum(hypothesis.score for hypothesis in best) / len(best),
            finish_reasons=tuple(hypothesis.finish_reason for hypothesis in best),
        )

    def _join(
        self, segments: segmentation.Segments, answers: list[list[list[Hypothesis]]], rank: int
    ) -> str:
        """Rejoin the hypotheses of one rank; a sentence with fewer of them gives its last."""
        return segments.join(
            [
                " ".join(
                    self.tokenizer.decode(hypotheses[min(rank, len(hypotheses) - 1)].ids)
                    for hypotheses in parts
                )
                for parts in answers
            ]
        )
