"""Which models are in memory: they come when they are wanted, and leave by least use.

A thread that wants models gets them as a loan. If they are in memory it has them at once; otherwise
it waits in line. The first in line for whom there is no room has those that were used least leave:
idle ones at once, others when those who hold them are done; newcomers to a model that is leaving
wait in line too, so no one waits for ever. Each model is loaded by a thread of its own, so that
those who wait can give up, and so that models do not wait for one another.

The budget is exceeded in two cases. What is wanted may be larger by itself; then all others leave.
And a thread that holds a model already never waits for room: others may be waiting for it.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from translator.engine.lost import is_lost_gpu
from translator.engine.port import Statistics
from translator.errors import DeadlineExceededError, EngineClosedError
from translator.store.installed import InstalledModel
from translator.translate.models.face import ModelState, idle
from translator.translate.models.resident import (
    Key,
    Record,
    Resident,
    Wait,
    estimate_of,
    key_of,
)

if TYPE_CHECKING:
    from translator.translate.translator import Translator

log = logging.getLogger(__name__)

LOOK_EVERY_S = 0.1
"""Between two calls of `while_waiting`."""


class Residence:
    """Models in memory, within a budget of bytes."""

    def __init__(self, load: Callable[[InstalledModel], Translator], max_bytes: int = 0) -> None:
        """Begin with none.

        Args:
            load: loads a model and starts its engine.
            max_bytes: for all models together; 0 lets all of them stay.
        """
        self._load, self._max_bytes = load, max_bytes
        self._condition = threading.Condition()
        self._residents: dict[Key, Resident] = {}
        self._line: list[Wait] = []
        self._leavers: list[Translator] = []  # to be closed by whoever lets go of the lock
        self._newcomers: list[Resident] = []  # whose loading is to begin after that
        self._loans = 0
        self._is_open = True
        self._done = Statistics()  # of those that have left
        self._records: dict[Key, Record] = {}

    @contextmanager
    def lend(
        self,
        models: Sequence[InstalledModel],
        timeout_s: float | None = None,
        while_waiting: Callable[[], None] = idle,
    ) -> Iterator[list[Translator]]:
        """Have models in memory, all at once, as long as they are wanted.

        Args:
            models: which ones.
            timeout_s: for loading them; as long as it takes if None.
            while_waiting: called some ten times a second; what it raises ends the wait.

        Raises:
            LoadError: one of them cannot be loaded.
            DeadlineExceededError: the time is over.
            EngineClosedError: all have been closed.
        """
        wait = Wait(tuple(models), threading.get_ident())
        self._change(lambda: self._line.append(wait))
        try:
            yield self._wait(wait, timeout_s, while_waiting)
        finally:
            self._change(lambda: self._leave(wait))

    def keep_only(self, models: Sequence[InstalledModel]) -> None:
        """Let all other models leave, each as soon as no one holds it."""
        kept = {key_of(model) for model in models}

        def leave() -> None:
            for key, resident in self._residents.items():
                resident.is_leaving |= key not in kept

        self._change(leave)

    def close(self) -> None:
        """Stop all engines; whoever waits fails with EngineClosedError."""

        def leave() -> None:
            self._is_open = False
            for key in list(self._residents):
                self._remove(key)

        self._change(leave)

    @property
    def is_open(self) -> bool:
        """Whether it has not been closed, and its GPU has not failed."""
        return self._is_open

    def engines(self) -> dict[str, Statistics]:
        """Return those of each model that is loaded."""
        with self._condition:
            places = list(self._residents.values())
        return {one.model.name: one.translator.statistics() for one in places if one.translator}

    def statistics(self) -> Statistics:
        """Return those of all models, of those also that have left."""
        with self._condition:
            here = [one.translator for one in self._residents.values() if one.translator]
            return sum((one.statistics() for one in here), self._done)

    def state(self, model: InstalledModel) -> ModelState:
        """Return what has become of a model."""
        with self._condition:
            resident, record = self._residents.get(key_of(model)), self._record(model)
            return ModelState(
                name=model.name,
                is_loaded=resident is not None and resident.translator is not None,
                num_bytes=resident.num_bytes if resident else record.num_bytes,
                loads=record.loads,
                load_s=record.load_s,
                evictions=record.evictions,
            )

    def _change(self, change: Callable[[], None]) -> None:
        """Change something, see what follows from it, and do that: engines close, models load."""
        with self._condition:
            change()
            self._advance_line()
            leavers, self._leavers = self._leavers, []
            newcomers, self._newcomers = self._newcomers, []
            self._condition.notify_all()
        for translator in leavers:
            translator.close()
        for resident in newcomers:
            name = f"translator-loader-{resident.model.name}"
            threading.Thread(target=self._bring, args=(resident,), name=name, daemon=True).start()

    def _bring(self, resident: Resident) -> None:
        """Load a model, on a thread of its own."""
        started_s = time.monotonic()
        key = key_of(resident.model)
        try:
            translator = self._load(resident.model)
        except Exception as error:
            resident.error = error
            self._change(lambda: self._remove(key))
            if is_lost_gpu(error):
                log.critical("the GPU has failed, and computes nothing more here: all engines end")
                self.close()
            return

        def arrive() -> None:
            resident.translator = translator
            record = self._record(resident.model)
            record.num_bytes = resident.num_bytes
            record.loads += 1
            record.load_s = time.monotonic() - started_s
            if not self._is_open:
                self._leavers.append(translator)

        self._change(arrive)

    def _wait(
        self, wait: Wait, timeout_s: float | None, while_waiting: Callable[[], None]
    ) -> list[Translator]:
        """Wait until all models of a loan are loaded."""
        end_s = math.inf if timeout_s is None else time.monotonic() + timeout_s
        while True:
            with self._condition:
                found = self._loaded(wait)
                if found is None:
                    left_s = max(0.0, end_s - time.monotonic())
                    self._condition.wait(min(LOOK_EVERY_S, left_s))
                    found = self._loaded(wait)
            if found is not None:
                return found
            if time.monotonic() >= end_s:
                names = " and ".join(model.name for model in wait.models)
                raise DeadlineExceededError(
                    f"loading {names} takes longer than the time limit; try again in a moment"
                )
            while_waiting()

    def _loaded(self, wait: Wait) -> list[Translator] | None:
        """Return the models of a loan if all of them are loaded."""
        if not self._is_open:
            raise EngineClosedError("the engines are closed; load the models again")
        return wait.loaded()

    def _leave(self, wait: Wait) -> None:
        """End a loan, or a place in line."""
        if wait in self._line:
            self._line.remove(wait)
        wait.end()

    def _advance_line(self) -> None:
        """Let go who is to leave; give a loan to everyone in line for whom there is room."""
        self._clear_away()
        has_room = True
        for wait in [*self._line] if self._is_open else ():
            here = [self._residents.get(key_of(model)) for model in wait.models]
            if not self._is_holder(wait.thread):
                if any(one is not None and not one.is_open for one in here):
                    continue  # it has to leave first, and to come again
                if None in here:
                    has_room = has_room and self._make_room(wait.models)
                    if not has_room:
                        continue
            self._line.remove(wait)
            self._loans += 1
            wait.loan = [self._place_of(model) for model in wait.models]
            for resident in wait.loan:
                resident.hold(wait.thread, self._loans)

    def _is_holder(self, thread: int) -> bool:
        """Return whether a thread holds a model, so that others may be waiting for it."""
        return any(thread in resident.holders for resident in self._residents.values())

    def _place_of(self, model: InstalledModel) -> Resident:
        """Return the place of a model, which begins to be loaded if it has none."""
        key = key_of(model)
        if key not in self._residents:
            self._residents[key] = Resident(model, self._record(model).num_bytes)
            self._newcomers.append(self._residents[key])
        return self._residents[key]

    def _clear_away(self) -> None:
        """Remove who is to leave and is not held, and who is idle and beyond the budget.

        The one used last stays, also if it is larger than the budget: it may be wanted again.
        """
        for key, resident in [*self._residents.items()]:
            if resident.is_idle and not resident.is_open:
                self._remove(key)
        if self._max_bytes and self._total() > self._max_bytes:
            self._evict_idle(0, [key_of(one.model) for one in self._by_use()[-1:]])

    def _make_room(self, models: Sequence[InstalledModel]) -> bool:
        """Make room for models that someone waits for; return whether there is enough now."""
        own = [key_of(model) for model in models]
        missing = [model for model in models if key_of(model) not in self._residents]
        needed = sum(self._record(model).num_bytes for model in missing)
        if not self._max_bytes or self._evict_idle(needed, own):
            return True
        others = [one for one in self._by_use() if key_of(one.model) not in own]
        to_come = needed + self._total() - sum(one.num_bytes for one in others if one.is_leaving)
        for resident in others:
            if to_come > self._max_bytes and not resident.is_leaving:
                resident.is_leaving = True
                self._record(resident.model).evictions += 1
                to_come -= resident.num_bytes
        return not others

    def _evict_idle(self, needed: int, kept: Sequence[Key]) -> bool:
        """Remove idle models, by least use, until there is room; return whether there is."""
        for resident in self._by_use():
            if self._total() + needed <= self._max_bytes:
                return True
            key = key_of(resident.model)
            if resident.is_idle and key not in kept:
                self._remove(key)
                self._record(resident.model).evictions += 1
        return self._total() + needed <= self._max_bytes

    def _remove(self, key: Key) -> None:
        """Let a model leave memory now."""
        resident = self._residents.pop(key, None)
        if resident is not None and resident.translator is not None:
            self._done += replace(resident.translator.statistics(), queued=0, running=0)
            self._leavers.append(resident.translator)

    def _by_use(self) -> list[Resident]:
        return sorted(self._residents.values(), key=lambda resident: resident.used)

    def _total(self) -> int:
        return sum(resident.num_bytes for resident in self._residents.values())

    def _record(self, model: InstalledModel) -> Record:
        return self._records.setdefault(key_of(model), Record(estimate_of(model)))
