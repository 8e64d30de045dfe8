"""The four laws of the house, and what every folder, file and function says or fits.

1. training → translator ← service: neither outer package imports the other, and translator imports
   neither.
2. Only a model directory passes from training to service: the service imports no torch and nothing
   of the model, only the translator's public face.
3. Every import points downward in the order of `ROOMS`; inside a room there are no circles.
4. Code protects and checks, and only the model translates: the rooms of texts and rules have no
   further table of words of a language.
"""

from __future__ import annotations

import ast
import functools
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.alone import run_alone

ROOT = Path(__file__).parents[1]

# lowest first: what is in a room may import only from rooms above it in this list, and from its own
ROOMS = {
    "translator": [
        *(
            "python_version",
            "errors",
            "strict",
            "config",
            "extras",
            "durable",
            "progress",
            "deadline",
            "files",
            "jit",
            "commands",
            "language_names",
        ),
        *("text", "rules", "documents", "detection", "tokens", "model", "store", "downloads"),
        *("search", "runtime", "engine", "alignment", "pipeline", "bulk", "cli", "__main__"),
    ],
    "service": [
        *("config", "storage", "http", "access", "libretranslate", "files", "deepl", "extensions"),
        *("operations", "openapi", "page", "start", "worker", "wsgi", "__main__"),
    ],
    "training": [
        *(
            "machine",
            "commands",
            "config",
            "data",
            "recipe",
            "objective",
            "loop",
            "report",
            "word_list",
            "lexicon",
            "sources",
            "paragraphs",
            "stages",
            "cli",
        ),
        "__main__",
    ],
}
PUBLIC_FACE = {
    *("translator", "translator.config", "translator.errors", "translator.language_names"),
    *("translator.documents.kinds", "translator.downloads.fetching"),
    "translator.downloads.registry",
}
LIGHT = {
    *("translator.documents.markup.html", "translator.documents.markup.markdown"),
    *("translator", "service.config", "service.start.app", "training.config"),
    *("translator.text.segmentation", "translator.tokens.tokenizer", "translator.pipeline.chunks"),
    *("translator.text.glossary", "translator.pipeline.texts"),
    *("translator.engine.scheduler", "translator.engine.port"),
    *("translator.detection.detector", "translator.documents.kinds"),
}
"""What loads neither PyTorch nor Numba."""

COMPILED = {
    *(f"translator.search.{name}" for name in ("search", "beam", "hypothesis")),
    *("translator.engine.start", "translator.runtime.compiled.model", "translator.runtime.ahead"),
    *("translator.pipeline.translator", "translator.pipeline.models.model_set"),
    *("translator.store.model_directory", "translator.downloads.fetching"),
    *("translator.store.imports.marian.directory", "translator.pipeline.scoring"),
    *("translator.cli.translate", "service.start.models"),
}
"""What loads no PyTorch: all that translates on a CPU."""

MAX_FUNCTION_LINES = 60

MAX_WORDS = 12
"""Words of a language that one string of these rooms may have; more are a table."""

TABLES_OF_WORDS = {
    "translator.rules.capitals": "how German words are written that are no nouns",
    "translator.rules.negation": "negations",
    "translator.rules.digits": "suffixes of numbers",
    "translator.rules.kinds": "units and months",
    "translator.rules.signs": "words behind which no noun is counted",
    "translator.text.lone_numbers": "units",
    "translator.text.wrapping": "closings",
    "translator.text.segmentation": "where a sentence ends, and where it does not",
    "translator.text.span_kinds": "endings of files, names of code",
    "translator.text.spans": "words beside paths, names and money",
    "translator.rules.spelling": "stems with an umlaut or `ß`",
}
"""Modules with such a table, and what it is. A phrase that a model misreads is training text."""


BUDGET = {
    "translator": {
        "base": 1720,
        "alignment": 1270,
        "bulk": 1931,
        "cli": 1563,
        "detection": 542,
        "documents": 13264,
        "downloads": 998,
        "engine": 1401,
        "model": 1195,
        "pipeline": 4796,
        "rules": 3588,
        "runtime": 6124,
        "search": 528,
        "store": 3351,
        "text": 2974,
        "tokens": 1136,
    },
    "service": {
        "base": 1800,
        "access": 747,
        "deepl": 2063,
        "files": 893,
        "http": 1595,
        "libretranslate": 1649,
        "operations": 808,
        "start": 432,
        "worker": 814,
    },
    "training": {
        "base": 2020,
        "data": 1947,
        "loop": 1609,
        "objective": 331,
        "report": 902,
        "stages": 1938,
    },
}
"""Lines of each room; `base` has the files beside the rooms. It holds rooms, not files: nobody
has to pack lines. Who makes a room grow raises the number in the same commit, and says why in its
message; who thins a room lowers it."""


def modules(root: Path, package: str) -> Iterator[tuple[str, ast.Module]]:
    """Yield (dotted name, syntax tree) of every module of a package, packages' own included."""
    for path in sorted((root / package).rglob("*.py")):
        if ".conf" in path.name:
            continue  # gunicorn.conf.py is run by gunicorn, never imported
        parts = path.relative_to(root).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        yield name, parsed(path.read_text(encoding="utf-8"))


@functools.cache
def parsed(code: str) -> ast.Module:
    return ast.parse(code)


@functools.cache
def imports(tree: ast.Module) -> list[str]:
    """Return the dotted name of every module that is imported, wherever the import stands."""
    found = list[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide where they point"
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def starts_with(name: str, module: str) -> bool:
    return name == module or name.startswith(module + ".")


def foreign_imports(root: Path) -> list[str]:
    """Law 1."""
    forbidden = {
        "translator": ("training", "service", "tests"),
        "training": ("service", "tests"),
        "service": ("training", "tests"),
    }
    return [
        f"{name} imports {imported}"
        for package, others in forbidden.items()
        for name, tree in modules(root, package)
        for imported in imports(tree)
        if any(starts_with(imported, other) for other in others)
    ]


def leaks_into_service(root: Path) -> list[str]:
    """Law 2."""
    return [
        f"{name} imports {imported}"
        for name, tree in modules(root, "service")
        for imported in imports(tree)
        if starts_with(imported, "torch")
        or (
            starts_with(imported, "translator")
            and imported.rpartition(".")[0] not in PUBLIC_FACE
            and imported not in PUBLIC_FACE
        )
    ]


def room_of(module: str, rooms: dict[str, list[str]]) -> tuple[str, int] | None:
    """Return package and rank of the room that a module is in; None if it is in none."""
    package, _, rest = module.partition(".")
    room = rest.partition(".")[0]
    names = rooms.get(package, [])
    return (package, names.index(room)) if room in names else None


def upward_imports(root: Path, rooms: dict[str, list[str]]) -> list[str]:
    """Law 3 between rooms; a room that the list lacks is a fault as well."""
    faults = []
    for package in rooms:
        for name, tree in modules(root, package):
            if name == package:
                continue  # its face re-exports
            own = room_of(name, rooms)
            if own is None:
                faults.append(f"{name} is in no room of ROOMS")
                continue
            for imported in sorted(set(imports(tree))):
                theirs = room_of(imported, rooms)
                if theirs and theirs[0] == package and theirs[1] > own[1]:
                    faults.append(f"{name} imports {imported}, which is in a room above it")
    return faults


def circles(root: Path, package: str) -> list[str]:
    """Law 3 inside a room: no module imports itself by way of others."""
    trees = dict(modules(root, package))
    targets: dict[str, set[str]] = {}
    for name, tree in trees.items():
        named = ([known for known in trees if starts_with(found, known)] for found in imports(tree))
        targets[name] = {max(known, key=len) for known in named if known} - {name, package}
    while removable := [name for name, those in targets.items() if not those & targets.keys()]:
        for name in removable:
            del targets[name]
    return [f"{name} is in a circle of imports" for name in sorted(targets)]


def unexplained_folders(root: Path, package: str) -> list[str]:
    """Folders whose `__init__` does not say in a sentence what may live there."""
    faults = []
    for folder in sorted({path.parent for path in (root / package).rglob("*.py")}):
        face = folder / "__init__.py"
        said = ast.get_docstring(
            ast.parse(face.read_text(encoding="utf-8") if face.exists() else "")
        )
        if not (said and said.partition("\n\n")[0].endswith(".")):
            faults.append(f"{folder.name}/__init__.py does not say what may live there")
    return faults


def large_or_unexplained(root: Path, package: str) -> list[str]:
    """Files without a docstring, functions over a screen; docstrings are not counted."""
    faults = []
    for name, tree in modules(root, package):
        if ast.get_docstring(tree) is None:
            faults.append(f"{name} has no docstring")
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                docstring = (ast.get_docstring(node, clean=False) or "").count("\n") + 1
                length = (node.end_lineno or 0) - node.lineno + 1 - docstring
                if length > MAX_FUNCTION_LINES:
                    faults.append(f"{name}.{node.name} has {length} lines; it should fit a screen")
    return faults


def tables_of_words(root: Path) -> list[str]:
    """Law 4: modules of texts and rules with a string of many words, but for docstrings."""
    found = []
    for name, tree in modules(root, "translator"):
        if not starts_with(name, "translator.text") and not starts_with(name, "translator.rules"):
            continue
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        strings = (
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and id(node) not in docstrings
        )
        if any(isinstance(text, str) and num_words(text) > MAX_WORDS for text in strings):
            found.append(name)
    return found


def num_words(text: str) -> int:
    return sum(len(part) > 2 and part.isalpha() for part in re.split("[| ]", text))


def over_budget(root: Path, package: str, budget: dict[str, int]) -> list[str]:
    """Return the rooms of a package that have more lines than they may, or that have no budget."""
    sizes = dict.fromkeys(budget, 0)
    for path in sorted((root / package).rglob("*.py")):
        parts = path.relative_to(root / package).parts
        room = parts[0] if len(parts) > 1 else "base"
        sizes[room] = sizes.get(room, 0) + path.read_text(encoding="utf-8").count("\n")
    return [
        f"{package}/{room} has {lines} lines, and may have {budget.get(room, 0)}"
        for room, lines in sizes.items()
        if lines > budget.get(room, 0)
    ]


@pytest.mark.parametrize("package", ROOMS)
def test_no_room_has_grown(package: str) -> None:
    assert over_budget(ROOT, package, BUDGET[package]) == []


def test_neither_outer_package_knows_the_other() -> None:
    assert foreign_imports(ROOT) == []


def test_the_service_knows_only_the_public_face() -> None:
    assert leaks_into_service(ROOT) == []


def test_every_import_points_downward() -> None:
    assert upward_imports(ROOT, ROOMS) == []


def test_texts_and_rules_have_no_further_tables_of_words() -> None:
    assert tables_of_words(ROOT) == sorted(TABLES_OF_WORDS)


@pytest.mark.parametrize("package", ROOMS)
def test_inside_a_room_imports_have_an_order(package: str) -> None:
    assert circles(ROOT, package) == []


@pytest.mark.parametrize("package", ROOMS)
def test_folders_say_what_may_live_there(package: str) -> None:
    assert unexplained_folders(ROOT, package) == []


def test_the_list_names_only_what_exists() -> None:
    for package, names in ROOMS.items():
        existing = {name.split(".")[1] for name, _ in modules(ROOT, package) if "." in name}
        assert {*names} == existing


@pytest.mark.parametrize("package", ROOMS)
def test_files_say_what_they_are_and_functions_fit_a_screen(package: str) -> None:
    assert large_or_unexplained(ROOT, package) == []


@pytest.mark.parametrize(
    ("names", "heavy"),
    [(LIGHT, {"torch", "numba"}), (COMPILED, {"torch"})],
    ids=["light", "compiled"],
)
def test_some_modules_do_without_torch_or_numba(names: set[str], heavy: set[str]) -> None:
    code = (
        "import importlib, sys\n"
        f"for name in {sorted(names)!r}:\n"
        "    importlib.import_module(name)\n"
        f"    if loaded := {heavy!r} & {{*sys.modules}}:\n"
        "        sys.exit(f'{name} loads {loaded}')\n"
    )
    run_alone(code)


def test_nothing_works_at_import(tmp_path: Path) -> None:
    code = "import translator.jit, translator.search.beam, translator.runtime.compiled.model"
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "NUMBA_CACHE_DIR": ""}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, check=True)
    assert not list(tmp_path.iterdir()), "importing has made a folder"


def write(root: Path, **files: str) -> Path:
    for package in ("translator", "service", "training"):
        (root / package).mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = root / (name.replace("__", "/") + ".py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return root


def test_the_checks_can_fail(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        translator__low='"""x"""\nfrom translator.high import x\n',
        translator__high='"""x"""\nimport training.loss\n',
        translator__extra="def f():\n" + "    x = 1\n" * 80,
        translator__text='"""x"""\nx = "' + "word|" * 20 + '"\n',
        service__routes='"""x"""\ndef f():\n    from translator.model.transformer import T\n',
        service__app="import torch\nfrom service import routes\nimport training\n",
        training__trainer='"""x"""\nfrom service.app import create_app\n',
    )
    rooms = {
        "translator": ["text", "low", "high"],
        "service": ["routes", "app"],
        "training": ["trainer"],
    }
    assert upward_imports(root, rooms) == [
        "translator.extra is in no room of ROOMS",
        "translator.low imports translator.high.x, which is in a room above it",
    ]
    assert over_budget(root, "service", {"base": 3}) == ["service/base has 6 lines, and may have 3"]
    assert tables_of_words(root) == ["translator.text"]
    (root / "translator" / "text.py").unlink()
    assert circles(root, "translator") == []
    write(root, translator__high="from translator import low\n")
    assert circles(root, "translator") == [
        "translator.high is in a circle of imports",
        "translator.low is in a circle of imports",
    ]
    (root / "translator" / "room").mkdir()
    (root / "translator" / "room" / "__init__.py").touch()
    faults = unexplained_folders(root, "translator")
    shutil.rmtree(root / "translator" / "room")
    assert faults == [
        "translator/__init__.py does not say what may live there",
        "room/__init__.py does not say what may live there",
    ]
    write(root, translator__high='"""x"""\nimport training.loss\n')
    assert foreign_imports(root) == [
        "translator.high imports training.loss",
        "training.trainer imports service.app.create_app",
        "service.app imports training",
    ]
    assert leaks_into_service(root) == [
        "service.app imports torch",
        "service.routes imports translator.model.transformer.T",
    ]
    assert large_or_unexplained(root, "translator") == [
        "translator.extra has no docstring",
        "translator.extra.f has 80 lines; it should fit a screen",
    ]
