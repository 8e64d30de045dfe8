"""Which models are in memory: they come when they are wanted, and leave by least use.

A thread that wants models gets them as a lease: at once if they are in memory; otherwise
it waits in line. The first in line for whom there is no room has those that were used least leave:
idle ones at once, others when those who hold them are done; newcomers to a model that is leaving
wait in line too, so no one waits for ever. Each model is loaded by a thread of its own, so that
those who wait can give up, and so that models do not wait for one another.

The budget is exceeded in two cases. What is wanted may be larger by itself; then all others leave.
And a thread that holds a model already never waits for room: others may be waiting for it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from translator.deadline import LOOK_EVERY_S, NO_DEADLINE, Deadline
from translator.engine.native import is_lost_gpu
from translator.engine.port import Statistics
from translator.errors import DeadlineExceededError, EngineClosedError
from translator.pipeline.face import ModelState
from translator.store.installed import FLOAT_BYTES, InstalledModel

if TYPE_CHECKING:
    from translator.pipeline.translator import Translator

log = logging.getLogger(__name__)

Key = tuple[Path, str]
"""Place and checksum: a directory that has been replaced is another model."""

PACKED_SHARE = 2
"""While it is loaded, a model takes its weights in float32, and at most as much again as it is
arranged to run."""

ID_BYTES, FURTHER = 3, 8
"""In int8, besides a byte for each weight: how often the row of an id lies in memory at most, and
what belongs to it, in weights."""


def key_of(model: InstalledModel) -> Key:
    """Return what tells a model from all others."""
    return model.path, model.checksum


def _estimate_of(model: InstalledModel) -> int:
    """Return how many bytes a model takes at most, as long as it has not been loaded.

    One that is stored in 8 bits is counted as it runs in int8.
    """
    if model.description.weights != "int8":
        return PACKED_SHARE * model.num_bytes
    config = model.description.model
    rows = (config.vocab_size + config.source_vocab_size) * (config.d_model + FURTHER)
    return min(model.num_bytes, model.num_bytes // FLOAT_BYTES + ID_BYTES * rows)


class LoadError(Exception):
    """A model cannot be loaded; its cause says why."""

    def __init__(self, model: InstalledModel) -> None:
        """Name the model."""
        super().__init__(model.name)
        self.model = model


@dataclass(slots=True, eq=False)
class _Resident:
    """A model that has a place in memory.

    Attributes:
        estimate: of the bytes that it takes, as long as it is not loaded.
        translator: None until it is loaded.
        holders: threads that use it or wait for it, each with how often.
        is_leaving: whether it goes as soon as no one holds it; newcomers do not get it then.
        used: number of the last lease, by which the one least used is found.
    """

    model: InstalledModel
    estimate: int
    translator: Translator | None = None
    error: Exception | None = None
    holders: Counter[int] = field(default_factory=Counter)
    is_leaving: bool = False
    used: int = 0

    @property
    def num_bytes(self) -> int:
        return self.estimate if self.translator is None else self.translator.num_bytes

    @property
    def is_idle(self) -> bool:
        """Whether it is loaded and no one holds it."""
        return self.translator is not None and not self.holders

    @property
    def is_open(self) -> bool:
        """Whether newcomers may hold it."""
        is_dead = self.translator is not None and not self.translator.is_alive
        return not (self.is_leaving or is_dead)


@dataclass(slots=True, eq=False)
class _Wait:
    """A thread that waits for models together, or has them.

    Attributes:
        lease: places of those models, as soon as all of them have one; they are held from then on.
    """

    models: Sequence[InstalledModel]
    thread: int
    lease: list[_Resident] = field(default_factory=list)


class Residence:
    """Models in memory, within a budget of bytes."""

    def __init__(self, load: Callable[[InstalledModel], Translator], max_bytes: int = 0) -> None:
        """Begin with none.

        `load` loads a model and starts its engine; `max_bytes` of 0 lets all models stay.
        """
        self._load, self._max_bytes = load, max_bytes
        self._condition = threading.Condition()
        self._residents: dict[Key, _Resident] = {}
        self._line: list[_Wait] = []
        self._leavers: list[Translator] = []  # to be closed by whoever lets go of the lock
        self._newcomers: list[_Resident] = []  # whose loading is to begin after that
        self._loans = 0
        self._is_open = True
        self._done = Statistics()  # of those that have left
        self._states: dict[Key, ModelState] = {}  # of those also that are not in memory

    @contextmanager
    def lend(
        self, models: Sequence[InstalledModel], deadline: Deadline = NO_DEADLINE
    ) -> Iterator[list[Translator]]:
        """Have models in memory, all at once, as long as they are wanted.

        The deadline is for loading them; what its look raises ends the wait.

        Raises:
            LoadError: one of them cannot be loaded.
            DeadlineExceededError: the time is over.
            EngineClosedError: all have been closed.
        """
        wait = _Wait(models, threading.get_ident())
        self._change(lambda: self._line.append(wait))
        try:
            yield self._wait(wait, deadline)
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
            resident, known = self._residents.get(key_of(model)), self._state(model)
            if resident is None:
                return known
            is_loaded = resident.translator is not None
            return replace(known, is_loaded=is_loaded, num_bytes=resident.num_bytes)

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

    def _bring(self, resident: _Resident) -> None:
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
            known = self._state(resident.model)
            load_s = time.monotonic() - started_s
            self._states[key] = replace(
                known, num_bytes=resident.num_bytes, loads=known.loads + 1, load_s=load_s
            )
            if not self._is_open:
                self._leavers.append(translator)

        self._change(arrive)

    def _wait(self, wait: _Wait, deadline: Deadline) -> list[Translator]:
        while True:
            left_s = deadline.left_s()
            turn_s = LOOK_EVERY_S if left_s is None else min(LOOK_EVERY_S, left_s)
            with self._condition:
                if found := self._condition.wait_for(lambda: self._loaded(wait), turn_s):
                    return found
            if left_s == 0:
                names = " and ".join(model.name for model in wait.models)
                raise DeadlineExceededError(
                    f"loading {names} takes longer than the time limit; try again in a moment"
                )
            deadline.look()

    def _loaded(self, wait: _Wait) -> list[Translator] | None:
        if not self._is_open:
            raise EngineClosedError("the engines are closed; load the models again")
        for resident in wait.lease:
            if resident.error is not None:
                raise LoadError(resident.model) from resident.error
        found = [one.translator for one in wait.lease if one.translator]
        return found if len(found) == len(wait.models) else None

    def _leave(self, wait: _Wait) -> None:
        if wait in self._line:
            self._line.remove(wait)
        for resident in wait.lease:
            resident.holders -= Counter([wait.thread])  # without those that are 0 then

    def _advance_line(self) -> None:
        """Let go who is to leave; give a lease to everyone in line for whom there is room."""
        self._clear_away()
        has_room = True
        for wait in [*self._line] if self._is_open else ():
            here = [self._residents.get(key_of(model)) for model in wait.models]
            if not any(wait.thread in one.holders for one in self._residents.values()):
                if any(one is not None and not one.is_open for one in here):
                    continue  # it has to leave first, and to come again
                if None in here:
                    has_room = has_room and self._make_room(wait.models)
                    if not has_room:
                        continue
            self._line.remove(wait)
            self._loans += 1
            wait.lease = [self._place_of(model) for model in wait.models]
            for resident in wait.lease:
                resident.holders[wait.thread] += 1
                resident.used = self._loans

    def _place_of(self, model: InstalledModel) -> _Resident:
        """Return the place of a model, which begins to be loaded if it has none."""
        key = key_of(model)
        if key not in self._residents:
            self._residents[key] = _Resident(model, self._state(model).num_bytes)
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
        needed = sum(self._state(model).num_bytes for model in missing)
        if not self._max_bytes or self._evict_idle(needed, own):
            return True
        others = [one for one in self._by_use() if key_of(one.model) not in own]
        to_come = needed + self._total() - sum(one.num_bytes for one in others if one.is_leaving)
        for resident in others:
            if to_come > self._max_bytes and not resident.is_leaving:
                resident.is_leaving = True
                self._count_eviction(resident.model)
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
                self._count_eviction(resident.model)
        return self._total() + needed <= self._max_bytes

    def _remove(self, key: Key) -> None:
        resident = self._residents.pop(key, None)
        if resident is not None and resident.translator is not None:
            self._done += replace(resident.translator.statistics(), queued=0, running=0)
            self._leavers.append(resident.translator)

    def _by_use(self) -> list[_Resident]:
        return sorted(self._residents.values(), key=lambda resident: resident.used)

    def _total(self) -> int:
        return sum(resident.num_bytes for resident in self._residents.values())

    def _count_eviction(self, model: InstalledModel) -> None:
        known = self._state(model)
        self._states[key_of(model)] = replace(known, evictions=known.evictions + 1)

    def _state(self, model: InstalledModel) -> ModelState:
        """Return what is known of a model, whose memory is estimated until it has been loaded."""
        new = ModelState(name=model.name, is_loaded=False, num_bytes=_estimate_of(model))
        return self._states.setdefault(key_of(model), new)
