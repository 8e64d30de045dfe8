"""See: words that belong together, the attention map, alternatives, and flags in plain words."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from urllib.parse import quote
from xml.etree import ElementTree

import pytest

from tests.browser.chromium import Chromium
from tests.browser.conftest import MODEL, needs_chromium
from tests.browser.page import Page
from tests.waiting import wait_until

pytestmark = needs_chromium
SVG = "{http://www.w3.org/2000/svg}"
GERMAN = "Ich habe meinen Schlüssel verloren. Das Kind schläft."
MARKED = "[...CSS.highlights.get({name!r})].map((range) => range.toString()).join()"


@pytest.fixture
def page(browser: Chromium, real: str) -> Iterator[Page]:
    with browser.page(f"{real}/#de/en/") as opened:
        opened.write(GERMAN)
        opened.wait("document.querySelector('#translation').textContent.includes('sleep')")
        opened.wait("!document.querySelector('#copy').disabled")
        yield opened


def marked(page: Page, name: str) -> str:
    return str(page.run(MARKED.format(name=name)))


def attended(page: Page) -> set[str]:
    return {word for level in (1, 2, 3, 4) for word in marked(page, f"attend-{level}").split(",")}


def test_a_word_under_the_pointer_shows_where_it_comes_from(page: Page) -> None:
    page.hover_until("CSS.highlights.get('word').size === 1", "#translation", "key")
    assert marked(page, "word") == "key"
    assert "Schlüssel" in attended(page)
    page.hover_until("CSS.highlights.get('word').size === 0", "h1")


def test_a_word_of_the_text_shows_what_it_led_to(page: Page) -> None:
    page.click("#q")
    x, y = page.place("#q")
    box = page.run("document.querySelector('#q').getBoundingClientRect().toJSON()")
    page.send("Input.dispatchMouseEvent", type="mouseMoved", x=box["x"] + 200, y=box["y"] + 32)
    page.wait("CSS.highlights.get('word').size === 1")
    assert marked(page, "word") in GERMAN.split()
    assert attended(page) - {""}, "nothing on the other side"
    assert (x, y) != (0, 0)


def test_by_the_keyboard_words_are_gone_through_and_read_out(page: Page) -> None:
    page.run("document.querySelector('#translation').focus()")
    page.press("ArrowRight")
    assert page.text("#word").startswith("“I”: the model looked at")
    for _ in range(3):
        page.press("ArrowRight")
    assert page.text("#word").startswith("“key”: the model looked at “Schlüssel”")
    page.press("ArrowDown")
    assert marked(page, "word") == "The"
    assert page.text("#sentence-heading") == "Sentence 2 of 2"
    page.press("Enter")
    assert page.run("document.activeElement.id") == "word-map"
    page.press("Escape")
    assert page.run("document.activeElement.id") == "translation", "the arrow keys go on"
    page.press("Enter")
    page.press("Enter")
    page.wait("document.querySelector('#attention').open")
    page.press("Escape")
    page.wait("!document.querySelector('#attention').open")


def test_a_click_says_more_of_a_word_and_a_double_click_selects_it(page: Page) -> None:
    page.click("#translation", "key")
    page.wait("document.querySelector('#word-box:popover-open') !== null")
    assert page.text("#word-heading") == "key"
    assert page.text("#word-from").startswith("comes from “Schlüssel”")
    assert page.text("#word-sure").startswith("The model gave it ")
    page.click("#word-others")
    page.wait("document.querySelectorAll('#alternatives button').length > 1")
    assert not page.run("document.querySelector('#word-box:popover-open')")
    x, y = page.place("#translation", "lost")
    for count in (1, 2):
        for kind in ("mousePressed", "mouseReleased"):
            page.send(
                "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=count
            )
    assert page.run("getSelection().toString().trim()") == "lost"
    assert not page.run("document.querySelector('#word-box:popover-open')")


def test_the_map_is_shown_by_layer_and_head(page: Page) -> None:
    page.click("#translation", "key")
    page.click("#word-map")
    page.wait("document.querySelectorAll('#map .cell').length > 40")
    shown = MODEL.num_decoder_layers * (MODEL.num_heads + 1)
    assert page.run("document.querySelectorAll('#thumbnails canvas').length") == shown
    assert page.run("document.querySelector('#map .strong').textContent") == "key"
    assert page.text("#map-value").startswith("key → Schlüssel")
    page.click("#thumbnails .layer:first-of-type label:nth-of-type(3)")
    page.wait("document.querySelector('#map svg').ariaLabel.startsWith('Layer 1, head 2')")
    page.click("#kinds label:nth-of-type(2)")
    shown = MODEL.num_encoder_layers * (MODEL.num_heads + 1)
    page.wait(f"document.querySelectorAll('#thumbnails canvas').length === {shown}")
    page.run("document.querySelector('#map svg').focus()")
    page.press("ArrowRight")
    assert "→" in page.text("#map-value")
    assert page.run("document.querySelector('#attends-link').hash").startswith("#de/en/Ich%20habe")


def test_a_map_is_saved_as_a_picture(page: Page) -> None:
    page.click("#show-attention")
    page.wait("document.querySelectorAll('#map .cell').length > 40")
    for kind in ("svg", "png"):
        page.click(f"[data-picture={kind}]")
    drawn, painted = (page.downloads / f"attention.{kind}" for kind in ("svg", "png"))
    wait_until(lambda: drawn.exists() and painted.exists())
    picture = ElementTree.fromstring(drawn.read_text())
    shown = page.run("[...document.querySelectorAll('#map text')].map((one) => one.textContent)")
    assert [one.text for one in picture.iter(f"{SVG}text")] == shown
    colours = {one.get("fill") or "" for one in picture.iter(f"{SVG}rect")}
    assert len(colours) > 9, "weights differ"
    assert all(colour == "none" or colour.startswith("rgb(") for colour in colours)
    width = struct.unpack(">I", painted.read_bytes()[16:20])[0]
    assert width == 2 * int(float(picture.get("width") or 0))


def test_text_can_be_selected_without_a_map(page: Page) -> None:
    x, y = page.place("#translation", "key")
    for kind, at in (("mousePressed", x), ("mouseMoved", x + 60), ("mouseReleased", x + 60)):
        page.send(
            "Input.dispatchMouseEvent", type=kind, x=at, y=y, button="left", buttons=1, clickCount=1
        )
    assert page.run("getSelection().toString().length") > 2
    assert not page.run("document.querySelector('#attention').open")


def test_another_translation_of_a_sentence_takes_its_place(page: Page) -> None:
    before = page.text("#translation")
    page.click("#show-alternatives")
    page.wait("document.querySelectorAll('#alternatives button').length > 1")
    other = page.text("#alternatives li:nth-child(2) button")
    page.click("#alternatives li:nth-child(2) button")
    page.wait("document.querySelector('#status').textContent === 'The sentence is replaced'")
    assert page.text("#translation").startswith(other)
    assert page.run("document.querySelector('#alternatives [aria-current]').innerText") == other
    page.wait("performance.getEntriesByName(location.origin + '/attention').length > 0")
    page.hover("h1")
    page.hover_until("CSS.highlights.get('word').size === 1", "#translation", "key")
    assert "Schlüssel" in attended(page), "the words of a chosen translation are linked as well"
    page.click("#undo")
    assert page.text("#translation") == before


def test_in_a_long_text_the_other_side_comes_into_sight(page: Page) -> None:
    page.write("Das Kind schläft.\n" * 60 + "Ich habe meinen Schlüssel verloren.")
    page.wait("document.querySelector('#translation').textContent.endsWith('key.')")
    page.wait("!document.querySelector('#copy').disabled")
    assert page.run("document.querySelector('#q').scrollTop") > 500, "the cursor is at the end"
    page.hover_until("CSS.highlights.get('word').size === 1", "#translation", "child")
    assert page.run("document.querySelector('#q').scrollTop") < 100
    seen = "document.querySelector('#translation').scrollTop"
    assert page.run(f"new Promise(requestAnimationFrame).then(() => {seen})") == 0


def test_flags_are_said_beside_the_sentence(browser: Chromium, faked: str) -> None:
    with browser.page(f"{faked}/#de/en/") as page:
        page.write("Gut. flag:repetition schlecht. cut ab. flag:unheard anders.")
        page.wait("document.querySelectorAll('.flag').length === 3")
        chips = page.run("[...document.querySelectorAll('.flag')].map((one) => one.innerText)")
        assert chips == ["repeats itself", "cut off", "noted: unheard"]
        for _ in range(2):
            page.click("#next")
        assert page.text("#notes") == "The translation was cut off. Its end is missing."
        copied = page.run("import('/static/js/page/result.js').then((module) => module.text())")
        assert "repeats" not in copied


def test_wrong_numbers_are_said_in_plain_words(browser: Chromium, faked: str) -> None:
    with browser.page(f"{faked}/#de/en/") as page:
        page.write("Gut. flag:numbers 58 Kinder.")
        page.wait("document.querySelectorAll('.flag').length === 1")
        assert page.text(".flag") == "check the numbers"
        page.click("#next")
        notes = page.text("#notes")
        assert "A number of the translation is not the one of the text." in notes
        assert "Only in the text: 58" in notes
        assert "Only in the translation: 85" in notes


def test_a_pair_that_goes_by_another_language_says_so(browser: Chromium, faked: str) -> None:
    with browser.page(f"{faked}/#de/ar/pivoted") as page:
        page.wait("!document.querySelector('#via').hidden")
        assert page.text("#via") == "Translated by way of English."
        assert "Two models have translated this, one after the other" in page.text("#notes")
        link = page.run("document.querySelector('#notes a').href")
        assert link == f"{faked}/how-it-attends#de/en/pivoted", "the first model has a map"
        assert not page.is_shown("#show-attention")
        page.click("#translation", "PIVOTED")
        assert not page.run("document.querySelector('#attention').open")
        assert page.text("#how-to-see").endswith("is not known.")


def test_the_map_of_a_long_sentence_fits_its_window(browser: Chromium, real: str) -> None:
    long = "Das Kind hat gestern im Garten hinter dem Haus seiner Tante einen roten Ball gefunden."
    with browser.page(f"{real}/#de/en/{quote(long)}", width=1440, height=900) as page:
        page.click("#show-attention")
        page.wait("document.querySelectorAll('#map .cell').length > 0")
        widths = page.run(
            "['scrollWidth', 'clientWidth'].map((one) => document.querySelector('#map')[one])"
        )
        assert widths[0] <= widths[1]
        page.look(width=768, height=1024)
        assert page.run("document.querySelector('#map').clientWidth") > 600, "below the small ones"


def test_forced_colours_hide_no_partner_and_no_choice(browser: Chromium, faked: str) -> None:
    with browser.page(f"{faked}/#de/en/Das%20Kind.") as page:
        forced = {"name": "forced-colors", "value": "active"}
        page.send("Emulation.setEmulatedMedia", features=[forced])
        page.click("#show-alternatives")
        page.wait("document.querySelector('#alternatives mark') !== null")
        page.click("#use summary")
        style = "getComputedStyle(document.querySelector('{}'))"
        field, mark, snippet, choice = (
            style.format(selector)
            for selector in (
                *("#q", "#alternatives mark"),
                *("#snippets :checked + span", "#alternatives [aria-current]"),
            )
        )
        assert page.run(f"{field}.backgroundColor") == "rgba(0, 0, 0, 0)", "marks are behind it"
        assert page.run(f"{mark}.color !== {mark}.backgroundColor")
        for chosen in (snippet, choice):
            assert page.run(f"{chosen}.outlineStyle") == "solid"
