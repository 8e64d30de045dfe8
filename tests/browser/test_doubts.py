"""Which words are dotted: those that the reader should look at, and not more than can be read."""

from __future__ import annotations

from urllib.parse import quote

from tests.browser.chromium import Chromium
from tests.browser.conftest import needs_chromium
from tests.browser.page import Page

pytestmark = needs_chromium
TEXT = "Ein vague Satz. Zwei doubtful hopeless vague Wörter. Drei doubtful. Vier sind gut."
MARKED = "[...CSS.highlights.get('{}')].map(String).join()"


def dotted(page: Page, name: str = "unsure") -> str:
    return str(page.run(MARKED.format(name)))


def test_all_unsure_words_of_one_sentence_are_dotted_and_named(
    browser: Chromium, faked: str
) -> None:
    with browser.page(f"{faked}/#de/en/{quote('Das ist vague und doubtful.')}") as page:
        page.wait("!document.querySelector('#legend').hidden")
        assert dotted(page, "unsure-here") == "VAGUE,DOUBTFUL"
        assert page.text("#notes") == "The model was unsure of: VAGUE DOUBTFUL"
        assert page.text("#legend") == "Dotted: the model was unsure of these words."


def test_of_several_sentences_only_the_most_doubtful_words_are_dotted(
    browser: Chromium, faked: str
) -> None:
    with browser.page(f"{faked}/#de/en/{quote(TEXT)}") as page:
        page.wait("!document.querySelector('#legend').hidden")
        assert dotted(page) == "HOPELESS,DOUBTFUL", "one a sentence, and only what is doubtful"
        assert dotted(page, "unsure-here") == "VAGUE", "the first sentence is in hand"
        assert page.text("#legend").endswith("Point at a sentence to see all of them.")
        assert page.text("#see-hint").startswith("Point at a word to see what it comes from.")
        page.hover_until(
            f"{MARKED.format('unsure-here')} === 'DOUBTFUL,HOPELESS,VAGUE'",
            "#translation",
            "WÖRTER",
        )
        page.hover_until(f"{MARKED.format('unsure-here')} === 'VAGUE'", "h1")
        page.click("#next")
        assert dotted(page, "unsure-here") == "DOUBTFUL,HOPELESS,VAGUE"
        page.run("document.querySelector('#translation').focus()")
        page.press("ArrowRight")
        assert dotted(page, "unsure-here") == "VAGUE", "the keys go from sentence to sentence, too"
        assert dotted(page) == "HOPELESS,DOUBTFUL"


def test_words_are_named_in_their_own_direction(browser: Chromium, faked: str) -> None:
    with browser.page(f"{faked}/#de/ar/vague.") as page:
        page.wait("!document.querySelector('#legend').hidden")
        named = page.run(
            "(({ lang, dir }) => [lang, dir])(document.querySelector('#notes .doubt'))"
        )
        assert named == ["ar", "rtl"]


def test_without_unsure_words_there_is_no_note(browser: Chromium, faked: str) -> None:
    with browser.page(f"{faked}/#de/en/vague.") as page:
        page.wait("!document.querySelector('#legend').hidden")
        page.write("Alles gut.")
        page.wait("document.querySelector('#translation').textContent === 'ALLES GUT.'")
        page.wait("document.querySelector('#legend').hidden")
        assert dotted(page, "unsure-here") == ""
