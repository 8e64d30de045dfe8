"""A page without a text: what there is to begin with."""

from __future__ import annotations

import json

import pytest

from tests.browser.chromium import Chromium
from tests.browser.conftest import needs_chromium
from tests.browser.page import Page

pytestmark = needs_chromium
GERMAN = "Das Kind hat gestern ein rotes Fahrrad bekommen."
ENGLISH = "The child got a red bicycle yesterday."


def offered(page: Page) -> str:
    return page.text("#example span:last-child") if page.is_shown("#example") else ""


def test_an_empty_page_offers_a_sentence_that_one_click_translates(
    browser: Chromium, faked: str
) -> None:
    with browser.page(f"{faked}/") as page:
        assert page.text("#example").replace("\n", " ") == f"For example: {GERMAN}"
        assert page.text("#placeholder p.note").endswith("which ones the model was unsure of.")
        page.click("#example")
        wanted = json.dumps(GERMAN.upper())
        page.wait(f"document.querySelector('#translation').textContent === {wanted}")
        assert page.value("#q") == GERMAN
        assert not page.is_shown("#example")
        assert not page.is_shown("#placeholder")
        assert page.run("document.activeElement.id") == "translation", "the focus is not lost"
        page.press("ArrowRight")
        assert page.text("#word").startswith("“DAS”: the model looked at “Das”")
        page.click("#undo")
        assert page.value("#q") == ""
        assert offered(page) == GERMAN


@pytest.mark.parametrize("width", [1200, 320])
def test_it_goes_while_there_is_a_text(browser: Chromium, faked: str, width: int) -> None:
    with browser.page(f"{faked}/", width=width, height=560) as page:
        page.click("#q")
        assert page.value("#q") == "", "it is not in the way of typing"
        page.type("H")
        assert not page.is_shown("#example")
        page.click("#clear")
        assert offered(page) == GERMAN


@pytest.mark.parametrize(
    ("source", "target", "sentence"),
    [("auto", "de", ENGLISH), ("auto", "en", GERMAN), ("en", "de", ENGLISH), ("de", "ar", GERMAN)],
)
def test_it_is_in_the_language_that_is_translated_from(
    browser: Chromium, faked: str, source: str, target: str, sentence: str
) -> None:
    with browser.page(f"{faked}/") as page:
        page.choose("#source", source)
        page.choose("#target", target)
        assert offered(page) == sentence
        lang = page.run("document.querySelector('#example span:last-child').lang")
        assert lang == ("en" if sentence == ENGLISH else "de")


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        ("sampleIn('pt-BR')", "A criança ganhou ontem uma bicicleta vermelha."),
        ("sampleIn('zh-Hant')", ""),
        ("sampleIn('xx')", ""),
        ("sampledOf(['xx', 'fr', 'en'], 'de')", "en"),
        ("sampledOf(['xx', 'fr', 'en'], 'fr')", "fr"),
        ("sampledOf(['xx'], 'de')", ""),
        (f"isSample({json.dumps(ENGLISH)})", True),
    ],
)
def test_there_are_sentences_in_many_languages(
    browser: Chromium, faked: str, call: str, answer: object
) -> None:
    with browser.page(f"{faked}/") as page:
        assert page.run(f"import('/static/js/samples.js').then((m) => m.{call})") == answer
