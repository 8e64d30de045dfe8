"""The models of a set: found, lent on a way from language to language, left out if damaged."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from translator.errors import ModelDirectoryError, TranslatorError, UnsupportedLanguageError
from translator.store.installed import InstalledModel
from translator.translate.models.deadline import remaining
from translator.translate.models.found import find_models, stamp_of
from translator.translate.models.residence import Residence
from translator.translate.models.resident import LoadError, key_of
from translator.translate.models.routes import Routes

if TYPE_CHECKING:
    from translator.translate.translator import Translator

log = logging.getLogger(__name__)


class Fleet:
    """Models, the ways that they offer, and those of them that are in memory.

    A model that cannot be loaded is named in the log and left out until the next refresh.

    Attributes:
        residence: those in memory.
        routes: the ways.
    """

    def __init__(
        self,
        paths: Sequence[str | Path],
        load: Callable[[InstalledModel], Translator],
        *,
        pivot: str = "",
        max_bytes: int = 0,
    ) -> None:
        """Look for models; load none. See `ModelSet`."""
        self._paths, self._pivot = tuple(map(Path, paths)), pivot
        self._lock = threading.Lock()  # of the routes
        self.residence = Residence(load, max_bytes)
        self.routes = Routes(())
        self.refresh()

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
            known = {key_of(model): model for model in self.routes.models}
            models = [known.get(key_of(model), model) for model in found.models]
            self.routes = Routes(models, self._pivot)
        self.residence.keep_only(models)

    def has_changed(self) -> bool:
        """Whether models have come, gone or been replaced since the last look for them."""
        return stamp_of(self._paths) != self._stamp

    @contextmanager
    def lent(
        self,
        source: str,
        target: str,
        timeout_s: float | None,
        while_waiting: Callable[[], None],
        *,
        is_direct: bool = False,
    ) -> Iterator[list[Translator]]:
        """Have all models of a pair, as long as they are wanted.

        A model that cannot be loaded drops out; then another way is tried.

        Raises:
            UnsupportedLanguageError: there is no way, or none of a single model if `is_direct`.
        """
        left_s = remaining(timeout_s)
        with ExitStack() as stack:
            translators = None
            while translators is None:
                legs = self.routes.legs(source, target)
                if is_direct and len(legs) != 1:
                    raise UnsupportedLanguageError(
                        f"no single model translates {source} to {target}", "no_single_model"
                    )
                models = [leg.model for leg in legs]
                try:
                    loan = self.residence.lend(models, left_s(), while_waiting)
                    translators = stack.enter_context(loan) if models else []
                except LoadError as error:
                    if not isinstance(error.__cause__, TranslatorError):
                        raise error.__cause__ or error from None
                    self._leave_out(error.model, error.__cause__)
            yield translators

    def _leave_out(self, model: InstalledModel, reason: TranslatorError) -> None:
        """Do without a model from now on."""
        with self._lock:
            if model in self.routes.models:
                log.error("a model is left out: %s: %s", model.name, reason)
                self.routes = self.routes.without(model)
