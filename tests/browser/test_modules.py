"""The parts of the pages that compute: run in the browser, by themselves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.chromium import Chromium
from tests.browser.conftest import needs_chromium
from tests.browser.page import Page

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def page(browser: Chromium, faked: str) -> Iterator[Page]:
    with browser.page(f"{faked}/") as opened:
        yield opened


def call(page: Page, module: str, function: str, *arguments: Any) -> Any:
    given = ", ".join(json.dumps(argument) for argument in arguments)
    return page.run(f"import('/static/js/{module}.js').then((m) => m.{function}({given}))")


@pytest.mark.parametrize(
    ("text", "count"), [("", 0), ("abc", 3), ("a😀b", 3), ("😀😀", 2), ("é", 1), ("e\u0301", 2)]
)
def test_characters_are_counted_as_the_server_counts(page: Page, text: str, count: int) -> None:
    assert call(page, "page/text", "countCharacters", text) == count == len(text)


def test_places_count_code_points(page: Page) -> None:
    assert call(page, "page/text", "unitOffset", "a😀b", 2) == 3
    assert call(page, "page/text", "unitOffset", "abc", 2) == 2
    assert call(page, "page/text", "unitOffset", "😀", 9) == 2


def sentences(*sources: str) -> list[dict[str, str]]:
    return [{"separator": " " if n else "", "source": one} for n, one in enumerate(sources)]


def test_sentences_away_from_an_edit_are_kept(page: Page) -> None:
    said = sentences(
        *(f"Satz Nummer {number} ist hier zu lesen, ganz in Ruhe." for number in range(30))
    )
    former = "".join(one["separator"] + one["source"] for one in said)
    for place, inserted in ((0, "x"), (700, "x"), (700, ". Neu. "), (len(former), " Ende")):
        text = former[:place] + inserted + former[place:]
        parts = call(page, "page/reuse", "plan", said, text)
        kept = [
            "".join(one["separator"] + one["source"] for one in parts[side])
            for side in ("before", "after")
        ]
        assert kept[0] + parts["middle"] + kept[1] == text
        assert len(parts["middle"]) < 400, place
        assert inserted in parts["middle"]
    removed = former[:500] + former[900:]
    parts = call(page, "page/reuse", "plan", said, removed)
    assert len(parts["middle"]) < 400
    begun = call(page, "page/reuse", "plan", said[:20], former)
    assert len(begun["before"]) == 18, "an answer that broke off is gone on with"
    assert begun["middle"] == former[former.index("Satz Nummer 18") - 1 :]
    other = "Etwas ganz anderes steht hier. " * 30
    assert call(page, "page/reuse", "plan", said, other)["before"] == []
    assert call(page, "page/reuse", "plan", said[:3], "short")["before"] == []


def test_fragments_say_what_was_put_into_them(page: Page) -> None:
    fields = {"source": "auto", "target": "pt-BR", "q": "a/b#c?&%\n😀 \" '"}
    fragment = call(page, "link", "fragmentOf", fields)
    assert call(page, "link", "readFragment", fragment) == fields
    assert call(page, "link", "fragmentOf", {**fields, "q": "a" * 2001}) == "#auto/pt-BR/"
    for wrong in ("", "#", "#de", "#%/en/x", "#de/en/%ff"):
        assert call(page, "link", "readFragment", wrong) is None


@pytest.mark.parametrize(
    ("status", "answer", "message", "detail"),
    [
        (400, {"code": "text_too_long", "error": "no", "limit": 9000}, "9,000 characters", ""),
        (429, {"code": "too_many_requests", "error": "no"}, "Try again in 7 s", ""),
        (400, {"code": "invalid", "error": "missing x"}, "Reload it", "missing x"),
        (502, {}, "The server is busy", ""),
        (418, {"code": "status_418", "error": "a teapot"}, "status 418", "a teapot"),
        (500, None, "status 500", ""),
    ],
)
def test_errors_have_words_by_their_code_and_else_by_their_status(
    page: Page, status: int, answer: dict[str, Any] | None, message: str, detail: str
) -> None:
    said = page.run(
        f"import('/static/js/api.js').then((m) => m.failureOf({status}, {json.dumps(answer)}, '7'))"
        ".then(({ message, detail }) => [message, detail])"
    )
    assert message in said[0]
    assert said[1] == detail


@pytest.mark.parametrize("aborted_by", [1, 2], ids=["first event", "last event"])
def test_an_answer_that_is_whole_already_can_still_be_aborted(page: Page, aborted_by: int) -> None:
    # The module's other tests have made it wait: this one has a copy of its own.
    told = page.run(
        f"""import('/static/js/api.js?afresh').then(async ({{ askForEvents }}) => {{
          const own = window.fetch;
          const lines = '{{"type":"sentence"}}\\n{{"type":"answer"}}\\n';
          window.fetch = async () => new Response(lines);
          const request = new AbortController();
          let count = 0;
          const onEvent = () => ++count === {aborted_by} && request.abort();
          const ended = await askForEvents("/translate", {{}}, request.signal, onEvent).then(
            () => "whole", (problem) => problem.name);
          window.fetch = own;
          return [count, ended];
        }})"""
    )
    assert told == [aborted_by, "AbortError"]


def test_attention_is_computed_as_in_the_paper(page: Page) -> None:
    keys, values = [[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 2.0]]
    found = call(page, "attends/maths", "attend", [2.0, 0.0], keys, values)
    assert found["scores"] == [2, 0]
    assert found["unscaled"] == pytest.approx([0.8808, 0.1192], abs=1e-4)
    assert found["scaled"] == pytest.approx([0.8044, 0.1956], abs=1e-4)  # softmax([√2, 0])
    assert found["mixed"] == pytest.approx([0.8044, 0.3912], abs=1e-4)  # by the scaled weights
    assert call(page, "attends/maths", "softmax", [1000.0, 1000.0]) == [0.5, 0.5]
    assert call(page, "attends/maths", "logSum", [-1000, -1000]) == pytest.approx(
        -999.307, abs=1e-3
    )


def test_the_head_to_begin_with_looks_at_other_words(page: Page) -> None:
    rows = {
        1: [0.9, 0.1, 0.0],
        2: [0.0, 0.8, 0.2],
        3: [0.6, 0.3, 0.1],
    }  # of the piece in the middle
    maps = [{"layer": 1, "head": head, "weights": [[], row]} for head, row in rows.items()]
    found = call(page, "attends/maths", "mostTelling", maps, 1, [True, False, False])
    assert found["head"] == 2, "the first column is a sign, the second one the piece itself"


@pytest.mark.parametrize(
    ("function", "argument", "text"),
    [
        ("rounded", -0.125, "−0.13"),
        ("power", 23.5, "1.61 × 10¹⁰"),
        ("power", -9, "1.23 × 10⁻⁴"),
        ("power", 6.25, "518.01"),
        ("power", -1017.84, "9 × 10⁻⁴⁴³"),  # no number of the browser is as small, or as large
        ("power", 800, "3 × 10³⁴⁷"),
        ("shortened", -99.5, "−99.50"),
        ("shortened", -1017.84, "−1,018"),
        ("share", 0.414, "41 %"),
        ("products", [[0.5, -1.25], [-2, 3]], "0.50 × (−1.25) + (−2.00) × 3.00"),
    ],
)
def test_numbers_are_written_as_in_a_book(
    page: Page, function: str, argument: Any, text: str
) -> None:
    assert call(page, "attends/worked", function, argument).replace("\u00a0", " ") == text


def test_words_that_belong_together_come_from_the_alignment(page: Page) -> None:
    sentence = {
        "source": "😀 Das Haus",
        "text": "The 😀 house",
        "alignment": [
            {
                "start": 0,
                "end": 3,
                "log_prob": -0.1,
                "sources": [{"start": 2, "end": 5, "weight": 0.9}],
            },
            {
                "start": 6,
                "end": 11,
                "log_prob": -2.0,
                "sources": [
                    {"start": 6, "end": 10, "weight": 0.7},
                    {"start": 2, "end": 5, "weight": 0.01},
                ],
            },
        ],
    }
    found = call(page, "page/links", "linksOf", sentence)
    assert found["target"] == [[0, 3], [7, 12]], "an emoji is two of JavaScript's units"
    assert found["source"] == [[3, 6], [7, 11]]
    assert found["links"] == [[0, 0, 0.9], [1, 1, 0.7]]
    assert found["unsure"] == [1]
    bare = call(page, "page/links", "linksOf", {**sentence, "alignment": None})
    assert (bare["links"], bare["unsure"]) == ([], [])
