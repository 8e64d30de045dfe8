"""`Translator`, the public interface: text in, translation out."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from translator.alignment.alignment import Aligner
from translator.alignment.forced import PairReader
from translator.config import MAX_BEAM_SIZE, DecodingOptions, Precision
from translator.deadline import NO_DEADLINE, Deadline
from translator.engine.call import EngineCall
from translator.engine.port import Engine, Statistics
from translator.engine.start import PreparedModel as PreparedModel
from translator.engine.start import is_compiled, prepare, start_engine, start_prepared
from translator.errors import InputError
from translator.pipeline.face import Lease, ModelState, Pair
from translator.pipeline.models.here import model_of
from translator.pipeline.models.routes import Pairs
from translator.pipeline.options import OnStep, SearchOptions
from translator.pipeline.pending import PendingText, as_they_come, show, whole
from translator.pipeline.steps import Batches
from translator.pipeline.text_translator import TextTranslator
from translator.runtime.thread_budget import ThreadBudget
from translator.store.home import DEFAULT_MODEL as DEFAULT_MODEL
from translator.store.home import PRETRAINED as PRETRAINED
from translator.store.model_directory import LoadedModel, checksum_of, load_model_directory
from translator.text.marked import MarkedText

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
        self._reader = PairReader(self.reference, self.tokenizer.pad_id, engine.forced_scorer)
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
    def prepare(
        cls, directory: str | Path = DEFAULT_MODEL, *, precision: Precision = "auto"
    ) -> PreparedModel | None:
        """Load a model directory into a process that will fork, without a thread; see `load`.

        The processes that it forks share the memory of what `load` makes of it.

        Returns:
            None if its kernels have not been compiled for this CPU before.

        Raises:
            ModelDirectoryError: the directory cannot be used; the message names the file.
        """
        if not is_compiled(precision):
            return None
        return prepare(load_model_directory(directory), precision)

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
        prepared: PreparedModel | None = None,
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
            download: whether to download the model of a direction that no model here has; the
                shipped one only stands in for it.
            prepared: used if it is of that model and precision; see `prepare`.

        Raises:
            ModelDirectoryError: the directory cannot be used; the message names the file.
            ConfigError: the device or the precision is not possible.
            UnsupportedLanguageError: no single model here has that direction.
            DownloadError: it cannot be downloaded.
        """
        if _DIRECTION.fullmatch(str(directory)) and not Path(directory).exists():
            directory = model_of(str(directory), may_download=download)
        if prepared and device == "cpu" and prepared.is_of(checksum_of(directory), precision):
            return cls(prepared.loaded, start_prepared(prepared, threads))
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

    @contextmanager
    def lease(
        self, source: str, target: str, deadline: Deadline = NO_DEADLINE, *, has_form: bool = False
    ) -> Iterator[Sequence[Lease]]:
        """Have the model, which is always in memory; see `AnyTranslator.lease`."""
        self._check_pair(source, target)
        yield () if source == target else (Lease(source, target, self, self.checksum),)

    def aligner(self, source: str) -> Aligner:
        """Return the aligner of sentences and translations; see `SingleModel.aligner`."""
        return Aligner(self._reader, self.tokenizer, source)

    def cards(
        self, source: str, target: str, *, has_form: bool = False
    ) -> tuple[Mapping[str, Any], ...]:
        """Return the card; see `AnyTranslator.cards`."""
        self._check_pair(source, target)
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

    @contextmanager
    def decode(
        self,
        texts: Sequence[MarkedText],
        options: SearchOptions,
        deadline: Deadline = NO_DEADLINE,
        *,
        is_whole: bool = False,
        on_step: OnStep | None = None,
    ) -> Iterator[Batches]:
        """Translate the sentences of texts; see `SingleModel.decode`."""
        decoding = self._decoding(options)
        if options.formality:
            self._pairs.check_formality(options.source, options.target)
        has_forms = self._pairs.has_forms(options.source, options.target)
        pending = [
            PendingText(text, options, self.tokenizer, self._max_source_ids, has_forms)
            for text in texts
        ]
        count = sum(text.num_sentences for text in pending)
        start_ids = self.tokenizer.start_ids(options.target)
        with EngineCall(self._engine, count, deadline, start_ids) as call:
            for text in pending:
                text.submit(decoding, call)
            if on_step is not None:
                show(pending, on_step)
            num_alternatives = decoding.num_hypotheses - 1
            yield whole(pending, num_alternatives) if is_whole else as_they_come(pending)

    def _decoding(self, options: SearchOptions) -> DecodingOptions:
        """Return options of the search with a beam wide enough for the alternatives."""
        decoding, num_alternatives = options.decoding, options.num_alternatives
        decoding = decoding or self.description.decoding
        if num_alternatives is None:
            return decoding
        if not 0 <= num_alternatives < MAX_BEAM_SIZE:
            raise InputError(
                f"num_alternatives: must be in 0..{MAX_BEAM_SIZE - 1}, got {num_alternatives}"
            )
        num_hypotheses = num_alternatives + 1
        return dataclasses.replace(
            decoding,
            num_hypotheses=num_hypotheses,
            beam_size=max(decoding.beam_size, num_hypotheses),
        )

    def _check_pair(self, source: str, target: str) -> None:
        self._pairs.check(source, target, "is not a direction of this model")
