"""The three laws of the house, and the size of its rooms.

1. training → translator ← service: neither outer package imports the other, and translator imports
   neither.
2. Only a model directory passes from training to service: the service imports no torch and nothing
   of the model, only the translator's public face.
3. Every import points downward in the order of `ORDER`.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# lowest first: a module may import only modules above it in this list
ORDER = {
    "translator": [
        *(
            "errors",
            "commands",
            "config",
            "files",
            "characters",
            "placeholders",
            "wrapping",
            "text",
            "tokenizer",
            "decoding.special_ids",
            "parts",
            "jit",
            "rows",
            "batch",
            "output_pieces",
        ),
        *("model.dropout", "model.attention", "model.layers"),
        *(
            "model.transformer",
            "checkpoint",
            "model.best_ids",
            "model.torchscript",
        ),
        *("model.kv_cache", "model.fused", "model.fused_encoder", "model.fused_decoder"),
        *("model.thread_count", "model.inference"),
        *(
            "model.int8.vectors",
            "model.int8.tile",
            "model.int8.address",
            "model.int8.powers",
            "model.int8.records",
            "model.int8.norm",
        ),
        "model.int8.layout",
        *("model.int8.arithmetic", "model.int8.products", "model.int8.sublayers"),
        *("model.int8.encoder", "model.int8.choice", "model.int8.decoder", "model.int8.slots"),
        "model.int8.model",
        *("decoding.hypothesis", "decoding.length_penalty"),
        *("decoding.ngram_blocking", "decoding.search", "decoding.beam", "decoding.running_batch"),
        "decoding.int8_steps",
        *("decoding.reranking", "decoding.scheduler", "decoding.engine"),
        *("decoding.engine_loop", "decoding.engine_pool"),
        *("decoding.torch_engine", "interop.ctranslate2", "decoding.ctranslate2_engine"),
        "decoding.engines",
        *("decoding.degeneration", "decoding.engine_call", "decoding.sentence_search"),
        *("attention_maps", "pipeline", "streaming"),
        *("benchmark.machine", "benchmark.subject", "benchmark.contenders", "benchmark.report"),
        *("benchmark.__main__", "cli", "__main__"),
    ],
    "service": ["config", "schemas", "errors", "connection", "routes", "app", "wsgi"],
    "training": [
        *(
            "config",
            "data_config",
            "corpus",
            "cleaning",
            "recipe",
            "subwords",
            "subword_sampling",
            "store",
            "data",
        ),
        *(
            "sampler",
            "loader",
            "marking",
            "preparation",
            "loss",
            "consistency",
            "machine",
            "rounding",
        ),
        *("criterion", "optimizer"),
        *(
            "schedule",
            "shared_gradients",
            "distributed",
            "provenance",
            "state",
            "progress",
            "interrupt",
        ),
        *("trainer", "average", "evaluate", "export", "finetune", "synthetic", "outputs"),
        *("report.run_log", "report.record", "report.sentences", "report.plots"),
        *("report.markdown", "report.sections", "report.examples", "report.document"),
        *("stages", "__main__"),
    ],
}
PUBLIC_FACE = {"translator", "translator.config", "translator.errors", "translator.pipeline"}
TORCH_FREE = {
    *("translator.decoding.scheduler", "translator.decoding.hypothesis", "translator.text"),
    *("translator.decoding.search", "translator.decoding.ngram_blocking"),
    *("translator.decoding.beam", "translator", "service.config", "service.schemas"),
}
MAX_FILE_LINES, MAX_FUNCTION_LINES = 300, 60


def modules(root: Path, package: str) -> Iterator[tuple[str, ast.Module]]:
    """Yield (dotted name, syntax tree) of every module of a package, packages' own included."""
    for path in sorted((root / package).rglob("*.py")):
        if ".conf" in path.name:
            continue  # gunicorn.conf.py is run by gunicorn, never imported
        parts = path.relative_to(root).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        yield name, ast.parse(path.read_text(encoding="utf-8"))


def imports(tree: ast.Module) -> Iterator[str]:
    """Yield the dotted name of every module that is imported, wherever the import stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide where they point"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


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


def upward_imports(root: Path, order: dict[str, list[str]]) -> list[str]:
    """Law 3; a module that the list lacks is a fault as well."""
    faults = []
    for package, names in order.items():
        rank = {f"{package}.{name}": place for place, name in enumerate(names)}
        for name, tree in modules(root, package):
            if any(starts_with(known, name) and known != name for known in rank):
                continue  # the __init__ of a folder: it re-exports
            if name not in rank:
                faults.append(f"{name} is not in ORDER; put it where its imports point downward")
                continue
            for target in resolve(imports(tree), rank):
                if rank[target] >= rank[name]:
                    faults.append(f"{name} imports {target}, which is above it")
    return faults


def resolve(imported: Iterable[str], rank: dict[str, int]) -> set[str]:
    """Return the ranked modules that `imported` names, or names a member of."""
    return {module for name in imported for module in rank if starts_with(name, module)}


def too_large(root: Path, package: str) -> list[str]:
    """Files over a few screens, functions over one, docstrings not counted; no docstring at all."""
    faults = []
    for name, tree in modules(root, package):
        if ast.get_docstring(tree) is None:
            faults.append(f"{name} has no docstring")
        lines = max((getattr(node, "end_lineno", 0) for node in tree.body), default=0)
        if lines > MAX_FILE_LINES:
            faults.append(f"{name} has {lines} lines; a file has one job, {MAX_FILE_LINES} at most")
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                docstring = (ast.get_docstring(node, clean=False) or "").count("\n") + 1
                length = (node.end_lineno or 0) - node.lineno + 1 - docstring
                if length > MAX_FUNCTION_LINES:
                    faults.append(f"{name}.{node.name} has {length} lines; it should fit a screen")
    return faults


def test_neither_outer_package_knows_the_other() -> None:
    assert foreign_imports(ROOT) == []


def test_the_service_knows_only_the_public_face() -> None:
    assert leaks_into_service(ROOT) == []


def test_every_import_points_downward() -> None:
    assert upward_imports(ROOT, ORDER) == []


def test_the_list_names_only_what_exists() -> None:
    for package, names in ORDER.items():
        existing = {name for name, _ in modules(ROOT, package)}
        assert {f"{package}.{name}" for name in names} <= existing


@pytest.mark.parametrize("package", ORDER)
def test_files_and_functions_are_small_and_say_what_they_are(package: str) -> None:
    assert too_large(ROOT, package) == []


@pytest.mark.parametrize("name", sorted(TORCH_FREE))
def test_some_modules_do_without_torch(name: str) -> None:
    code = f"import sys, {name}; print('torch' in sys.modules)"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_nothing_works_at_import(tmp_path: Path) -> None:
    code = "import translator.jit, translator.decoding.beam, translator.model.int8.model"
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "NUMBA_CACHE_DIR": ""}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, check=True)
    assert not list(tmp_path.iterdir()), "importing has made a folder"


def write(root: Path, **files: str) -> Path:
    for package in ("translator", "service", "training"):
        (root / package).mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (root / (name.replace("__", "/") + ".py")).write_text(text)
    return root


def test_the_checks_can_fail(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        translator__low='"""x"""\nfrom translator.high import x\n',
        translator__high='"""x"""\nimport training.loss\n',
        translator__extra="x = 1\n" * 400,
        service__routes='"""x"""\ndef f():\n    from translator.model.transformer import T\n',
        service__app="import torch\nfrom service import routes\nimport training\n",
        training__trainer='"""x"""\nfrom service.app import create_app\n',
    )
    order = {"translator": ["low", "high"], "service": ["routes", "app"], "training": ["trainer"]}
    assert upward_imports(root, order) == [
        "translator.extra is not in ORDER; put it where its imports point downward",
        "translator.low imports translator.high, which is above it",
    ]
    assert foreign_imports(root) == [
        "translator.high imports training.loss",
        "training.trainer imports service.app.create_app",
        "service.app imports training",
    ]
    assert leaks_into_service(root) == [
        "service.app imports torch",
        "service.routes imports translator.model.transformer.T",
    ]
    assert too_large(root, "translator") == [
        "translator.extra has no docstring",
        "translator.extra has 400 lines; a file has one job, 300 at most",
    ]
