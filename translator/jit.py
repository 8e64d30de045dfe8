"""How functions are compiled: by Numba, once for each kind of CPU, without the interpreter's lock.

Compiled code is kept on disk, so that only the first process ever has to wait for it. Numba looks
at the file of a function only, not at those of the functions that it calls; the folder is therefore
named after everything that is compiled.

Without Numba, functions stay as they are: search is slow then, and there are no kernels.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import os
import platform
import shutil
import stat
import sys
import tempfile
import types
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

try:
    import numba
    from numba.core.caching import FunctionCache, NullCache
    from numba.core.codegen import get_host_cpu_features
    from numba.core.registry import cpu_target
    from numba.core.sigutils import normalize_signature
except ImportError:
    numba = None

Function = TypeVar("Function", bound=Callable[..., object])

COMPILED = (
    *("jit.py", "config.py", "strict.py", "model/positions.py", "search/*.py"),
    *("runtime/plan.py", "runtime/kernels/*.py", "runtime/compiled/*.py"),
)
"""Files that have compiled functions, or numbers that are compiled into them, in the package."""


AT_HWCAP, HWCAP_ASIMDDP = 16, 1 << 20
"""Where Linux says what an ARM CPU can do, and its bit for dot products."""


def compiles() -> bool:
    """Return whether Numba is there and compiles."""
    return numba is not None and not numba.config.DISABLE_JIT


def cpu_features() -> frozenset[str]:
    """Return what Numba compiles for, in LLVM's words, such as `+avx2`; nothing without Numba.

    Those are the features of the CPU at hand that the system lets programs use, unless
    `NUMBA_CPU_FEATURES` or `hold_to` says otherwise. LLVM ends the process over an instruction that
    the CPU lacks.
    """
    if not compiles():
        return frozenset()
    _name_arm_features()
    _, _, features = cpu_target.target_context.codegen().magic_tuple()
    return frozenset(features.split(","))


def version() -> str:
    """Return Numba's version; nothing without Numba."""
    return numba.__version__ if compiles() else ""


def is_held() -> bool:
    """Return whether functions are compiled for another CPU than the one at hand."""
    return bool(numba and numba.config.CPU_NAME)


def hold_to(features: Collection[str]) -> None:
    """Compile as for a CPU that has these features and no others; before all else."""
    if compiles():
        numba.config.CPU_NAME = "generic" if _is_arm() else "x86-64"
        _compile_with(features)


def _compile_with(features: Iterable[str]) -> None:
    numba.config.CPU_FEATURES = ",".join(sorted(features))
    vars(cpu_target).pop("_toplevel_target_context", None)  # it has asked for the CPU's own


def _is_arm() -> bool:
    return platform.machine() in ("aarch64", "arm64")


def _name_arm_features() -> None:
    """Have Numba compile for NEON and its dot products, for which LLVM does not always look."""
    if not (_is_arm() and compiles()) or numba.config.CPU_FEATURES is not None:
        return
    found = {"+neon", "+dotprod"} if _arm_has_dot_products() else {"+neon"}
    _compile_with({*get_host_cpu_features().split(",")} - {"", "-neon", "-dotprod"} | found)


def _arm_has_dot_products() -> bool:
    """Return what the system says; all of Apple's have them."""
    if sys.platform == "darwin":
        return True
    if not sys.platform.startswith("linux"):
        return False
    return bool(ctypes.CDLL(None).getauxval(AT_HWCAP) & HWCAP_ASIMDDP)


def cache_folder() -> Path | None:
    """Return where compiled code is kept: `NUMBA_CACHE_DIR`, or in the user's cache folder.

    Where that cannot be written, it is a folder of the user's own among the temporary files, and
    None if there is no such folder either. What lies there is run: of those that we choose, no one
    else may be able to write to them.
    """
    package = Path(__file__).parent
    sources = sorted(path for pattern in COMPILED for path in package.glob(pattern))
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    chosen = numba and numba.config.CACHE_DIR
    if chosen and _is_writable(Path(chosen)):
        return Path(chosen) / f"compiled-{digest}"
    for folder in _own_folders():
        if _is_writable(folder) and _is_private(folder):
            return folder / f"compiled-{digest}"
    return None


def _own_folders() -> Iterator[Path]:
    with contextlib.suppress(RuntimeError):  # there may be no home
        home = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
        yield Path(home) / "translator"
    with contextlib.suppress(OSError):
        yield Path(tempfile.gettempdir()) / f"translator-{_user()}"


def _user() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0


def _is_writable(folder: Path) -> bool:
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return os.access(folder, os.W_OK | os.X_OK)


def _is_private(folder: Path) -> bool:
    about = folder.lstat()  # of the folder itself: a link may point elsewhere tomorrow
    is_open = about.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return stat.S_ISDIR(about.st_mode) and about.st_uid == _user() and not is_open


folder = functools.cache(cache_folder)
"""The same, worked out (and made) when something is first compiled."""

_functions: list[Any] = []


class DeferredCache:
    """What has been compiled of one function: Numba's own cache, opened when it is first needed."""

    def __init__(self, function: Callable[..., object]) -> None:
        """Belong to a function; look at no file yet."""
        self._function = function

    @functools.cached_property
    def _cache(self) -> Any:
        place = folder()
        if place is None:
            return NullCache()
        before = numba.config.CACHE_DIR, numba.config.CACHE_LOCATOR_CLASSES
        numba.config.CACHE_DIR = str(place)
        numba.config.CACHE_LOCATOR_CLASSES = "UserProvidedCacheLocator"  # here or nowhere
        try:
            return FunctionCache(self._function)
        finally:
            numba.config.CACHE_DIR, numba.config.CACHE_LOCATOR_CLASSES = before

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return what has been kept for the types of arguments, if anything; see `record_type`."""
        arguments, _ = normalize_signature(signature)
        kinds = [getattr(one, "dtype", one) for one in arguments]
        records = [one for one in kinds if isinstance(one, numba.types.Record)]
        assert all(one._code >= FIRST_NUMBER for one in records), f"no record_type: {records}"
        return self._cache.load_overload(signature, target_context)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)


_records: list[Any] = []
"""Numba's types of records, which it would forget, and number anew, if no one held them."""

FIRST_NUMBER = 1 << 30
"""Of records: far above those that Numba gives by itself, and two of these fit into 31 bits."""


def record_type(fields: Any) -> np.dtype[Any]:
    """Return the dtype of records with these fields, which compiled functions can take.

    Numba names code after the types of its arguments, and a record by the order in which a process
    has met it. So the code of two processes that have compiled for different records, one in int8
    and one in float32, would have the same names, and a third process that loads both would run one
    in place of the other. Here a record's number is made of what it holds.
    """
    dtype: np.dtype[Any] = np.dtype(fields)
    if numba is not None:
        _number(numba.from_dtype(dtype))
    return dtype


def _number(kind: Any) -> None:
    """Give a record, and those inside, numbers of their own, as long as nothing is compiled."""
    if not isinstance(kind, numba.types.Record):
        return
    for field in kind.fields.values():
        _number(field.type)
    digest = hashlib.sha256(kind.name.encode()).digest()
    kind._code = FIRST_NUMBER + int.from_bytes(digest[:4]) % FIRST_NUMBER
    _records.append(kind)


def compiled(function: Function) -> Function:
    """Compile a function when it is first called, or load it if that has been done before.

    Operations keep their order. If they did not have to, the last bits of a sum would depend on
    what it was compiled with, and on which of several compiled copies has been loaded first; sums
    in lanes are written out (`runtime/kernels/vectors.py`).
    """
    if not compiles():
        return function
    made = numba.njit(nogil=True, error_model="numpy")(function)
    made._cache = DeferredCache(function)
    _functions.append(made)
    found: Function = made
    return found


@functools.cache
def interpreted(function: Function) -> Function:
    """Return a compiled function as it was written, and all that it calls likewise."""
    plain = getattr(function, "py_func", None)
    if plain is None:
        return function
    known = plain.__globals__
    called = {name: known[name] for name in plain.__code__.co_names if name in known}
    own = {name: interpreted(one) for name, one in called.items() if hasattr(one, "py_func")}
    made: Any = types.FunctionType(plain.__code__, known | own, plain.__name__)
    found: Function = made
    return found


def compile_now(do: Callable[[], None]) -> None:
    """Call functions, so that they are compiled, or loaded if that has been done before.

    What has been kept may be damaged, and the disk full: if it fails, all is compiled once more.
    """
    _name_arm_features()
    try:
        do()
    except Exception:
        forget()
        do()


def forget() -> None:
    """Delete what has been kept, which may be damaged, and keep nothing more in this process."""
    place = folder()
    if place is not None:
        shutil.rmtree(place, ignore_errors=True)
    for function in _functions:
        function._cache = NullCache()
