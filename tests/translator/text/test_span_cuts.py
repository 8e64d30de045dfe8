"""A sentence with more spans than there are placeholders is cut where it reads on."""

from __future__ import annotations

import itertools
import random

import pytest

from translator.text.span_cuts import cuts_by_spans
from translator.text.spans import find_spans

BADGE = "[![the {0}](https://a.b/{0}.svg)](https://c.d/{0})"


def cut(text: str, most: int) -> list[str]:
    cuts = cuts_by_spans(text, find_spans(text), most)
    return [text[start:end] for start, end in itertools.pairwise((0, *cuts, len(text)))]


@pytest.mark.parametrize(
    ("most", "pieces"),
    [
        (3, ["Erst `a` und `b`, ", "dann `c` und `d`."]),
        (4, ["Erst `a` und `b`, dann `c` und `d`."]),
        (2, ["Erst `a` und `b`, ", "dann `c` und `d`."]),
        (1, ["Erst `a` und ", "`b`, ", "dann `c` und ", "`d`."]),
        (9, ["Erst `a` und `b`, dann `c` und `d`."]),
    ],
)
def test_cuts_are_behind_clauses_or_at_spaces(most: int, pieces: list[str]) -> None:
    assert cut("Erst `a` und `b`, dann `c` und `d`.", most) == pieces


def test_a_clause_that_ends_too_soon_is_not_cut_off_alone() -> None:
    text = "Ja, der alte Hund des Nachbarn nimmt `a` oder `b` oder `c`"
    assert cut(text, 2) == ["Ja, der alte Hund des Nachbarn nimmt `a` oder `b` oder ", "`c`"]


@pytest.mark.parametrize(
    ("text", "most", "pieces"),
    [
        ("[der Hund](a.md) [die Katze](b.md)", 3, ["[der Hund](a.md) ", "[die Katze](b.md)"]),
        (
            " ".join(BADGE.format(name) for name in ("build", "docs", "chat")),
            8,
            [f"{BADGE.format('build')} ", f"{BADGE.format('docs')} {BADGE.format('chat')}"],
        ),
        (
            "Nimm `den Hund <https://a.b/>`_ und `die Katze <https://c.d/>`_.",
            2,
            ["Nimm `den Hund <https://a.b/>`_ und ", "`die Katze <https://c.d/>`_."],
        ),
        ("[der Hund][1] und [die Katze][2]", 3, ["[der Hund][1] und ", "[die Katze][2]"]),
        ("Nimm [`a](b)` und `c` und `d`", 2, ["Nimm [`a](b)` und ", "`c` und `d`"]),
        ("Nimm `git status -s` und `git add .`", 1, ["Nimm `git status -s` und ", "`git add .`"]),
    ],
)
def test_links_and_code_stay_whole(text: str, most: int, pieces: list[str]) -> None:
    assert cut(text, most) == pieces


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("`a`/`b`/`c`/`d`", ["`a`/`b`/", "`c`/`d`"]),
        ("`a`/`b`/`c` `d` `e`", ["`a`/`b`/", "`c` `d` ", "`e`"]),
        ("Der Hund {a}/{b}/{c} heißt so.", ["Der Hund {a}/{b}/", "{c} heißt so."]),
        ("[der Hund `a` `b` `c`](d.md)", ["[der Hund `a` ", "`b` `c`", "](d.md)"]),
    ],
)
def test_without_white_space_a_cut_is_before_a_span(text: str, pieces: list[str]) -> None:
    assert cut(text, 2) == pieces


@pytest.mark.parametrize("most", [1, 2, 8])
def test_nothing_is_lost_and_no_piece_has_too_many(most: int) -> None:
    generator = random.Random(most)
    some = ["`a b`", "https://a.b/c", "$X", "Hund", "und, ", "- ", "der: ", "**die**", "--alles"]
    for _ in range(300):
        text = " ".join(generator.choices(some, k=generator.randint(1, 60))).strip()
        pieces = cut(text, most)
        assert "".join(pieces) == text
        assert all(piece.strip() for piece in pieces)
        assert max(len(find_spans(piece)) for piece in pieces) <= most
