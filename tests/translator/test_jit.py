"""Where compiled code is kept."""

from __future__ import annotations

import ast
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numba
import numpy as np
import pytest
from numba.core.caching import NullCache

from tests.cpu import NEEDS_INT8
from translator import jit


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()


def test_it_is_in_the_users_cache_folder_under_the_name_of_the_sources(tmp_path: Path) -> None:
    folder = jit.cache_folder()
    assert folder is not None
    assert folder.parent == tmp_path / "cache" / "translator"
    assert folder.name.startswith("compiled-")
    assert not stat.S_IMODE(folder.parent.stat().st_mode) & 0o077
    assert jit.cache_folder() == folder


def sources() -> list[Path]:
    package = Path(jit.__file__).parent
    return sorted(path for pattern in jit.COMPILED for path in package.glob(pattern))


def test_what_an_older_source_was_compiled_to_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    read, found = Path.read_bytes, {jit.cache_folder()}
    for source in sources():
        monkeypatch.setattr(
            Path, "read_bytes", lambda path, own=source: read(path) + b"#" * (path == own)
        )
        found.add(jit.cache_folder())
    assert len(found) == 1 + len(sources()) > 20


def test_whatever_is_compiled_into_functions_is_named_as_a_source() -> None:
    package, compiled = Path(jit.__file__).parent, sources()
    for source in compiled:
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("translator."):
                path = package / f"{(node.module or '').partition('.')[2].replace('.', '/')}.py"
                constants = [alias.name for alias in node.names if alias.name.isupper()]
                assert path in compiled or not constants, f"{source.name} takes {constants}"


def test_what_is_damaged_is_deleted_and_nothing_is_kept_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    function, folder = Mock(), tmp_path / "compiled"
    folder.mkdir()
    monkeypatch.setattr(jit, "_functions", [function])
    monkeypatch.setattr(jit, "folder", lambda: folder)
    calls: list[bool] = []

    def do() -> None:
        calls.append(folder.exists())
        if len(calls) == 1:
            raise EOFError("Ran out of input")

    jit.compile_now(do)
    assert calls == [True, False]
    assert isinstance(function._cache, NullCache)


def parent() -> Path | None:
    folder = jit.cache_folder()
    return folder and folder.parent


def test_numbas_own_setting_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "own"))
    assert parent() == tmp_path / "own"
    (tmp_path / "file").touch()
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "file" / "no-folder"))
    assert parent() == tmp_path / "cache" / "translator"


def test_without_a_home_it_is_a_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def homeless(_: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "expanduser", homeless)
    folder = parent()
    assert folder is not None
    assert folder.parent == tmp_path / "temporary"


@pytest.mark.parametrize("how", ["open", "link", "file"])
def test_where_others_may_write_nothing_is_kept(tmp_path: Path, how: str) -> None:
    own, other = tmp_path / "cache" / "translator", tmp_path / "other"
    own.parent.mkdir()
    other.mkdir()
    if how == "open":
        own.mkdir()
        own.chmod(0o777)
    elif how == "link":
        own.symlink_to(other)
    else:
        own.touch()
    first = parent()
    assert first is not None
    assert first.parent == tmp_path / "temporary"
    first.chmod(0o777)
    assert parent() is None, "then nothing is kept at all"


ROOT = Path(__file__).parents[2]

RUN = """
import numba
from translator.runtime.kernels.arithmetic import in_whole_vectors
print(in_whole_vectors(17), repr(numba.config.CACHE_DIR))
"""


def run(folder: Path) -> str:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    command = [sys.executable, "-c", RUN]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


@NEEDS_INT8
def test_what_is_kept_is_used_again_and_numbas_settings_stay(tmp_path: Path) -> None:
    expected = f"32 {str(tmp_path)!r}\n"
    assert run(tmp_path) == expected
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nbc")}
    assert kept
    assert run(tmp_path) == expected
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nbc")} == kept


RECORDS = """
import sys
import numpy as np
from translator import jit

TYPES = {
    kind: jit.record_type([("count", "i8"), ("kind", kind)]) for kind in ("i4", "f4")
}

@jit.compiled
def read(one):  # too long to be compiled into its caller, so that it is called by its name
    found = 0.0
    for number in range(one.count):
LINES
    return one.kind if found != 0.5 else 0

@jit.compiled
def read_both(records):
    return read(records[0]) + read(records[-1])

for kind in sys.argv[1:]:
    print(read_both(np.array([(1, 7.5)], TYPES[kind])))
""".replace("LINES", 60 * "        found = found * number + one.kind % (found + 1.5)\n")


@NEEDS_INT8
def test_what_two_processes_have_kept_of_other_records_is_not_mixed_up(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(RECORDS)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    expected = {"i4": "14", "f4": "15.0"}
    for kinds in (["i4"], ["f4"], ["f4", "i4"]):
        command = [sys.executable, str(program), *kinds]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.split() == [expected[kind] for kind in kinds]
    assert len([*tmp_path.rglob("*.nbc")]) == 4, "a file for each function and record"


def test_records_have_numbers_of_their_own_that_stay() -> None:
    inner = jit.record_type([("one", "i4")])
    outer, same = (jit.record_type([("inner", inner), ("other", "f4")]) for _ in "ab")
    alike = jit.record_type([("inner", inner), ("another", "f4")])
    numbers = [numba.from_dtype(dtype)._code for dtype in (inner, outer, alike)]
    assert numba.from_dtype(same)._code == numbers[1]
    assert numbers == [1527546361, 1370537515, 2047978373], "the same on every machine"


def test_records_whose_numbers_a_process_would_choose_are_not_compiled_for() -> None:
    @jit.compiled
    def first(records: Any) -> Any:
        return records[0].one

    with pytest.raises(AssertionError, match="no record_type"):
        first(np.zeros(1, [("one", "i2")]))


WITHOUT = """
import sys
sys.modules["numba"] = None
from translator.pipeline.translator import Translator
from translator import jit
assert not jit.compiles()
with Translator.load("translator/pretrained/multi30k-de-en") as translator:
    print(translator.translate(["Zwei Hunde spielen."], source="de", target="en")[0].text)
"""


def test_without_numba_everything_is_slower_and_in_floats() -> None:
    command = [sys.executable, "-c", WITHOUT]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "Two dogs are playing.\n"


@jit.compiled
def doubled(number: int) -> int:
    return 2 * number


@jit.compiled
def doubled_twice(number: int) -> int:
    return doubled(doubled(number))


def test_what_is_interpreted_calls_nothing_compiled() -> None:
    plain = jit.interpreted(doubled_twice)
    assert not hasattr(plain, "py_func")
    assert plain(3) == 12
    assert jit.interpreted(plain) is plain
    assert jit.interpreted(doubled_twice) is plain
    assert not getattr(doubled, "overloads", None), "nothing has been compiled"


@pytest.mark.parametrize(
    ("system", "bits", "has_dot"),
    [
        ("linux", 1 << 20 | 0xFF, True),
        ("linux", 0xFF, False),
        ("darwin", 0, True),
        ("win32", 0, False),
    ],
)
def test_numba_is_told_what_an_arm_cpu_can_do(
    monkeypatch: pytest.MonkeyPatch, system: str, bits: int, has_dot: bool
) -> None:
    told, library = Mock(), Mock()
    library.return_value.getauxval.return_value = bits
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    monkeypatch.setattr("sys.platform", system)
    monkeypatch.setattr("ctypes.CDLL", library)
    monkeypatch.setattr(numba.config, "CPU_FEATURES", None)
    monkeypatch.setattr(jit, "get_host_cpu_features", lambda: "+crc,-neon,-sve")
    monkeypatch.setattr(jit, "_compile_with", told)
    jit.compile_now(lambda: None)
    told.assert_called_once_with({"+crc", "-sve", "+neon"} | ({"+dotprod"} if has_dot else set()))


def test_numba_is_told_nothing_where_features_are_named_or_llvm_knows_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = Mock()
    monkeypatch.setattr(jit, "_compile_with", told)
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    jit.compile_now(lambda: None)
    monkeypatch.setattr("platform.machine", lambda: "arm64")
    monkeypatch.setattr(numba.config, "CPU_FEATURES", "+neon")
    jit.compile_now(lambda: None)
    told.assert_not_called()
