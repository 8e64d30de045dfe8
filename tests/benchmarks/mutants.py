"""What the tests would catch: random small faults in the product, and whether a test fails.

    python -m tests.benchmarks.mutants > mutants.txt
    python -m tests.benchmarks.mutants --mutants mutants.txt    # the same ones, later

A mutant is a comparison that is turned (`<` to `<=`), a condition that is negated, a number or
truth value that is another, or a statement that is left out. Each is made in a temporary copy: of a
commit, or by default of the tracked files as they are. The tests that name its module or mirror its
folder then have some minutes. A test that kills it must pass without it, or it is `spoiled`. It is
known by its function and the text of its line, and so found again when files have moved.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict, namedtuple
from collections.abc import Callable, Iterator
from functools import partial
from math import sqrt
from pathlib import Path

SEED, ROOTS = 20_261_129, ("translator", "service", "training")
SIGNS = {ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">")}
SIGNS |= {ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.In: ("in", "not in")}
SIGNS |= {ast.NotIn: ("not in", "in"), ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is")}
FLAGS = ("-x", "-m", "not slow", "-p", "no:cacheprovider")
Place = tuple[Path, int, int, int]  # file, line, and the bytes that are replaced
Mutant = namedtuple("Mutant", "function line kind before after")  # the function by its whole name


def mutants_of(path: Path) -> Iterator[tuple[Mutant, Place]]:
    """Yield all mutants of a file."""
    lines = (source := path.read_bytes()).splitlines(keepends=True)
    for function, node in nodes(ast.parse(source), ""):
        for kind, part, rewrite in changes(node):
            begin = sum(map(len, lines[: part.lineno - 1])) + part.col_offset
            end = sum(map(len, lines[: (part.end_lineno or 1) - 1])) + (part.end_col_offset or 0)
            before, line = source[begin:end].decode(), lines[part.lineno - 1].decode().strip()
            place = (path, part.lineno, begin, end)
            yield Mutant(function, line, kind, before, rewrite(before)), place


def nodes(tree: ast.AST, function: str) -> Iterator[tuple[str, ast.AST]]:
    """Yield the nodes of a file, each with the qualified name of its function or class."""
    for node in ast.iter_child_nodes(tree):
        test = ast.unparse(node.test) if isinstance(node, ast.If) else ""
        if test in ("TYPE_CHECKING", "__name__ == '__main__'") or isinstance(node, ast.JoinedStr):
            continue
        is_named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        name = f"{function}.{getattr(node, 'name', '')}".lstrip(".") if is_named else function
        yield name, node
        yield from nodes(node, name)


def changes(node: ast.AST) -> Iterator[tuple[str, ast.expr | ast.stmt, Callable[[str], str]]]:
    """Yield kinds of mutants, what of a node they replace, and how that is rewritten."""
    match node:
        case ast.Compare(ops=[operator]):
            sign, turned = SIGNS[type(operator)]
            yield "comparison", node, lambda text: text.replace(f" {sign} ", f" {turned} ", 1)
        case ast.If() | ast.IfExp() | ast.While():
            yield "condition", node.test, "(not ({}))".format
        case ast.Constant(value=bool(value) | int(value) | float(value)):
            other = not value if isinstance(value, bool) else value + 1
            yield "constant", node, lambda _: repr(other)
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]) | ast.Expr(value=ast.Call()):
            yield "statement", node, lambda _: "pass"
        case ast.AugAssign() | ast.Raise() | ast.Delete():
            yield "statement", node, lambda _: "pass"


def tests_of(path: Path, root: Path) -> list[str]:
    """Return the tests that name a module, then those of the folder that mirrors its own."""
    module = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
    texts = (module, "from {} import {}".format(*module.rpartition(".")[::2]))
    files = sorted((root / "tests").rglob("test_*.py"))
    naming = [file for file in files if any(text in file.read_text() for text in texts)]
    mirrored = root / "tests" / path.parent.relative_to(root)
    while not mirrored.is_dir():
        mirrored = mirrored.parent
    pattern = "test_*.py" if mirrored.parent.name == "tests" else "**/test_*.py"
    return list(dict.fromkeys(map(str, [*naming, *sorted(mirrored.glob(pattern))])))


def verdict_of(mutant: Mutant, place: Place, root: Path, limit_s: float) -> str:
    """Make a mutant, run its tests up to the first failure, and unmake it."""
    path, _, begin, end = place
    source, tests = path.read_bytes(), tests_of(path, root)
    command = ["timeout", "-k", "9", str(limit_s), sys.executable, "-m", "pytest", *FLAGS]
    settings = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}
    run = partial(subprocess.run, cwd=root, env=settings, capture_output=True, text=True)
    path.write_bytes(source[:begin] + mutant.after.encode() + source[end:])
    done = run([*command, *(tests or ["--version"])])
    path.write_bytes(source)
    failed = re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    if failed and run([*command, failed[0]]).returncode:
        return "spoiled"
    codes = {0: "survived", 5: "survived", 124: "timed out", 137: "timed out"}  # 5: no tests
    return codes.get(done.returncode, "killed")


def main() -> None:
    """Print a line for each mutant, and the share that is killed, with Wilson's interval."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--commit", help="that the files are of")
    parser.add_argument("--mutants", type=Path, help="try those of this file, not random ones")
    parser.add_argument("--limit-s", type=float, default=300.0, help="for the tests of each")
    options = parser.parse_args()
    now = subprocess.check_output(["git", "stash", "create"], text=True).strip() or "HEAD"
    places, counts = defaultdict[Mutant, list[Place]](list), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.check_call(["git", "clone", "-q", "--shared", "--no-checkout", ".", folder])
        subprocess.check_call(["git", "checkout", "-q", options.commit or now], cwd=folder)
        for path in sorted(file for name in ROOTS for file in Path(folder, name).rglob("*.py")):
            for mutant, place in mutants_of(path):
                places[mutant].append(place)
        unique = [mutant for mutant, found in places.items() if len(found) == 1]
        chosen = random.Random(SEED).sample(unique, options.count)
        if options.mutants:
            rows = [row.split("\t") for row in options.mutants.read_text().splitlines()]
            chosen = [Mutant(*json.loads(row[-1])) for row in rows if len(row) > 1]
        for mutant in chosen:
            verdict, where, row = "gone", "-", json.dumps(mutant, ensure_ascii=False)
            for place in places[mutant][:1]:
                verdict = verdict_of(mutant, place, Path(folder), options.limit_s)
                where = f"{place[0].relative_to(folder)}:{place[1]}"
            counts[verdict] += 1
            print(where, mutant.kind, verdict, row, sep="\t", flush=True)
    decided = max(counts["killed"] + counts["survived"], 1)
    share, square = counts["killed"] / decided, 1.96**2 / decided
    half = sqrt(share * (1 - share) * square + square**2 / 4)
    low, high = ((share + square / 2 + side) / (1 + square) for side in (-half, half))
    print(f"{dict(counts)}: {share:.0%} killed of those decided ({low:.0%} to {high:.0%})")


if __name__ == "__main__":
    main()
