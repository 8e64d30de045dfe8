"""docs/recipes.md describes every key of a recipe, and none that does not exist."""

from __future__ import annotations

import dataclasses
import re
import typing
from collections.abc import Iterator
from typing import Any

from tests.checkout import ROOT
from tests.docs.pages import FENCE, code_spans, read
from training.recipe import Recipe

PAGE = ROOT / "docs" / "recipes.md"
READ_BEFORE = {"extends"}  # `load_recipe` replaces it by what it names


def keys(section: type[Any], prefix: str = "") -> Iterator[str]:
    """Yield the keys of a section and of the sections in it: `data.mix.NAME.weight`."""
    for name, kind in typing.get_type_hints(section).items():
        of_tables = typing.get_origin(kind) is dict and typing.get_args(kind)[1]
        inner, path = (of_tables, f"{name}.NAME") if of_tables else (kind, name)
        if dataclasses.is_dataclass(inner) and isinstance(inner, type):
            yield from keys(inner, f"{prefix}{path}.")
        else:
            yield f"{prefix}{path}"


def test_keys_are_found_in_every_section() -> None:
    found = {*keys(Recipe)}
    assert found >= {"name", "data.corpora", "data.mix.NAME.tag", "cleaning.held_out"}
    assert found >= {"model.d_model", "subwords.vocab_size", "training.max_steps"}
    assert "decoding.beam_size" in found


def test_every_key_is_described() -> None:
    described = {span.partition(" ")[0] for span in code_spans(read(PAGE))}
    assert ({*keys(Recipe)} | READ_BEFORE) - described == set()


def test_nothing_else_is_described() -> None:
    text, known = read(PAGE), {*keys(Recipe)} | READ_BEFORE | {"data.mix"}
    sections = {key.partition(".")[0] for key in known if "." in key}
    dotted = {
        span.partition(" ")[0]
        for span in code_spans(text)
        if re.match(rf"({'|'.join(sorted(sections))})\.\w+(\.\w+)*( =|$)", span)
        if not span.endswith((".md", ".py", ".toml"))
    }
    in_tables = {*re.findall(r"(?m)^\| `([\w.]+)`", FENCE.sub("", text))}
    assert (dotted | in_tables) - known == set()
