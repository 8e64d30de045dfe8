"""docs/commands.md gives the signatures of the public functions as they are."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import pytest

import translator
from tests.checkout import ROOT
from tests.docs.pages import read

[BLOCK] = re.findall(
    r"```python signatures\n(.*?)```", read(ROOT / "docs" / "commands.md"), re.DOTALL
)


def shown(name: str) -> str:
    """Return a public function with the names of its parameters."""
    first, *rest = name.split(".")
    found: Callable[..., Any] = getattr(translator, first)
    for attribute in rest:
        found = getattr(found, attribute)
    names, has_star = list[str](), False
    for parameter in inspect.signature(found).parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not has_star:
            has_star = True
            names.append("*")
        stars = "**" if parameter.kind is parameter.VAR_KEYWORD else ""
        names.append(stars + parameter.name)
    return f"{name}({', '.join(names)})"


@pytest.mark.parametrize("line", BLOCK.splitlines())
def test_signatures_are_as_they_are(line: str) -> None:
    assert line == shown(line.partition("(")[0])
