"""What runs in the processes of a cluster.

An actor unpacks the models that have travelled with the job, and translates parts on cores of its
own; a tally counts rows.
"""

from __future__ import annotations

import dataclasses
import gc
import hashlib
import os
import pickle
import shutil
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from translator.bulk.job import Outcome, outcome_of
from translator.bulk.parts import Job, PartTranslator
from translator.bulk.storage import own_folder
from translator.bulk.translating import RowTranslator
from translator.errors import EngineError, TranslatorError

_HELD: list[IO[bytes]] = []
"""Files that this process has locked. Their locks end with it, however it ends."""


def pin(threads: int, folder: Path | None = None) -> list[int]:
    """Hold so many cores that no other process of this kind holds; return them, or none if too few.

    It computes on them only. Threads that are not moved about find their data in the caches of
    their core. Where cores are not to be had, nothing is done: the system then chooses. Files in
    the folder stand for cores; by default in one for all jobs of this user.
    """
    try:
        import fcntl

        allowed = sorted(os.sched_getaffinity(0))
    except (ImportError, AttributeError, OSError):  # not on Linux
        return []
    held, cores = list[IO[bytes]](), list[int]()
    try:
        place = folder or own_folder("translator-cores")
        for core in allowed:
            if len(cores) == threads:
                break
            file: IO[bytes] = (place / str(core)).open("ab")
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.close()
                continue
            held.append(file)
            cores.append(core)
        if len(cores) < threads:
            raise BlockingIOError
        os.sched_setaffinity(0, cores)
    except OSError:
        for file in held:
            file.close()
        return []
    _HELD.extend(held)
    return cores


ENGINE_FAILED = 70
"""Exit code of an actor whose engine has failed; another takes its place."""

ATTEMPTS = 5
"""So often a part is begun whose actors end, one after the other."""


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """The files of model directories."""

    contents: tuple[dict[str, bytes], ...]  # of each path given, by relative names
    digest: str  # of all of them

    @classmethod
    def of(cls, paths: Sequence[Path]) -> ModelFiles:
        """Read model directories, or folders of them."""
        contents = tuple(
            {
                file.relative_to(path).as_posix(): file.read_bytes()
                for file in sorted(path.rglob("*"))
                if file.is_file()
            }
            for path in paths
        )
        digest = hashlib.sha256()
        for number, files in enumerate(contents):
            for name, content in files.items():
                digest.update(f"{number} {name} {len(content)}\n".encode())
                digest.update(content)
        return cls(contents, digest.hexdigest()[:16])

    def unpacked(self, folder: Path | None = None) -> tuple[Path, ...]:
        """Write them to this machine, unless another process has done so; return their paths.

        By default the folder is one for the models of all jobs of this user.
        """
        home = folder or own_folder("translator-models")
        place = home / self.digest
        if not place.is_dir():
            home.mkdir(parents=True, exist_ok=True)
            unpacking = Path(tempfile.mkdtemp(dir=home, prefix="."))
            for number, files in enumerate(self.contents):
                for name, content in files.items():
                    path = unpacking / str(number) / name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(content)
            try:
                unpacking.rename(place)
            except OSError:  # another process was quicker
                shutil.rmtree(unpacking, ignore_errors=True)
        return tuple(place / str(number) for number in range(len(self.contents)))


class Tally:
    """How many rows of each part are done, told by the actors and asked for by the job."""

    def __init__(self) -> None:
        self._rows = dict[int, int]()
        self._attempts = Counter[int]()

    def begin(self, part: int) -> int:
        """Note that an actor begins a part; return how often that has happened."""
        self._attempts[part] += 1
        return self._attempts[part]

    def tell(self, part: int, rows: int) -> None:
        """Note how many rows of a part are done."""
        self._rows[part] = rows

    def read(self) -> dict[int, int]:
        """Return what has been told since it was last asked for."""
        rows, self._rows = self._rows, {}
        return rows


class PartActor:
    """Translates a part for each row of a dataset; the row says which."""

    def __init__(self, job: Job, tally: Any, models: Any) -> None:
        """Take what all parts have in common; models are loaded with the first part.

        There are no `ModelFiles` if the paths of `job` are good here.
        """
        pin(job.threads)
        self._job, self._tally, self._models = job, tally, models
        self._translator: PartTranslator | None = None

    def __call__(self, row: Mapping[str, Any]) -> dict[str, bytes]:
        """Return the outcome of a part, and whether no other part can do better, as a row."""
        import ray

        part, name = values_of(row)
        if ray.get(self._tally.begin.remote(part.number)) > ATTEMPTS:
            why = f"{ATTEMPTS} processes have ended over it, perhaps for want of memory"
            return as_row(Outcome(number=part.number, error=why), False)
        try:
            return as_row(outcome_of(self._loaded(), part, name, self._tally.tell.remote), False)
        except EngineError:
            os._exit(ENGINE_FAILED)
        except (TranslatorError, OSError) as error:  # of the models, without which nothing goes on
            return as_row(Outcome(number=part.number, error=str(error)), True)

    def _loaded(self) -> PartTranslator:
        if self._translator is None:
            job = self._job
            if self._models is not None:
                import ray

                files: ModelFiles = ray.get(self._models)
                job = dataclasses.replace(job, models=files.unpacked())
            models = job.load()
            rows = RowTranslator(models, job.options, models.faults)
            self._translator = PartTranslator(job, rows)
            gc.collect()
            gc.freeze()  # see `commands.without_collecting_loaded`; the actor ends with its job
        return self._translator


def as_row(*values: object) -> dict[str, bytes]:
    """Return values as a row of a dataset."""
    return {"values": pickle.dumps(values)}


def values_of(row: Mapping[str, Any]) -> Any:
    """Return the values that a row stands for."""
    return pickle.loads(row["values"])
