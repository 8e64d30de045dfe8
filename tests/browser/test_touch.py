"""On a phone: a finger cannot point, and the window is low."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest

from tests.browser.chromium import Chromium
from tests.browser.conftest import needs_chromium
from tests.browser.page import Page

pytestmark = needs_chromium
TEXT = "Das Kind ist vague. Es ist ein Satz mit doubtful Wörtern.\n" * 4
SHADED = "[...CSS.highlights.get('{}')].map(String).join()"


@pytest.fixture
def page(browser: Chromium, faked: str) -> Iterator[Page]:
    link = f"{faked}/#de/en/{quote(TEXT)}"
    with browser.page(link, width=360, height=740, is_touched=True) as opened:
        opened.wait("!document.querySelector('#legend').hidden")
        yield opened


def test_a_tap_shows_where_a_word_comes_from_and_the_next_one_says_more(page: Page) -> None:
    page.tap("#translation", "DOUBTFUL")
    page.wait(f"{SHADED.format('word')} === 'DOUBTFUL'")
    assert page.run(SHADED.format("attend-4")) == "doubtful"
    assert page.text("#sentence-heading").startswith("Sentence 2 of")
    opened = "document.querySelector('#word-box:popover-open')"
    assert not page.run(opened)
    page.tap("#translation", "SATZ")
    page.wait(f"{SHADED.format('word')} === 'SATZ'")
    assert not page.run(opened), "it is another word"
    page.tap("#translation", "SATZ")
    page.wait(f"{opened} !== null")
    page.wait("document.querySelector('#word-list button') !== null")  # it moves what is below
    page.tap("#word-map")
    page.wait("document.querySelector('#attention').open")


def test_a_browser_with_the_older_name_for_places_knows_words_too(page: Page) -> None:
    page.run("document.caretPositionFromPoint = undefined")
    page.tap("#translation", "DOUBTFUL")
    page.wait(f"{SHADED.format('word')} === 'DOUBTFUL'")


def test_a_tap_beside_the_words_takes_the_shade_away(page: Page) -> None:
    page.tap("#translation", "DOUBTFUL")
    page.wait("CSS.highlights.get('word').size === 1")
    page.tap("#sentence-heading")
    page.wait("CSS.highlights.get('word').size === 0")


def test_hints_speak_of_tapping(page: Page) -> None:
    assert page.text("#see-hint").startswith("Tap on a word to see what it comes from.")
    assert page.text("#legend").endswith("Tap on a sentence to see all of them.")


@pytest.mark.parametrize("note", ["legend", "via"])
@pytest.mark.parametrize("height", [740, 480])
def test_no_bar_covers_a_note(page: Page, note: str, height: int) -> None:
    page.look(width=360, height=height, is_touched=True)
    page.run(f"document.querySelector('#{note}').hidden = false")
    page.run(f"document.querySelector('#{note}').textContent = 'seen'")
    page.run(f"document.querySelector('#{note}').scrollIntoView({{ block: 'end' }})")
    seen = page.run(
        f"""(() => {{
          const box = document.querySelector('#{note}').getBoundingClientRect();
          return document.elementFromPoint(box.left + 20, box.top + box.height / 2).id;
        }})()"""
    )
    assert seen == note
