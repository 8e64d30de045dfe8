"""How functions are compiled: by Numba, once for each kind of CPU, without the interpreter's lock.

Compiled code is kept on disk, so that only the first process ever has to wait for it. Numba looks
at the file of a function only, not at those of the functions that it calls; the folder is therefore
named after all that is in this package.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., object])

RELAXED = {"reassoc", "contract", "arcp", "nsz", "nnan"}
"""Sums may be taken in lanes: in the same order for all rows, whoever they are computed with."""


def cache_folder() -> Path:
    """Return where compiled code is kept: `NUMBA_CACHE_DIR`, or in the user's cache folder.

    Where that cannot be written, it is a folder of the user's own among the temporary files. No one
    else may be able to write there, since what lies there is run.
    """
    sources = sorted(Path(__file__).parent.glob("*.py"))
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    if numba.config.CACHE_DIR:
        return Path(numba.config.CACHE_DIR) / f"compiled-{digest}"
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser())
    candidates = [base / "translator", Path(tempfile.gettempdir()) / f"translator-{os.getuid()}"]
    for folder in candidates:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            about = folder.stat()
        except OSError:
            continue
        is_own = about.st_uid == os.getuid() and not about.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        if os.access(folder, os.W_OK) and is_own:
            return folder / f"compiled-{digest}"
    return Path(tempfile.mkdtemp(prefix="translator-"))


numba.config.CACHE_DIR = str(cache_folder())


def compiled(function: Function) -> Function:
    """Compile a function when it is first called, or load it if that has been done before."""
    jit = numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=RELAXED)
    found: Function = jit(function)
    return found
