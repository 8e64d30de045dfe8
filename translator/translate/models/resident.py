"""A model in memory or on its way there, who holds it, and who waits for it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from translator.store.installed import InstalledModel

if TYPE_CHECKING:
    from translator.translate.translator import Translator

Key = tuple[Path, str]
"""Place and checksum: a directory that has been replaced is another model."""

PACKED_SHARE = 2
"""While it is loaded, a model takes its weights in float32, and at most as much again as it is
arranged to run."""


def key_of(model: InstalledModel) -> Key:
    """Return what tells a model from all others."""
    return model.path, model.checksum


def estimate_of(model: InstalledModel) -> int:
    """Return how many bytes a model takes at most, as long as it has not been loaded.

    One that is stored in 8 bits runs in int8, unless somebody wants floats: both together are less
    than its weights in float32.
    """
    is_int8 = model.description.weights == "int8"
    return model.num_bytes if is_int8 else PACKED_SHARE * model.num_bytes


class LoadError(Exception):
    """A model cannot be loaded; its cause says why.

    Attributes:
        model: which one.
    """

    def __init__(self, model: InstalledModel) -> None:
        """Name the model."""
        super().__init__(model.name)
        self.model = model


@dataclass(slots=True)
class Record:
    """What is known of a model, also when it is not in memory.

    Attributes:
        num_bytes: that it takes; estimated until it has been loaded.
        loads: how often it has been loaded.
        load_s: how long that took the last time.
        evictions: how often it had to make room for another one.
    """

    num_bytes: int
    loads: int = 0
    load_s: float = 0.0
    evictions: int = 0


@dataclass(slots=True, eq=False)
class Resident:
    """A model that has a place in memory.

    Attributes:
        model: which one.
        estimate: of the bytes that it takes, as long as it is not loaded.
        translator: None until it is loaded.
        error: why it could not be loaded.
        holders: threads that use it or wait for it, each with how often.
        is_leaving: whether it goes as soon as no one holds it; newcomers do not get it then.
        used: number of the last loan, by which the one least used is found.
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
        """How much memory it takes, or is going to."""
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

    def hold(self, thread: int, used: int) -> None:
        """Let a thread hold it once more."""
        self.holders[thread] += 1
        self.used = used

    def let_go(self, thread: int) -> None:
        """Let a thread hold it once less."""
        self.holders[thread] -= 1
        if not self.holders[thread]:
            del self.holders[thread]


@dataclass(slots=True, eq=False)
class Wait:
    """A thread that waits for models, or has them.

    Attributes:
        models: that are wanted together.
        thread: that waits.
        loan: places of those models, as soon as all of them have one; they are held from then on.
    """

    models: tuple[InstalledModel, ...]
    thread: int
    loan: list[Resident] = field(default_factory=list)

    def loaded(self) -> list[Translator] | None:
        """Return the models if all of them are loaded.

        Raises:
            LoadError: one of them cannot be loaded.
        """
        for resident in self.loan:
            if resident.error is not None:
                raise LoadError(resident.model) from resident.error
        found = [one.translator for one in self.loan if one.translator]
        return found if len(found) == len(self.models) else None

    def end(self) -> None:
        """Hold nothing any more."""
        for resident in self.loan:
            resident.let_go(self.thread)
