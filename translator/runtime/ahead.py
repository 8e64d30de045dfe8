"""Compiling ahead, in a process of its own: whoever waits for it can translate meanwhile, or leave.

It takes a third of a minute on a CPU that has not been seen before, and what it makes is kept (see
`jit.py`). A process that ends while LLVM compiles in one of its threads may crash; here only the
child compiles, and it goes on when its parent has ended. What is compiled depends on the number
format only, not on the model.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from translator import jit
from translator.commands import CommandParser
from translator.config import ModelConfig

NICENESS = 5
"""The child lets those who translate meanwhile go first."""

SMALL = ModelConfig(
    vocab_size=8, d_model=4, d_ff=4, num_heads=1, num_encoder_layers=1, num_decoder_layers=1
)


def is_done(precision: str) -> bool:
    """Return whether the kernels of a precision have been compiled for this CPU, and were kept."""
    marker = _marker(precision)
    return marker is not None and marker.exists()


def note_done(precision: str) -> None:
    """Note that they have."""
    marker = _marker(precision)
    if marker is not None:
        with contextlib.suppress(OSError):
            marker.parent.mkdir(parents=True, exist_ok=True)
            marker.touch()


def _marker(precision: str) -> Path | None:
    """Return the file that tells so; None if nothing can be kept."""
    folder = jit.folder()
    features, package = sorted(jit.cpu_features()), Path(jit.__file__).parent
    decides = f"{sys.version} {jit.version()} {features} {package}"  # by which Numba finds code
    digest = hashlib.sha256(decides.encode()).hexdigest()[:16]
    return None if folder is None else folder / f"{precision}-{digest}"


def compile_elsewhere(precision: str) -> None:
    """Let a child compile, and wait for it; do nothing if what it makes could not be found here."""
    if jit.folder() is None or jit.is_held():
        return
    command = [sys.executable, "-m", "translator.runtime.ahead", precision]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    quiet = subprocess.DEVNULL
    with contextlib.suppress(OSError):  # then it is compiled here
        subprocess.run(
            command,
            env=environment,
            stdin=quiet,
            stdout=quiet,
            stderr=quiet,
            start_new_session=True,
            check=False,
        )


def _alone() -> contextlib.AbstractContextManager[object]:
    """Return what waits until no other process compiles."""
    from filelock import FileLock

    folder = jit.folder()
    if folder is None:
        return contextlib.nullcontext()
    folder.mkdir(parents=True, exist_ok=True)
    return FileLock(folder / "lock")


def compile_here(precision: str) -> None:
    """Compile everything that translating takes."""
    from translator.model.weights import Weights, shapes_of
    from translator.runtime.arrange import arrange
    from translator.runtime.compiled.model import CompiledRuntime

    zeros = {name: np.zeros(shape, np.float32) for name, shape in shapes_of(SMALL).items()}
    CompiledRuntime(arrange(Weights(SMALL, zeros), ()), precision).warm_up()
    note_done(precision)


def main(arguments: list[str] | None = None) -> int:
    """Compile for one precision, unless another process has done so meanwhile."""
    parser = CommandParser(prog="python -m translator.runtime.ahead", description=__doc__)
    parser.add_argument("precision", choices=["int8", "float32"])
    precision = parser.parse_args(arguments).precision
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICENESS)
    with _alone():
        if not is_done(precision):
            compile_here(precision)
    return 0


if __name__ == "__main__":
    sys.exit(main())
