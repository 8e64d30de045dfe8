"""Markdown comes back as it was; code and settings are not translated."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents import shout
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
    [
        "{% a\n",
        "{{ a\n",
        "<a b\n",
        '<a b c="',
        "$a_",
        "```\n",
        "- a\n",
        "<div>\n",
        "<!--\n",
        "[a]: b\n",
        "---\n",
        "\n",
        ">",
        '](a "',
        "](a 'b')",
    ],
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


def shouted(text: str, has_front_matter: bool = False) -> str:
    document = read_markdown(text, has_front_matter=has_front_matter)
    assert document.rebuild([unit.text for unit in document.units]) == text
    return document.rebuild([shout(unit) for unit in document.units])


CODE_OF_MDX = [
    "import Tabs from '@theme/Tabs';",
    'import "./style.css"',
    "import * as a from 'b'",
    "import {\n  A,\n  B,\n} from './b';",
    "import React, { useState } from 'react';",
    "export const year = 2024;",
    "export const meta = {\n  title: 'Hello',\n\n  year: 1,\n}",
    "export default function App() { return null }",
    "export default Layout",
    "export * from './b'",
    "{/* A comment. */}",
    "<Tabs.Item value='a'\n  b={() => c > {d: 1}}\n>",
    "</Tabs>",
    "``a ` b``",
    "`one\ntwo`",
    "``a ` over\ntwo``",
]
TEXT_OF_MDX = ["Import duties are high.", "import duties are high", "export is cheap, class or not"]


@given(st.lists(st.sampled_from([*CODE_OF_MDX, *TEXT_OF_MDX]), min_size=1, max_size=4))
def test_code_of_mdx_stays(parts: list[str]) -> None:
    expected = [part.upper() if part in TEXT_OF_MDX else part for part in parts]
    assert shouted("\n\n".join(parts)) == "\n\n".join(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "<Image\n src={a}\n alt='a dog'\n x='b'\n/>",
            "<Image\n src={a}\n alt='A DOG'\n x='b'\n/>",
        ),
        ('Go <A.B title="go" to="x">on</A.B>', 'GO <A.B title="GO" to="x">ON</A.B>'),
        ('`<A\ntitle="x">` <B title="x"/>', '`<A\ntitle="x">` <B title="X"/>'),
        ("**T**he dog", "**T**HE DOG"),
        ('<b class="\\d">T</b>he dog\n\n*so*', '<b class="\\d">T</b>HE DOG\n\n*SO*'),
    ],
)
def test_texts_of_components_and_initials(text: str, expected: str) -> None:
    assert shouted(text) == expected


STAYS = [
    '{{ button({ text: "Save", classes: "govuk-button" }) }}',
    '{{ button({\n  text: "Save",\n  classes: "a"\n}) }}',
    '{% set params = {\n  title: "Page title"\n} %}',
    '{% include figure.html\n  src="a.png"\n  caption="The caption"\n%}',
    '{{< figure\n  src="a.png"\n  caption="The caption"\n>}}',
    "{% highlight ruby %}\ndef f\n\n    1\nend\n{% endhighlight %}",
    "{{< mermaid class='a' >}}\nAlice->>Bob: Hello Bob\n{{< /mermaid >}}",
    "{%- if a -%}",
]


@given(st.lists(st.sampled_from([*STAYS, "some words"]), min_size=1, max_size=4))
def test_templates_stay_and_what_is_between_them_is_translated(parts: list[str]) -> None:
    expected = [part if part in STAYS else part.upper() for part in parts]
    assert shouted("\n".join(parts)) == "\n".join(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('!!! note "A title"\n    a text', '!!! note "A TITLE"\n    A TEXT'),
        ('??? tip "A title"\n\n    a text', '??? tip "A TITLE"\n\n    A TEXT'),
        ("!!! info inline end\n    \n    a text", "!!! info inline end\n    \n    A TEXT"),
        (
            '=== "On Linux"\n\n    a text\n\n        code',
            '=== "ON LINUX"\n\n    A TEXT\n\n        code',
        ),
        ("!!! so it is\nnow", "!!! SO IT IS\nNOW"),
        ("[^a]: one\n[^b]: two\n\n    more", "[^a]: ONE\n[^b]: TWO\n\n    MORE"),
        ("See the [^1]:", "SEE THE [^1]:"),
    ],
)
def test_heads_of_blocks_stay(text: str, expected: str) -> None:
    assert shouted(text) == expected


def test_branches_of_a_template_are_not_read_as_one() -> None:
    [unit] = read_markdown("{{#if paid}}Paid{{else}}Open {{ sum }}{{/if}}").units
    assert not unit.spans


def test_a_template_that_does_not_end_in_its_paragraph_is_none() -> None:
    units = "".join(unit.text for unit in read_markdown("{% a\nso\n\nthen %}\n\nend").units)
    assert "so" in units
    assert "then" in units


@pytest.mark.parametrize("marks", ["{{% %}}", "{{< >}}", "{% %}", "{{ }}"])
def test_a_line_that_begins_and_ends_with_templates_is_read(marks: str) -> None:
    opens, closes = marks.split()
    text = f"{opens} a {closes} so {opens} /a {closes}"
    assert [unit.text for unit in read_markdown(text).units] == [text]


@pytest.mark.parametrize(
    "stays",
    [
        "<audio controls src='x.mp3'>",
        '<a download href="a.zip">',
        "<details open>",
        r"$1 \times 10^{-5}$",
        "`curl http://localhost/demo/`",
        "`/`",
        "```pyswarms```",
        "{{ f({a: {b: 1}}) }}",
    ],
)
def test_what_is_no_prose_is_marked_in_its_sentence(stays: str) -> None:
    [unit] = read_markdown(f"Take {stays} for $5 or $6.").units
    assert [unit.text[start:end] for start, end in unit.spans] == [stays]


def test_quotes_in_a_title_are_escaped_as_a_component_does_it() -> None:
    document = read_markdown("""<A title="a" alt='b' /> [x](y "c")""")
    texts = [unit.text for unit in document.units]
    said = document.rebuild([texts[0], '"A"', "'B'", '"C"'])
    assert said == """<A title="&quot;A&quot;" alt='&#39;B&#39;' /> [x](y "\\"C\\"")"""


FRONT_MATTER = [
    ("---\ntitle: a dog\ntags: [b]\n---\n", "---\ntitle: A DOG\ntags: [b]\n---\n"),
    ("---\nsummary: >-\n  a\n  b\nx:\n  title: c\n---\n", None),
    ("---\ndescription: 'it''s'\ntitle: 3\n---\n", "---\ndescription: 'IT''S'\ntitle: 3\n---\n"),
    ('+++\ntitle = "a \\"b\\""\nx = "y"\n+++\n', '+++\ntitle = "A \\"B\\""\nx = "y"\n+++\n'),
    ("---\ntitle: [\n---\n", "---\ntitle: [\n---\n"),
]


@pytest.mark.parametrize(("text", "expected"), FRONT_MATTER)
def test_front_matter_is_translated_when_asked_for(text: str, expected: str | None) -> None:
    expected = expected or "---\nsummary: >-\n  A B\nx:\n  title: c\n---\n"
    assert shouted(f"{text}\nz", has_front_matter=True) == f"{expected}\nZ"
    assert shouted(f"{text}\nz") == f"{text}\nZ"


def test_arguments_of_short_codes_are_translated_when_asked_for() -> None:
    text = 'See {{< figure "e" "f" title="a" alt="b" src="c" >}} and {{% text="d" %}}.'
    [prose, *arguments] = [unit.text for unit in read_markdown(text, has_front_matter=True).units]
    assert arguments == ["a", "b", "d"]
    document = read_markdown(text, has_front_matter=True)
    written = document.rebuild([prose.replace("See", "Siehe"), "A", '"B"', "D"])
    assert written == (
        'Siehe {{< figure "e" "f" title="A" alt="\\"B\\"" src="c" >}} and {{% text="D" %}}.'
    )
    assert [unit.text for unit in read_markdown(text).units] == [text]
