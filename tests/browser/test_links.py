"""Links of LibreTranslate's page, which browsers have as bookmarks and keywords."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from tests.browser.chromium import Chromium
from tests.browser.conftest import needs_chromium
from tests.browser.page import Page

pytestmark = needs_chromium
TEXT = 'Zwei & drei #4: 100 % „äöü"?'


def follow(page: Page, fields: dict[str, str]) -> None:
    """Follow a link; its query does not stay in the address."""
    page.run(f"location.assign({json.dumps('/?' + urlencode(fields))})")


def chosen(page: Page) -> tuple[str, str]:
    return page.value("#source"), page.value("#target")


def call(page: Page, function: str, *arguments: Any) -> Any:
    given = ", ".join(json.dumps(argument) for argument in arguments)
    return page.run(f"import('/static/js/link.js').then((m) => m.{function}({given}))")


def test_a_link_is_translated_and_its_text_leaves_the_query(browser: Chromium, faked: str) -> None:
    with browser.page(f"{faked}/") as page:
        follow(page, {"source": "de", "lang": "de", "target": "en", "q": TEXT})
        page.has(TEXT.upper())
        assert page.value("#q") == TEXT
        assert chosen(page) == ("de", "en")
        page.wait("location.search === '?lang=de'")
        assert page.run("decodeURIComponent(location.hash)") == f"#de/en/{TEXT}"
        page.click("#clear")
        page.wait("location.hash === ''")
        assert page.run("location.search") == "?lang=de"


@pytest.mark.parametrize(
    ("fields", "pair"),
    [
        ({"q": "Das Kind schläft heute nicht."}, ("auto", "en")),
        ({"q": "Hallo", "target": "ar"}, ("auto", "ar")),
        ({"q": "Hallo", "source": "de-AT", "target": "EN_us"}, ("de", "en")),
        ({"q": "Hallo", "source": "xx", "target": "auto"}, ("auto", "en")),
    ],
)
def test_what_a_link_does_not_say_is_as_on_an_empty_page(
    browser: Chromium, faked: str, fields: dict[str, str], pair: tuple[str, str]
) -> None:
    with browser.page(f"{faked}/") as page:
        follow(page, fields)
        page.has(fields["q"].upper())
        assert chosen(page) == pair


@pytest.mark.parametrize(
    ("language", "notice"),
    [
        (
            "en",
            "This server does not translate from Italian. "
            "This server does not translate into Portuguese.",
        ),
        (
            "de",
            "Aus dieser Sprache übersetzt der Server nicht: Italienisch. "
            "In diese Sprache übersetzt der Server nicht: Portugiesisch.",
        ),
    ],
)
def test_languages_of_a_link_that_the_server_lacks_are_named(
    browser: Chromium, faked: str, language: str, notice: str
) -> None:
    with browser.page(f"{faked}/?lang={language}") as page:
        follow(page, {"source": "it", "lang": language, "target": "pt", "q": "Ciao"})
        page.has("CIAO")
        assert page.text("#lacking") == notice
        page.choose("#source", "de")
        assert not page.is_shown("#lacking")
        page.run("location.hash = 'de/xx/Ciao'")
        page.wait("document.querySelector('#lacking').textContent.includes('xx')")
        page.run("location.hash = 'de/en/Ciao'")
        page.wait("document.querySelector('#lacking').hidden")


def test_languages_alone_are_chosen(browser: Chromium, faked: str) -> None:
    with browser.page(f"{faked}/") as page:
        follow(page, {"source": "en", "target": "de"})
        page.wait("document.querySelector('#target')?.value === 'de'")
        assert chosen(page) == ("en", "de")
        assert page.value("#q") == ""


def test_queries_are_read_as_that_page_writes_them(browser: Chromium, faked: str) -> None:
    with browser.page(f"{faked}/") as page:
        for text in ("Guten Morgen!", "100%", "a%20b c", "50 % von 7", "a+b", "%zz", TEXT):
            said = {"source": "de", "target": "en", "q": text}
            assert call(page, "readQuery", f"?{urlencode(said)}") == said
            twice = {**said, "q": quote(text, safe=";,/?:@&=+$-_.!~*'()#")}
            assert call(page, "readQuery", f"?{urlencode(twice)}") == said
        for nothing in ("", "?", "?lang=de", "?q=&source="):
            assert call(page, "readQuery", nothing) is None
        assert call(page, "otherFields", "?again") == "?again"
        assert call(page, "otherFields", "?q=a&lang=de&source=b") == "?lang=de"
        assert call(page, "otherFields", "?q=a") == ""
