"""`Translator`, the public interface: text in, translation out."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from translator.config import MAX_BEAM_SIZE, DecodingOptions, Precision
from translator.engine.call import EngineCall
from translator.engine.port import Engine, Statistics
from translator.engine.start import start_engine
from translator.errors import InputError
from translator.runtime.thread_budget import ThreadBudget
from translator.store.home import DEFAULT_MODEL as DEFAULT_MODEL
from translator.store.home import PRETRAINED as PRETRAINED
from translator.store.model_directory import LoadedModel, load_model_directory
from translator.text.formality import Formality
from translator.text.marked import MarkedText, as_marked
from translator.translate.documents import TextTranslator
from translator.translate.marks.alignment import Aligner
from translator.translate.marks.readings import PairReader
from translator.translate.models.face import ModelState, Pair, Progress, Tick, idle, silent
from translator.translate.models.here import model_of
from translator.translate.models.pairs import Pairs
from translator.translate.pending import PendingText
from translator.translate.translation import SentenceStream, Translation

_DIRECTION = re.compile(r"[a-z]{2,3}(-[A-Za-z]{2,4}){1,3}")


class Translator(TextTranslator):
    """Translates texts of any length between the languages of one model.

    Many threads may use it at once: their sentences are decoded together.

    Attributes:
        description: sizes, languages and search options of the model.
        card: data, licences, recipe and scores of the model.
        tokenizer: turns sentences into ids, and ids into sentences.
        reference: the model as a PyTorch module, for attention maps and reverse scores.
        checksum: of the model directory; empty for a model that was not loaded from one.
        languages: the model's languages, by code.
    """

    def __init__(self, loaded: LoadedModel, engine: Engine) -> None:
        """Use the tokenizer and description of `loaded`, and `engine` to decode."""
        self.description, self.card = loaded.description, loaded.card
        self.tokenizer, self.reference = loaded.tokenizer, loaded.reference
        self.checksum = loaded.checksum
        pairs, formality = self.description.pairs, self.description.formality
        with_formality = [pair for pair in pairs if pair[1] in formality]
        self._pairs = Pairs(self.description.languages, pairs, with_formality)
        self.languages = self._pairs.languages
        self._reader = PairReader(self.reference, self.tokenizer.pad_id, engine.second_pass)
        self._name = str(loaded.card.get("name", ""))
        self._engine, self._max_source_ids = engine, loaded.description.max_source_ids

    @classmethod
    def from_model(
        cls,
        loaded: LoadedModel,
        threads: int = 1,
        precision: Precision = "auto",
        serve_at_once: bool = False,
    ) -> Translator:
        """Start an engine for a model in memory; see `load`."""
        return cls(loaded, start_engine(loaded, threads, precision, serve_at_once))

    @classmethod
    def load(
        cls,
        directory: str | Path = DEFAULT_MODEL,
        *,
        device: str = "cpu",
        threads: int = 1,
        precision: Precision = "auto",
        serve_at_once: bool = False,
        download: bool = False,
    ) -> Translator:
        """Load a model directory and start its engine.

        Args:
            directory: a model directory; the one shipped with the project by default. A direction
                such as `fr-en`, if there is no folder of that name, means the preferred one of the
                models that have been downloaded.
            device: `cpu` or `cuda`.
            threads: CPU threads for decoding. More threads translate many sentences faster, but
                not a single one.
            precision: `float32`, `int8` (CPU only), or `auto`: int8 on a CPU where it is possible,
                bfloat16 on a GPU that has it.
            serve_at_once: do not wait for the engine to be compiled, which takes 16 to 45 seconds
                on a CPU that is new to it. Until then, translate in float32 and more slowly. Not
                possible with precision `int8`.
            download: whether to download the model of a direction that no model here has.

        Raises:
            ModelDirectoryError: the directory cannot be used; the message names the file.
            ConfigError: the device or the precision is not possible.
            UnsupportedLanguageError: no single model here has that direction.
            DownloadError: it cannot be downloaded.
        """
        if _DIRECTION.fullmatch(str(directory)) and not Path(directory).exists():
            directory = model_of(str(directory), may_download=download)
        loaded = load_model_directory(directory, device)
        return cls.from_model(loaded, threads, precision, serve_at_once)

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

    def statistics(self) -> Statistics:
        """Return how many sentences the engine has now, and what it has done since it started."""
        return self._engine.statistics()

    @property
    def directions(self) -> tuple[Pair, ...]:
        """Pairs of languages that the model translates."""
        return self.description.pairs

    @property
    def num_bytes(self) -> int:
        """Bytes that the weights take now, in the engine and in `reference`."""
        return self.reference.num_bytes + self._engine.num_bytes

    def share_threads(self, budget: ThreadBudget) -> None:
        """Decode only with threads of this budget, which other translators share."""
        self._engine.share_threads(budget)

    def legs(self, source: str, target: str) -> tuple[Pair, ...]:
        """Return the pair itself; see `AnyTranslator.legs`."""
        self._check_pair(source, target)
        return () if source == target else ((source, target),)

    def held(
        self, source: str, target: str, timeout_s: float | None = None, while_waiting: Tick = idle
    ) -> AbstractContextManager[None]:
        """Check the pair; the model is always in memory. See `AnyTranslator.held`."""
        self._check_pair(source, target)
        return nullcontext()

    def aligner(
        self, source: str, target: str, timeout_s: float | None = None, while_waiting: Tick = idle
    ) -> Aligner:
        """Return the aligner of sentences and translations; see `AnyTranslator.aligner`."""
        self._check_pair(source, target)
        return Aligner(self._reader, self.tokenizer, source)

    def cards(self, source: str, target: str) -> tuple[Mapping[str, Any], ...]:
        """Return the card; see `AnyTranslator.cards`."""
        return (self.card,)

    def fingerprint(self, source: str, target: str) -> str:
        """Return the checksum; see `AnyTranslator.fingerprint`."""
        return self.checksum

    def models(self) -> tuple[ModelState, ...]:
        """Return the model; see `AnyTranslator.models`."""
        return (ModelState(name=self._name, is_loaded=True, num_bytes=self.num_bytes, loads=1),)

    def engines(self) -> dict[str, Statistics]:
        """Return `statistics` by the model's name; see `AnyTranslator.engines`."""
        return {self._name: self.statistics()}

    def translate_prepared(
        self,
        texts: Sequence[str | MarkedText],
        *,
        source: str,
        target: str,
        options: DecodingOptions | None = None,
        formality: Formality | None = None,
        num_alternatives: int | None = None,
        timeout_s: float | None = None,
        while_waiting: Callable[[], None] = idle,
        on_progress: Progress = silent,
    ) -> list[Translation]:
        """Translate the sentences of texts; see `AnyTranslator.translate_prepared`.

        A visibly wrong sentence is translated once more, and `Translation.flags` says so.
        """
        options = self._options(options, source, target, num_alternatives)
        pending = self._pending(texts, source, target, formality)
        asked = pending, target, options, timeout_s, while_waiting, on_progress
        with self._submitted(*asked):
            for item in pending:
                item.check()
            return [item.translation(options.num_hypotheses - 1) for item in pending]

    def stream_prepared(
        self,
        texts: Sequence[str | MarkedText],
        *,
        source: str,
        target: str,
        options: DecodingOptions | None = None,
        formality: Formality | None = None,
        timeout_s: float | None = None,
        while_waiting: Callable[[], None] = idle,
    ) -> SentenceStream:
        """Yield each sentence when it is done; see `AnyTranslator.stream_prepared`."""
        options = self._options(options, source, target, num_alternatives=0)
        pending = self._pending(texts, source, target, formality)
        stack = ExitStack()
        stack.enter_context(self._submitted(pending, target, options, timeout_s, while_waiting))
        sentences = (
            (number, sentence)
            for number, text in enumerate(pending)
            for sentence in text.sentences()
        )
        return SentenceStream(sentences, stack.close, lambda number: pending[number].is_done)

    def _pending(
        self,
        texts: Sequence[str | MarkedText],
        source: str,
        target: str,
        formality: Formality | None,
    ) -> list[PendingText]:
        """Split texts into sentences, to be translated with some form of address."""
        if formality:
            self._pairs.check_formality(source, target)
        model = self.tokenizer, self._max_source_ids
        return [PendingText(as_marked(one), source, target, *model, formality) for one in texts]

    @contextmanager
    def _submitted(
        self,
        pending: Sequence[PendingText],
        target: str,
        options: DecodingOptions,
        timeout_s: float | None,
        while_waiting: Callable[[], None],
        on_progress: Progress = silent,
    ) -> Iterator[None]:
        """Submit the sentences of all texts to the engine; at the end, cancel unfinished ones."""
        count = sum(text.num_sentences for text in pending)
        start_ids = self.tokenizer.start_ids(target)
        asked = count, timeout_s, while_waiting, start_ids, on_progress
        with EngineCall(self._engine, *asked) as call:
            for text in pending:
                text.submit(options, call)
            yield

    def _options(
        self,
        options: DecodingOptions | None,
        source: str,
        target: str,
        num_alternatives: int | None,
    ) -> DecodingOptions:
        """Check the pair; return search options with a beam wide enough for the alternatives."""
        self._check_pair(source, target)
        options = options or self.description.decoding
        if num_alternatives is None:
            return options
        if not 0 <= num_alternatives < MAX_BEAM_SIZE:
            raise InputError(
                f"num_alternatives: must be in 0..{MAX_BEAM_SIZE - 1}, got {num_alternatives}"
            )
        wanted = num_alternatives + 1
        return dataclasses.replace(
            options, num_hypotheses=wanted, beam_size=max(options.beam_size, wanted)
        )

    def _check_pair(self, source: str, target: str) -> None:
        self._pairs.check(source, target, "is not a direction of this model")
