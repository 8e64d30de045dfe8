"""Workers on Ray: each an actor, a process with one engine, on this machine or on a cluster.

Ray Data hands out the parts, replaces actors that end, and gives their part to another one. That a
part appears as a whole or not at all (`storage.py`) makes it harmless to do one twice.
"""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any

from translator.bulk.actor import ATTEMPTS, ModelFiles, PartActor, Tally, as_row, values_of
from translator.bulk.job import JobProgress, Outcome, Polling
from translator.bulk.parts import Job
from translator.bulk.plan import Part
from translator.errors import ConfigError, TranslatorError
from translator.extras import require_extras

if TYPE_CHECKING:
    from ray import ObjectRef
    from ray.actor import ActorHandle
    from ray.data import Dataset

OBJECT_BYTES = 128_000_000
"""Of shared memory for a Ray that is started here: what travels is small."""

OUTPUT_BYTES = 1_000_000
"""What Ray Data is to expect of a part's outcome, instead of a whole block."""

ANSWER_S = 10
"""Time for an answer about how far the actors are."""

LONGEST_FOLDER = 40
"""Characters; the names of sockets below it may have 107."""

QUIET = {"RAY_BACKEND_LOG_LEVEL": "fatal", "RAY_DATA_DISABLE_PROGRESS_BARS": "1"}
"""What Ray's own code says is of no use to those who translate."""

OWN = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_worker_niceness": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # listen at this machine's own address only
    "RAY_AUTH_MODE": "token",
}
"""Settings of a Ray that is started here: nothing is sent, and nobody else can use it."""


class RayWorkers:
    """Actors of Ray that translate parts; see `Workers`."""

    def __init__(self, address: str = "", actors: int | None = None) -> None:
        """Start nothing yet. An empty address starts Ray here; None is as many as CPUs allow."""
        require_extras("ray", "pyarrow")
        if actors is not None and actors < 1:
            raise ConfigError([f"--actors: must be 1 or more, got {actors}"], "bulk")
        self._address, self._actors = address, actors

    def run(
        self, job: Job, parts: Sequence[tuple[Part, str]], progress: JobProgress
    ) -> Iterator[Outcome]:
        """Yield an outcome for each part, in any order; see `Workers`.

        Raises:
            TranslatorError: no actor can load the models, or Ray has given up.
        """
        with _ray(self._address, self._actors, job.threads) as ray:
            tally = ray.remote(num_cpus=0, max_restarts=-1, max_task_retries=-1)(Tally).remote()

            def ask() -> None:
                with contextlib.suppress(ray.exceptions.RayError):
                    progress.tell_all(ray.get(tally.read.remote(), timeout=ANSWER_S))

            models = ray.put(ModelFiles.of(job.models)) if self._address else None
            outcomes = self._outcomes(ray, job, parts, (tally, models))
            num_done, is_interrupted = 0, False
            try:
                with Polling(ask):
                    for row in outcomes.iter_rows():
                        outcome, is_fatal = values_of(row)
                        if is_fatal:
                            raise TranslatorError(outcome.error)
                        num_done += 1
                        yield outcome
            except ray.exceptions.RayError as error:
                if not num_done:  # else what is left is tried once more
                    raise TranslatorError(_reason_of(error)) from error
            except KeyboardInterrupt:
                is_interrupted = True
            # A new one, without the frames of Ray: what they hold has to be closed while Ray runs.
            if is_interrupted:
                raise KeyboardInterrupt

    def _outcomes(
        self,
        ray: ModuleType,
        job: Job,
        parts: Sequence[tuple[Part, str]],
        shared: tuple[ActorHandle, ObjectRef | None],
    ) -> Dataset:
        """Return a dataset of outcomes, computed as they are read: a block for each part."""
        context = ray.data.DataContext.get_current()
        context.enable_progress_bars = context.print_on_execution_start = False
        context.target_max_block_size = OUTPUT_BYTES
        context.max_consecutive_actor_init_deaths = ATTEMPTS
        context.max_errored_blocks = -1  # what is missing at the end is done again, or told
        cpus = ray.cluster_resources().get("CPU", 1)
        size = min(self._actors or max(1, int(cpus // job.threads)), len(parts))
        can_grow = bool(self._address) and self._actors is None
        rows = [as_row(part, name) for part, name in parts]
        return ray.data.from_items(rows, override_num_blocks=len(rows)).map(
            PartActor,
            fn_constructor_args=(job, *shared),
            compute=ray.data.ActorPoolStrategy(
                min_size=1,
                initial_size=size,
                max_size=None if can_grow else size,
                max_tasks_in_flight_per_actor=1,
            ),
            num_cpus=job.threads,
        )


def _reason_of(error: Exception) -> str:
    """Return in one line what Ray says of itself in many: the last one has the reason."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    reason = lines[-1] if lines else type(error).__name__
    return (
        f"Ray has given up ({reason}). Each machine needs the "
        "same version of Python, of Ray and of this package. The same command does what is left"
    )


@contextmanager
def _ray(address: str, actors: int | None, threads: int) -> Iterator[ModuleType]:
    """Connect to a cluster, or start Ray here until the context ends.

    Raises:
        ConfigError: there is no cluster at the address.
    """
    folder = None
    os.environ.update(QUIET)
    settings: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address:
        settings["address"] = address
    else:
        os.environ.update(OWN, RAY_AUTH_TOKEN=secrets.token_hex(32))
        place = tempfile.gettempdir()
        folder = tempfile.mkdtemp(
            prefix="ray-", dir=place if len(place) <= LONGEST_FOLDER else "/tmp"
        )
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        settings |= {
            "num_cpus": actors * threads if actors else cores,
            "num_gpus": 0,
            "include_dashboard": False,
            "object_store_memory": OBJECT_BYTES,
            "_temp_dir": folder,
        }
    import ray
    import ray.data

    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    try:
        try:
            ray.init(**settings)
        except (ConnectionError, ValueError, RuntimeError) as error:
            where = f"--address {address}" if address else "starting Ray"
            raise ConfigError([f"{where}: {str(error).strip()}"], "bulk") from error
        yield ray
    finally:
        ray.shutdown()
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
