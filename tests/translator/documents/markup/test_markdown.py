"""Markdown comes back as it was; code and settings are not translated."""

from __future__ import annotations

import pytest

from translator.documents.markup.markdown import read_markdown

PAGE = """---
title: Nie
---
# Titel

Text mit `Code` und [Link](x).

```sh
nie ausgeführt
```

    eingerückter Code

- Eins

      Code der Liste
- Zwei
  geht weiter

  Absatz der Liste

~~~
nie
~~~

$$
x = y
$$

<div align="center">
<b>Willkommen</b> hier
</div>

<!-- nie

nie -->

[ref]: http://a.de
[^1]: Fußnote

| Name | Wert |
|---|---|
"""


def test_what_is_translated() -> None:
    document = read_markdown(PAGE)
    units = "\n".join(unit.text for unit in document.units)
    for there in (
        "Titel",
        "`Code`",
        "Eins",
        "Zwei",
        "geht weiter",
        "Absatz",
        "hier",
        "Fuß",
        "Wert",
    ):
        assert there in units, f"{there} is not translated"
    for other in ("nie", "Nie", "eingerückter", "Code der", "x = y", "div", "[ref]", "title"):
        assert other not in units, f"{other} is translated"


@pytest.mark.parametrize(
    "text",
    [
        PAGE,
        PAGE.replace("\n", "\r\n"),
        "",
        "\n",
        "kein Absatz",
        "```\noffen",
        "<pre>offen\n\nnoch",
        "---\nx",
    ],
)
def test_it_comes_back(text: str) -> None:
    document = read_markdown(text)
    assert document.rebuild([unit.text for unit in document.units]) == text


@pytest.mark.parametrize(
    "piece",
    ["```\n", "- a\n", "<div>\n", "<!--\n", "[a]: b\n", "---\n", "\n", ">", '](a "', "](a 'b')"],
)
def test_long_texts(piece: str) -> None:
    text = piece * 20_000
    document = read_markdown(text)
    assert document.rebuild([unit.text for unit in document.units]) == text


def test_translations_take_their_places() -> None:
    document = read_markdown("# A\n\n```\nb\n```\n\n<p>c</p>\n\nd")
    assert document.rebuild(["# X\n\n", "\n", "Y", "\nZ"]) == "# X\n\n```\nb\n```\n\n<p>Y</p>\n\nZ"


def test_titles_of_links_are_translated_by_themselves() -> None:
    text = (
        'Das [Haus](a.md "Ein Titel (alt)") und ![es](b.png \'Noch einer\'), `[x](c "nie")`.\n\n'
        'Ohne [Titel](d "").\n[e]: f "Dritter"\n'
    )
    document = read_markdown(text)
    assert document.rebuild([unit.text for unit in document.units]) == text
    assert [unit.text for unit in document.units] == [
        'Das [Haus](a.md "Ein Titel (alt)") und ![es](b.png \'Noch einer\'), `[x](c "nie")`.\n\n',
        "Ein Titel (alt)",
        "Noch einer",
        'Ohne [Titel](d "").\n',
        "Dritter",
    ]
    translated = document.rebuild(
        [
            "![It](b.png 'Noch einer') and "
            'the [house](a.md "Ein Titel (alt)"), `[x](c "nie")`.\n\n',
            'An "old" title',
            "One more, isn't it",
            'Without a [title](d "").\n',
            "A third",
        ]
    )
    assert translated == (
        '![It](b.png \'One more, isn\\\'t it\') and the [house](a.md "An \\"old\\" title"), '
        '`[x](c "nie")`.\n\nWithout a [title](d "").\n[e]: f "A third"\n'
    )


def test_links_by_their_texts_still_find_their_definitions() -> None:
    text = (
        "See [the\nrules], [Tools][], [g][g], ![a plan], [`run`], "
        "[b](c), [no] and `[g]`. [![x][g]][g] [g]\n\n"
        "[The rules]: a\n[tools]: b\n[G]: c\n[a plan]: d\n[`run`]: e\n"
    )
    document = read_markdown(text)
    [unit] = [unit.text for unit in document.units]
    assert unit == (
        "See [the\nrules][#0], [Tools][#1], [g][g], ![a plan][#2], [`run`], "
        "[b](c), [no] and `[g]`. [![x][g]][g] [g][#3]\n\n"
    )
    assert document.rebuild([unit]) == text
    said = unit.replace("[the\nrules]", "[die Regeln]").replace("[a plan]", "[ein Plan]", 1)
    assert document.rebuild([said]).startswith(
        "See [die Regeln][the rules], [Tools][], [g][g], ![ein Plan][a plan], [`run`], "
        "[b](c), [no] and `[g]`. [![x][g]][g] [g]\n"
    )


def test_ids_of_headings_stay_behind_them() -> None:
    text = "Text\n## The *shed* {#shed}\nMore {#no}\n# One {: .x key=y }"
    document = read_markdown(text)
    assert [unit.text for unit in document.units] == ["Text\n## The *shed*", "More {#no}\n# One"]
    assert document.rebuild([unit.text for unit in document.units]) == text
