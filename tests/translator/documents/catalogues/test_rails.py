"""Catalogues of Rails keep their keys, their comments and their way of quoting."""

from __future__ import annotations

import pytest
import yaml

from tests.documents import shouted, texts, unchanged
from translator.documents.catalogues.rails import read_yaml

FILE = """# a comment
en:
  title: The dog # here
  single: 'It''s "here"'
  double: "A\\nline with %{count} dogs"
  block: |
    First line.
    Second one.

  folded: >-
      All of this
      is one line.
  list: [Monday, "Tuesday: x"]
  nested:
    - one way
    - another
  date:
    formats:
      default: "%d.%m.%Y"
    order: [ :year, :month, :day ]
    other:
      - :day
  number: 12
  true_one: yes
  code: max_size
  anchored: &x Some words
  alias: *x
  both: [&y "Two words", &z !!str one word, !ours two, {sign: :word}]
  empty:
  last: The end
"""
TEXTS = [
    *("The dog", 'It\'s "here"', "A\nline with %{count} dogs", "First line.\nSecond one.\n"),
    *("All of this is one line.", "Monday", "Tuesday: x", "one way", "another"),
    *("Some words", "Two words", "one word", "The end"),
]


def test_values_are_units_and_nothing_else() -> None:
    document = read_yaml("en.yml", FILE.encode())
    assert texts(document) == TEXTS
    assert unchanged(document) == FILE.encode()
    renamed = unchanged(read_yaml("en.yml", FILE.encode(), "de")).decode()
    assert renamed == FILE.replace("en:", "de:", 1)


def test_another_program_reads_the_translation() -> None:
    written = shouted(read_yaml("en.yml", FILE.encode(), "de")).decode()
    before, after = (
        yaml.safe_load(text.replace("!ours ", "").replace(" :", " _"))[language]
        for text, language in ((FILE, "en"), (written, "de"))
    )
    assert after["title"] == "THE DOG"
    assert after["single"] == 'IT\'S "HERE"'
    assert after["double"] == "A\nLINE WITH %{count} DOGS"
    assert after["block"] == "FIRST LINE.\nSECOND ONE.\n"
    assert after["folded"] == "ALL OF THIS IS ONE LINE."
    assert after["list"] == ["MONDAY", "TUESDAY: X"]
    assert after["nested"] == ["ONE WAY", "ANOTHER"]
    assert after["anchored"] == after["alias"] == "SOME WORDS"
    assert after["both"] == ["TWO WORDS", "ONE WORD", "two", {"sign": "_word"}]
    for key in ("date", "number", "true_one", "code", "empty"):
        assert after[key] == before[key]
    assert "title: THE DOG # here\n" in written


@pytest.mark.parametrize("text", ["yes", "a: b", "# a", "12", "- a", " a", "*a", "a\nb", "{", "@x"])
def test_what_would_mean_something_else_is_quoted(text: str) -> None:
    written = read_yaml("a.yml", b"en:\n  a: dog\n  b: cat\n").rebuild([text, "x"])
    assert yaml.safe_load(written) == {"en": {"a": text, "b": "x"}}


def test_aliases_do_not_multiply() -> None:
    lines = ["en:", "  a0: &a0 [some words]"]
    lines += [f"  a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 60)]
    data = "\n".join(lines).encode()
    assert texts(read_yaml("a.yml", data)) == ["some words"]
