"""Markdown comes back as it was; code, settings and definitions are not translated."""

from __future__ import annotations

import pytest

from translator.text.formats.markdown import read_markdown

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

[ref]: http://a.de "Nie"
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
    "piece", ["```\n", "- a\n", "<div>\n", "<!--\n", "[a]: b\n", "---\n", "\n", ">"]
)
def test_long_texts(piece: str) -> None:
    text = piece * 20_000
    document = read_markdown(text)
    assert document.rebuild([unit.text for unit in document.units]) == text


def test_translations_take_their_places() -> None:
    document = read_markdown("# A\n\n```\nb\n```\n\n<p>c</p>\n\nd")
    assert document.rebuild(["# X\n\n", "\n", "Y", "\nZ"]) == "# X\n\n```\nb\n```\n\n<p>Y</p>\n\nZ"
    with pytest.raises(ValueError, match="one translation per unit: 4 units, got 1"):
        document.rebuild(["X"])
