"""`ModelSet`: many models that translate as one."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

from translator.deadline import NO_DEADLINE, Deadline
from translator.engine.port import Statistics
from translator.errors import ModelDirectoryError, TranslatorError
from translator.pipeline.face import Lease, ModelState, Pair
from translator.pipeline.models.here import default_paths, find_models, stamp_of
from translator.pipeline.models.here import download as fetch_languages
from translator.pipeline.models.residence import LoadError, Residence, key_of
from translator.pipeline.models.routes import Routes
from translator.pipeline.text_translator import TextTranslator
from translator.pipeline.translation import Language
from translator.pipeline.translator import Translator
from translator.runtime.thread_budget import ThreadBudget
from translator.store.home import models_folder
from translator.store.installed import InstalledModel

log = logging.getLogger(__name__)


class ModelSet(TextTranslator):
    """Translates between all languages of its models; see `AnyTranslator`.

    A direction goes to the first model that has it, and a pair that none has through the pivot.
    Models are loaded when they are first wanted, and leave as `residence.py` says. One that cannot
    be loaded is named in the log and left out until the next refresh, unless it is the only one.
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
        self._paths, self._pivot = tuple(map(Path, paths)), pivot
        self._lock = threading.Lock()  # of the routes
        self._residence = Residence(load, max_bytes)
        self._routes = Routes(())
        self.refresh()

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
        """Look for models again: new ones can be used, removed ones leave when they are idle.

        Raises:
            ModelDirectoryError: there is none that can be used; then all stays as it is.
        """
        self._stamp = stamp_of(self._paths)
        found = find_models(self._paths)
        for fault in found.faults:
            log.error("a model is left out: %s", fault)
        if not found.models:
            looked = ", ".join(map(str, self._paths))
            reasons = "; ".join(found.faults) or f"{looked}: no model directory there"
            raise ModelDirectoryError(f"no model can be used: {reasons}")
        with self._lock:
            known = {key_of(model): model for model in self._routes.models}
            models = [known.get(key_of(model), model) for model in found.models]
            self._routes = Routes(models, self._pivot)
        self._residence.keep_only(models)

    def has_changed(self) -> bool:
        """Whether models have come, gone or been replaced since the last look for them."""
        return stamp_of(self._paths) != self._stamp

    def close(self) -> None:
        """Stop all engines."""
        self._residence.close()

    @property
    def languages(self) -> tuple[Language, ...]:
        """All languages, by code; see `AnyTranslator.languages`."""
        return self._routes.languages

    @property
    def directions(self) -> tuple[Pair, ...]:
        """Pairs that a single model translates."""
        return self._routes.directions

    @property
    def is_alive(self) -> bool:
        """Whether it has not been closed, and its GPU has not failed.

        Any other engine that has died is started anew when it is wanted.
        """
        return self._residence.is_open

    def cards(
        self, source: str, target: str, *, has_form: bool = False
    ) -> tuple[Mapping[str, Any], ...]:
        """Return the cards of the models of a pair; see `AnyTranslator.cards`."""
        return tuple(hop.model.card for hop in self._routes.hops(source, target, has_form=has_form))

    def fingerprint(self, source: str, target: str) -> str:
        """Return the checksums of the models of a pair; see `AnyTranslator.fingerprint`."""
        return "+".join(hop.model.checksum for hop in self._routes.hops(source, target))

    def models(self) -> tuple[ModelState, ...]:
        """Return all models, in order of preference."""
        return tuple(self._residence.state(model) for model in self._routes.models)

    def engines(self) -> dict[str, Statistics]:
        """Return what each engine in memory has now and has done, by the name of its model."""
        return self._residence.engines()

    def statistics(self) -> Statistics:
        """Return the sum over all models, those included that have left."""
        return self._residence.statistics()

    @contextmanager
    def lease(
        self, source: str, target: str, deadline: Deadline = NO_DEADLINE, *, has_form: bool = False
    ) -> Iterator[Sequence[Lease]]:
        """Have the models of a pair in memory; see `AnyTranslator.lease`.

        If one of them cannot be loaded, another way is tried.
        """
        with ExitStack() as stack:
            translators = None
            while translators is None:
                hops = self._routes.hops(source, target, has_form=has_form)
                models = [hop.model for hop in hops]
                try:
                    lease = self._residence.lend(models, deadline)
                    translators = stack.enter_context(lease) if models else []
                except LoadError as error:
                    is_last = len(self._routes.models) == 1
                    if is_last or not isinstance(error.__cause__, TranslatorError):
                        raise error.__cause__ or error from None
                    self._leave_out(error.model, error.__cause__)
            yield [
                Lease(hop.source, hop.target, translator, hop.model.checksum)
                for hop, translator in zip(hops, translators, strict=True)
            ]

    def _leave_out(self, model: InstalledModel, reason: TranslatorError) -> None:
        with self._lock:
            if model in self._routes.models:
                log.error("a model is left out: %s: %s", model.name, reason)
                self._routes = self._routes.without(model)
