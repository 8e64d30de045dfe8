"""Every module has a file of tests at the same path."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("translator", "service", "training")


def file_of_tests(module: Path) -> Path:
    """Return where the tests of a module belong, both paths from the root.

    `__main__` and `gunicorn.conf` are tested by their first word.
    """
    return Path("tests", *module.parts[:-1], f"test_{module.name.partition('.')[0].strip('_')}.py")


def untested(root: Path) -> Iterator[str]:
    """Yield what is missing, for all modules but the `__init__`, which say what is in a room."""
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            module = path.relative_to(root)
            if path.name != "__init__.py" and not (root / file_of_tests(module)).exists():
                yield f"{module} has no {file_of_tests(module)}"


def test_every_module_has_its_tests() -> None:
    missing = list(untested(ROOT))
    assert missing == [], "\n".join(missing)


def test_a_module_without_tests_is_named(tmp_path: Path) -> None:
    for path in ("translator/a/__init__.py", "translator/a/b.py", "training/__main__.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    missing = "training/__main__.py has no tests/training/test_main.py"
    assert list(untested(tmp_path)) == [
        "translator/a/b.py has no tests/translator/a/test_b.py",
        missing,
    ]
    (tmp_path / "tests/translator/a").mkdir(parents=True)
    (tmp_path / "tests/translator/a/test_b.py").touch()
    assert list(untested(tmp_path)) == [missing]
