"""The YAML of Marian's files: every piece stays what it is, and what is unknown is named."""

from __future__ import annotations

import pytest

from translator.errors import ImportedModelError
from translator.store.imports.marian.flat_yaml import read_table

SETTINGS = """\
# how to decode
---
models:
  - opus.npz
vocabs:
- "a b.yml"
- 'it''s.yml'
devices: [0, '1']
empty: []
tied:
  []
path: /a:b/c   # a comment
nothing:
quoted: "\\xe4 \\u20ac \\t\\"\\\\"
...
"""


def test_settings_are_read_as_yaml_means_them() -> None:
    assert read_table(SETTINGS, "decoder.yml") == {
        "models": ["opus.npz"],
        "vocabs": ["a b.yml", "it's.yml"],
        "devices": ["0", "1"],
        "empty": [],
        "tied": [],
        "path": "/a:b/c",
        "nothing": "",
        "quoted": 'ä € \t"\\',
    }


def test_pieces_are_taken_as_they_are_written() -> None:
    text = (
        '"</s>": 0\n▁the: 1\n~: 2\nno: 3\n"\\x85": 4\n\u2028: 5\n\u3000: 6\n\'"\': 7\na::b:: 8\n'
        '":": 9\n? "long: er"\n: 10\n"#": 11\n<<: 12\n\r\n'
    )
    table = read_table(text, "vocab.yml")
    assert [*table] == [
        "</s>",
        "▁the",
        "~",
        "no",
        "\x85",
        "\u2028",
        "\u3000",
        '"',
        "a::b:",
        ":",
        "long: er",
        "#",
        "<<",
    ]
    assert [*table.values()] == [str(number) for number in range(13)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb", "x.yml: line 2: expected `key: value`, got 'b'"),
        ("a: 1\na: 2", "line 2: 'a' is there twice"),
        ("- 1", "line 1: a list that belongs to no key"),
        ("a: 1\n- 1", "line 2: a list that belongs to no key"),
        ("a: {b: 1}", "line 1: only scalars and lists are known"),
        ("a: &b c\nd: *b", "line 1: only scalars and lists are known, got '&b c'"),
        ("a: !!python/object:os.system x", "line 1: only scalars and lists"),
        ("a: [1, 2", "line 1: expected a list in one line"),
        ('"\\ud800": 1', "line 1: \\\\ud800 is no character"),
    ],
)
def test_anything_else_is_named_by_its_line(text: str, message: str) -> None:
    with pytest.raises(ImportedModelError, match=message):
        read_table(text, "x.yml")
