"""Several training processes on this machine, started and ended together.

`torchrun` does the same, but ends with a traceback of its own when it is interrupted.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence

from translator.errors import TranslatorError

SHUTDOWN_S = 300  # to score the dev set and write a checkpoint, before a process is killed


class LaunchError(TranslatorError):
    """A training process failed."""


def train_in_processes(count: int, arguments: Sequence[str]) -> None:
    """Run `python -m training` with these arguments in `count` processes that know each other.

    SIGINT and SIGTERM are handed on to them. Each ends after the step in hand, and the first one
    writes a checkpoint.

    Raises:
        KeyboardInterrupt: after such a signal, when all have ended.
        LaunchError: one has failed; the others are stopped.
    """
    from torch.distributed.elastic.multiprocessing.api import SignalException
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
    from torch.distributed.launcher.api import LaunchConfig, elastic_launch

    for name in ("agent.server.api", "multiprocessing.api"):
        logging.getLogger(f"torch.distributed.elastic.{name}").setLevel(logging.CRITICAL)
    os.environ.setdefault("TORCH_ELASTIC_SHUTDOWN_TIMEOUT", str(SHUTDOWN_S))
    os.environ.setdefault("OMP_NUM_THREADS", str(max((os.cpu_count() or 1) // count, 1)))
    config = LaunchConfig(
        min_nodes=1,
        max_nodes=1,
        nproc_per_node=count,
        run_id=str(os.getpid()),
        rdzv_backend="c10d",
        rdzv_endpoint="localhost:0",
        max_restarts=0,
    )
    try:
        elastic_launch(config, sys.executable)("-m", "training", *arguments)
    except SignalException:
        raise KeyboardInterrupt from None
    except ChildFailedError as error:
        raise LaunchError("a training process failed; its own message is above") from error
