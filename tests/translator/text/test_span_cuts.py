"""A sentence with more spans than there are placeholders is cut where it reads on."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from translator.text.span_cuts import cuts_by_clauses, cuts_by_spans
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
            [
                f"{BADGE.format('build')} ",
                f"{BADGE.format('docs')} {BADGE.format('chat')}",
            ],
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


CLAUSE = st.lists(
    st.sampled_from(["er", "ging", "heim", "(das; was", "kam)", "„nun; ja“", "`a; b`", "x"]),
    min_size=1,
).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(clauses=st.lists(CLAUSE, min_size=1, max_size=9))
def test_rows_of_clauses_are_cut_into_pairs(clauses: list[str]) -> None:
    text = "; ".join(clauses) + "."
    cuts = cuts_by_clauses(text, find_spans(text))
    pieces = [text[start:end] for start, end in itertools.pairwise((0, *cuts, len(text)))]
    assert "".join(pieces) == text
    if len(clauses) < 4 or any("(" in one or ")" in one for one in clauses):
        return  # where parentheses are not closed, less is cut
    pairs = [clauses[n : n + 2] for n in range(0, len(clauses), 2)]
    assert [piece.rstrip("; .") for piece in pieces] == ["; ".join(pair) for pair in pairs]


def test_what_has_no_clauses_is_not_cut_at_semicolons() -> None:
    for text in ("Er ging; sie blieb; es regnete.", "Er (a; b; c; d; e) ging.", "`a; b; c; d; e`"):
        assert cuts_by_clauses(text, find_spans(text)) == []
