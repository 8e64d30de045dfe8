"""The words of the pages: every language has all of them, and the right one is chosen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from werkzeug.datastructures import LanguageAccept

from service.routes.pages.wording import FIRST, choose_language, strings_in, words_of, written_in
from tests.checkout import ROOT

SERVICE = ROOT / "service"
FIELD = re.compile(r"\{(\w+)\}")


def leaves(strings: dict[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    for name, value in strings.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{path}{name}.")
        else:
            yield path + name, value


def test_english_comes_first_and_german_is_there() -> None:
    assert written_in()[0] == FIRST == "en"
    assert "de" in written_in()


@pytest.mark.parametrize("language", written_in())
def test_every_language_has_every_string_with_the_same_fields(language: str) -> None:
    own, english = dict(leaves(strings_in(language))), dict(leaves(strings_in(FIRST)))
    assert own.keys() == english.keys()
    for path, text in own.items():
        assert isinstance(text, str), path
        assert text.strip(), path
        assert {*FIELD.findall(text)} == {*FIELD.findall(english[path])}, path


def used() -> Iterator[tuple[str, str]]:
    """Yield the strings that scripts and templates name, and where."""
    for path in [*(SERVICE / "static").rglob("*.js"), *(SERVICE / "templates").glob("*.html")]:
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r"\bt\(\s*\"([\w.]+)\"", text):
            yield name, path.name
        for name in re.findall(r"(?<![\w.])t\.((?:\w+\.)*\w+)", text):
            if path.suffix == ".html" and name.count("."):
                yield name, path.name


def test_every_string_that_is_named_exists() -> None:
    known = dict(leaves(strings_in(FIRST)))
    groups = {".".join(path.split(".")[:depth]) for path in known for depth in (1, 2, 3)}
    named = list(used())
    assert len(named) > 80
    missing = {f"{place}: {name}" for name, place in named if name not in {*known, *groups}}
    assert missing == set()


@pytest.mark.parametrize(
    ("wanted", "accepted", "language"),
    [
        (None, [("de-AT", 1), ("en", 0.5)], "de"),
        (None, [("fr", 1), ("de", 0.5)], "de"),
        (None, [("fr", 1)], "en"),
        (None, [], "en"),
        ("de", [("en", 1)], "de"),
        ("<script>", [("de", 1)], "de"),
    ],
)
def test_the_language_is_what_is_chosen_or_what_the_browser_asks_for(
    wanted: str | None, accepted: list[tuple[str, float]], language: str
) -> None:
    assert choose_language(wanted, LanguageAccept(accepted)) == language


def test_a_template_gets_the_string_where_a_dict_has_a_method() -> None:
    words = words_of({"page": {"copy": "Copy", "keys": "Keys"}, "items": "x"})
    assert (words.page.copy, words.page.keys, words.items) == ("Copy", "Keys", "x")
