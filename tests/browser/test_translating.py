"""Translate: typing, streaming, languages, undo, links, what is kept, and errors."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest

from tests.browser.chromium import Chromium
from tests.browser.conftest import needs_chromium
from tests.browser.page import CONTROL, Page

pytestmark = needs_chromium
IDLE = "document.querySelector('.result').getAttribute('aria-busy') !== 'true'"
GERMAN = "Das Kind schläft heute nicht."


def translations_asked(page: Page) -> list[dict[str, str]]:
    told = page.events("Network.requestWillBeSent")
    bodies = [one["request"] for one in told if one["request"]["url"].endswith("/translate")]
    return [json.loads(one["postData"]) for one in bodies if one["method"] == "POST"]


def test_typing_translates_after_a_pause_and_says_what_it_has_detected(page: Page) -> None:
    page.click("#q")
    page.type(GERMAN)
    page.has(GERMAN.upper())
    page.wait("document.querySelector('#source').selectedOptions[0].text === 'German, detected'")
    assert len(translations_asked(page)) < len(GERMAN) / 2, "one request for each key"
    assert page.text("#count") == f"{len(GERMAN)} / 50,000"
    page.wait("document.querySelector('#status').textContent === 'Translated'")


def test_sentences_appear_as_they_are_streamed_and_typing_on_cancels(page: Page) -> None:
    page.write("Eins ist schnell. " + "Das ist slow. " * 20)
    page.wait("document.querySelector('#translation').textContent.startsWith('EINS IST SCHNELL.')")
    assert not page.run(IDLE), "the first sentence came only with the last"
    page.wait("Number(document.querySelector('#progress').ariaValueNow) > 5")
    page.press("End", CONTROL)
    page.type(" Neu.")
    page.wait("[...performance.getEntriesByType('resource')].length > 0")
    page.run("document.querySelector('#q').value = 'Kurz.'")
    page.run("document.querySelector('#q').dispatchEvent(new Event('input'))")
    page.has("KURZ.")
    failed = [one for one in page.events("Network.loadingFailed") if one.get("canceled")]
    assert failed, "no request was cancelled"
    assert not page.is_shown("#error")


def test_swapping_clearing_and_undoing(page: Page) -> None:
    page.choose("#source", "de")
    page.write(GERMAN)
    page.has(GERMAN.upper())
    page.click("#swap")
    assert (page.value("#source"), page.value("#target")) == ("en", "de")
    assert page.value("#q") == GERMAN.upper()
    page.click("#undo")
    assert (page.value("#source"), page.value("#target")) == ("de", "en")
    page.has(GERMAN.upper())
    assert page.value("#q") == GERMAN
    page.click("#clear")
    page.has("")
    assert page.run("document.activeElement.id") == "q"
    page.press("z", CONTROL)
    assert page.value("#q") == GERMAN, "Ctrl+Z takes back what the button did"
    page.has(GERMAN.upper())


def test_a_text_that_is_in_the_target_already_gets_another_target(page: Page) -> None:
    page.write("The child is not sleeping today.")
    page.wait("document.querySelector('#target').value === 'de'")
    page.wait("document.querySelector('#source').selectedOptions[0].text === 'English, detected'")


def test_a_link_holds_languages_and_text(page: Page, faked: str) -> None:
    page.click("#q")
    text = "Ein Satz: 100 % / #1 & mehr?\nNoch einer."
    page.paste(text)
    page.has(text.upper())
    page.wait("!document.querySelector('#link').disabled")
    assert page.run("location.hash") == "", "the address has no text of itself"
    page.click("#link")
    assert page.run("location.hash") == f"#auto/en/{quote(text, safe='!()*~')}"
    page.type("x")
    assert page.run("location.hash") == f"#auto/en/{quote(text, safe='!()*~')}"
    page.run("document.querySelector('#q').focus()")
    page.type("x")
    assert page.run("location.hash") == "", "it would say something else"
    page.open(f"{faked}/?x#de/ar/{quote('Guten Tag.')}")
    assert (page.value("#source"), page.value("#target")) == ("de", "ar")
    assert page.value("#q") == "Guten Tag."
    page.has("GUTEN TAG.")


def test_right_to_left_targets_are_written_that_way(page: Page) -> None:
    page.choose("#source", "de")
    page.choose("#target", "ar")
    style = "getComputedStyle(document.querySelector('#translation')).direction"
    assert page.run(style) == "rtl"
    assert page.run("document.querySelector('#translation').lang") == "ar"
    assert page.run("document.querySelector('#swap').disabled"), "there is no way back from Arabic"


def test_recent_translations_stay_in_the_browser_until_they_are_forgotten(page: Page) -> None:
    page.write(GERMAN)
    page.has(GERMAN.upper())
    page.click("#recent summary")
    page.wait("document.querySelector('#recent-list button') !== null")
    page.click("#clear")
    page.click("#recent-list button")
    page.has(GERMAN.upper())
    assert GERMAN in page.run("localStorage.getItem('translator.recent')")
    page.click("#forget")
    assert page.run("localStorage.length") == 0
    assert page.text("#recent-list") == "Nothing yet."


def test_errors_are_said_and_can_be_tried_again(page: Page) -> None:
    page.write("a" * 50_001)
    page.wait("!document.querySelector('#error').hidden")
    assert "50,001 characters; 50,000 are allowed" in page.text("#error")
    assert not page.is_shown("#retry")
    page.run("document.querySelector('#q').select()")
    page.go_offline()
    page.paste(GERMAN)
    page.wait("document.querySelector('#error').innerText.includes('offline')")
    assert page.run("document.querySelector('#copy').disabled"), "there is nothing whole"
    page.go_offline(False)
    page.has(GERMAN.upper())
    assert not page.run("document.querySelector('.outdated')")
    assert not page.is_shown("#error")


def test_the_line_below_says_what_is_so_now(page: Page) -> None:
    said = "document.querySelector('#status').textContent === {!r}"
    page.write(GERMAN)
    page.wait(said.format("Translated"))
    page.go_offline()
    page.paste(" Es")
    page.wait("!document.querySelector('#error').hidden")
    assert page.run(said.format("Not up to date")), "it says so of the earlier translation"
    page.go_offline(False)
    page.wait(said.format("Translated"))
    page.click("#clear")
    assert page.run(said.format("")), "there is nothing that is translated"
    page.click("#undo")
    page.wait("!document.querySelector('#copy').disabled")
    assert page.run(said.format("Undone"))
    page.run("new Promise((done) => setTimeout(done, 1200))")
    assert page.run(said.format("Undone")), "what the button did is not written over"
    page.run("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.click("#link")
    page.wait(said.format("The link is in the address bar"))
    page.click("#copy")
    page.wait(said.format("It is selected: copy it now"))
    assert page.run("getSelection().toString()") == f"{GERMAN} Es".upper()


@pytest.mark.parametrize("text", ["overload", "Das geht noch. overload"])
def test_errors_of_the_server_are_said_in_the_language_of_the_page(
    browser: Chromium, faked: str, text: str
) -> None:
    with browser.page(f"{faked}/?lang=de#de/en/{quote(text)}") as page:
        page.wait("!document.querySelector('#error').hidden")
        said = page.run("[...document.querySelectorAll('#error p')].map((one) => one.innerText)")
        assert said == ["Der Server ist ausgelastet. Versuchen Sie es gleich noch einmal.", ""]
        assert page.is_shown("#retry")


def test_a_language_that_is_not_translated_is_said_by_name(browser: Chromium, faked: str) -> None:
    text = quote("La tua password non è corretta")
    with browser.page(f"{faked}/?lang=de#auto/en/{text}") as page:
        page.wait("!document.querySelector('#error').hidden")
        said = page.text("#error p")
        assert said.startswith("Der Text scheint Italienisch zu sein; diese Sprache übersetzt")
        assert not page.is_shown("#retry")
        page.choose("#source", "en")
        page.has("LA TUA PASSWORD NON È CORRETTA")
        assert not page.is_shown("#error")


def test_half_an_emoji_does_not_keep_the_rest_from_being_translated(page: Page) -> None:
    page.run("document.querySelector('#q').value = 'Das Kind \\ud83d schläft.'")
    page.run("document.querySelector('#q').dispatchEvent(new Event('input'))")
    page.has("DAS KIND \ufffd SCHLÄFT.")


def test_only_what_has_changed_of_a_long_text_is_asked_for_again(page: Page) -> None:
    lines = [f"Das ist der lange Satz Nummer {number}." for number in range(60)]
    page.write(" ".join(lines))
    page.has(" ".join(lines).upper())
    page.wait("document.querySelector('#status').textContent === 'Translated'")
    page.run("document.querySelector('#q').setSelectionRange(1200, 1200)")
    page.type("xyz")
    whole = page.value("#q")
    page.has(whole.upper())
    asked = translations_asked(page)
    assert len(asked[0]["q"]) > 2000
    assert len(asked[-1]["q"]) < 400
    assert asked[-1]["source"] == "de", "what was detected in the whole text"


def test_the_same_is_told_as_a_command_and_as_programs(page: Page) -> None:
    page.choose("#source", "de")
    page.write('Er sagt: "Ja", sie sagt\'s auch.')
    page.click("#use summary")
    page.wait("document.querySelector('#snippet code').textContent.startsWith('curl')")
    assert "sie sagt'\\''s auch" in page.text("#snippet")
    page.click("#snippets", "Python")
    assert 'text = "Er sagt: \\"Ja\\", sie sagt\'s auch."' in page.text("#snippet")
    page.press("ArrowRight")
    assert page.run("document.activeElement.value") == "javascript"
    assert "await fetch" in page.text("#snippet")
    page.run("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.click("#copy-snippet")
    page.wait(
        "document.querySelector('#snippet-status').textContent === 'It is selected: copy it now'"
    )
    assert page.run("getSelection().toString()").startswith("const q =")


def scroll(page: Page, selector: str, top: int) -> None:
    """Scroll, and let two frames pass: who scrolls both sides at once is no person."""
    page.run(f"document.querySelector({selector!r}).scrollTop = {top}")
    frame = "new Promise(requestAnimationFrame)"
    page.run(f"{frame}.then(() => {frame})")


def test_long_texts_scroll_together_and_leave_the_rest_of_the_page_in_sight(page: Page) -> None:
    text = "\n".join(f"Satz Nummer {number}." for number in range(200))
    page.write(text)
    page.has(text.upper())
    page.wait("!document.querySelector('#copy').disabled")
    assert page.run("document.documentElement.scrollHeight") < 2 * page.run("innerHeight")
    top_of = "document.querySelector('{}').scrollTop"
    scroll(page, "#q", 0)
    page.wait(f"{top_of.format('#translation')} === 0")
    scroll(page, "#translation", 10**6)
    page.wait(f"{top_of.format('#q')} > 3000")
    scroll(page, "#q", 0)
    page.wait(f"{top_of.format('#translation')} === 0")


MENU = """
import('/static/js/page/languages.js').then(({{ putFirst }}) => {{
  const menu = document.createElement("select");
  for (const code of ["auto", ..."{codes}"]) menu.append(new Option(code.toUpperCase(), code));
  menu.value = "auto";
  putFirst(menu, {recent});
  const groups = [...menu.querySelectorAll("optgroup")].map((group) => group.label);
  return [[...menu.options].map((option) => option.value).join(" "), groups.join(", "), menu.value];
}})
"""


@pytest.mark.parametrize(
    ("codes", "recent", "order", "groups"),
    [
        (
            "abcdefghi",
            ["f", "x", "b"],
            "auto f b a c d e g h i",
            "Recently used, All other languages",
        ),
        ("abcdefghi", [], "auto a b c d e f g h i", ""),
        ("abcdefgh", ["f"], "auto a b c d e f g h", ""),
    ],
)
def test_recent_languages_come_first_where_there_are_many(
    page: Page, codes: str, recent: list[str], order: str, groups: str
) -> None:
    script = MENU.format(codes=codes, recent=json.dumps(recent))
    assert page.run(script) == [order, groups, "auto"]
