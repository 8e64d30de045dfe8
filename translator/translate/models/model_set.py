"""`ModelSet`: many models that translate as one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from translator.config import DecodingOptions
from translator.engine.port import Statistics
from translator.errors import ModelDirectoryError
from translator.runtime.thread_budget import ThreadBudget
from translator.store.home import models_folder
from translator.store.installed import InstalledModel
from translator.text.formality import Formality
from translator.text.marked import MarkedText
from translator.translate.documents import TextTranslator
from translator.translate.models.deadline import remaining
from translator.translate.models.face import ModelState, Pair, Progress, Tick, idle, silent
from translator.translate.models.fleet import Fleet
from translator.translate.models.here import default_paths
from translator.translate.models.here import download as fetch_languages
from translator.translate.translation import Language, SentenceStream, Translation
from translator.translate.translator import Translator

if TYPE_CHECKING:
    from translator.translate.marks.alignment import Aligner


class ModelSet(TextTranslator):
    """Translates between all languages of its models; see `AnyTranslator`.

    A direction goes to the first model that has it, and a pair that none has through the pivot.
    Models are loaded when they are first wanted, and leave as `residence.py` says.
    """

    def __init__(
        self,
        paths: Sequence[str | Path],
        load: Callable[[InstalledModel], Translator],
        *,
        pivot: str = "",
        max_bytes: int = 0,
    ) -> None:
        """Look for models; load none.

        Args:
            paths: folders of model directories, or model directories, in order of preference.
            load: loads a model and starts its engine.
            pivot: code of the language that a pair goes through which no model has; none if empty.
            max_bytes: memory for all models together; 0 lets all of them stay.

        Raises:
            ModelDirectoryError: there is no model that can be used.
        """
        self._fleet = Fleet(paths, load, pivot=pivot, max_bytes=max_bytes)

    @classmethod
    def load(
        cls,
        paths: Sequence[str | Path] = (),
        *,
        pivot: str = "en",
        max_bytes: int = 0,
        threads: int = 1,
        download: Sequence[str] = (),
        **settings: Any,
    ) -> Self:
        """Look for models, to be loaded when they are wanted.

        Args:
            paths: see `__init__`; by default downloaded models, and behind them the shipped one.
            pivot: see `__init__`.
            max_bytes: see `__init__`.
            threads: CPU threads for decoding, which all models share: however many are in use, no
                more of them compute at a time.
            download: codes of languages, whose models are downloaded if they are not here.
            settings: further ones of `Translator.load`, for all models.

        Raises:
            ModelDirectoryError: there is no model that can be used.
            DownloadError: a model cannot be downloaded.
        """
        if download:
            fetch_languages(download)
            paths = (*paths, models_folder()) if paths else ()
        budget = ThreadBudget(threads)

        def load(model: InstalledModel) -> Translator:
            translator = Translator.load(model.path, threads=threads, **settings)
            if translator.checksum != model.checksum:
                translator.close()
                raise ModelDirectoryError(
                    f"{model.path}: has been replaced; reload the list of models"
                )
            translator.share_threads(budget)
            return translator

        return cls(paths or default_paths(), load, pivot=pivot, max_bytes=max_bytes)

    def __enter__(self) -> Self:
        """Return self."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    def refresh(self) -> None:
        """Look for models again; see `Fleet.refresh`."""
        self._fleet.refresh()

    def has_changed(self) -> bool:
        """Whether a refresh would find other models; see `Fleet.has_changed`."""
        return self._fleet.has_changed()

    def close(self) -> None:
        """Stop all engines."""
        self._fleet.residence.close()

    @property
    def languages(self) -> tuple[Language, ...]:
        """All languages, by code; see `AnyTranslator.languages`."""
        return self._fleet.routes.languages

    @property
    def directions(self) -> tuple[Pair, ...]:
        """Pairs that a single model translates."""
        return self._fleet.routes.directions

    @property
    def is_alive(self) -> bool:
        """Whether it has not been closed, and its GPU has not failed.

        Any other engine that has died is started anew when it is wanted.
        """
        return self._fleet.residence.is_open

    def legs(self, source: str, target: str) -> tuple[Pair, ...]:
        """Return the way from one language to another; see `AnyTranslator.legs`."""
        legs = self._fleet.routes.legs(source, target)
        return tuple((leg.source, leg.target) for leg in legs)

    def cards(self, source: str, target: str) -> tuple[Mapping[str, Any], ...]:
        """Return the cards of the models of a pair; see `AnyTranslator.cards`."""
        return tuple(leg.model.card for leg in self._fleet.routes.legs(source, target))

    def fingerprint(self, source: str, target: str) -> str:
        """Return the checksums of the models of a pair; see `AnyTranslator.fingerprint`."""
        return "+".join(leg.model.checksum for leg in self._fleet.routes.legs(source, target))

    def models(self) -> tuple[ModelState, ...]:
        """Return all models, in order of preference."""
        return tuple(self._fleet.residence.state(model) for model in self._fleet.routes.models)

    def engines(self) -> dict[str, Statistics]:
        """Return what each engine in memory has now and has done, by the name of its model."""
        return self._fleet.residence.engines()

    def statistics(self) -> Statistics:
        """Return the sum over all models, those included that have left."""
        return self._fleet.residence.statistics()

    def aligner(
        self, source: str, target: str, timeout_s: float | None = None, while_waiting: Tick = idle
    ) -> Aligner:
        """Return what aligns sentences of a direction; see `AnyTranslator.aligner`."""
        with self._model_of(source, target, timeout_s, while_waiting) as translator:
            return translator.aligner(source, target)

    @contextmanager
    def held(
        self, source: str, target: str, timeout_s: float | None = None, while_waiting: Tick = idle
    ) -> Iterator[None]:
        """Keep the models of a pair in memory; see `AnyTranslator.held`."""
        with self._fleet.lent(source, target, timeout_s, while_waiting):
            yield

    @contextmanager
    def _model_of(
        self, source: str, target: str, timeout_s: float | None, while_waiting: Tick
    ) -> Iterator[Translator]:
        """Have the one model of a direction."""
        with self._fleet.lent(source, target, timeout_s, while_waiting, is_direct=True) as [one]:
            yield one

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
        """Translate by the model of a direction; see `AnyTranslator.translate_prepared`."""
        left_s = remaining(timeout_s)
        with self._model_of(source, target, timeout_s, while_waiting) as translator:
            return translator.translate_prepared(
                texts,
                source=source,
                target=target,
                options=options,
                formality=formality,
                num_alternatives=num_alternatives,
                timeout_s=left_s(),
                while_waiting=while_waiting,
                on_progress=on_progress,
            )

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
        """Translate by the model of a direction; see `AnyTranslator.stream_prepared`."""
        left_s = remaining(timeout_s)
        with ExitStack() as guard:
            translator = guard.enter_context(
                self._model_of(source, target, timeout_s, while_waiting)
            )
            stream = translator.stream_prepared(
                texts,
                source=source,
                target=target,
                options=options,
                formality=formality,
                timeout_s=left_s(),
                while_waiting=while_waiting,
            )
            guard.callback(stream.close)
            return SentenceStream(stream, guard.pop_all().close, stream.is_done)
