"""What is typed, chosen and shown stays whatever the reader does, and is what it is said to be."""

from __future__ import annotations

import json
from typing import Any

from tests.browser.conftest import needs_chromium
from tests.browser.page import Page

pytestmark = needs_chromium
GERMAN = "Das Kind schläft heute nicht."
ENGLISH = "The child is not sleeping today."
DETECTED = "document.querySelector('#source').selectedOptions[0].text === '{}, detected'"
COPY = "document.querySelector('#copy').disabled"
HELD = """(() => {
  const ask = fetch;
  window.asked = [];
  window.fetch = async (address, options) => {
    if (address === "/translate") {
      asked.push(JSON.parse(options.body));
      await window.held;
    }
    return ask(address, options);
  };
})()"""
"""Notes what is asked for, and lets answers wait as long as `window.held` is an open promise."""


def reload(page: Page) -> None:
    page.run("window.isOld = true; location.reload()")
    page.wait("!window.isOld && document.readyState === 'complete'")


def pair(page: Page) -> tuple[str, str]:
    return page.value("#source"), page.value("#target")


def test_a_long_text_is_detected_anew_when_it_is_another(page: Page) -> None:
    page.choose("#target", "de")
    english = "The child is not sleeping today, because it is ill. " * 30
    german = "Das Kind schläft heute nicht, weil es krank ist. " * 15
    page.write(english + german)
    page.wait(DETECTED.format("English"))
    page.has((english + german).upper())
    page.run(HELD)
    page.run(f"document.querySelector('#q').setSelectionRange(0, {len(english)})")
    page.run("document.querySelector('#q').focus()")
    page.send("Input.dispatchKeyEvent", type="keyDown", key="Delete", windowsVirtualKeyCode=46)
    page.has(german.upper())
    page.wait(DETECTED.format("German"))
    assert page.run("asked.map(({ source }) => source)") == ["auto"]


def test_what_was_detected_is_said_with_the_first_sentence(page: Page) -> None:
    page.write("Das Kind schläft heute nicht. " + "Das ist slow. " * 10)
    page.wait(DETECTED.format("German"))
    assert page.run(COPY), "the translation goes on"


def test_a_text_outlives_reloading_and_going_back(page: Page, faked: str) -> None:
    text = "Das ist ein langer Satz.\n" * 100
    page.write(text)
    page.has(text.upper())
    page.open(f"{faked}/how-it-attends")
    page.run("history.back()")
    page.has(text.upper())
    assert page.text("#count") == "2,500 / 50,000"
    reload(page)
    assert page.value("#q") == text
    page.has(text.upper())


def test_swapping_and_copying_do_not_act_on_another_text(page: Page) -> None:
    page.choose("#source", "de")
    page.write(GERMAN)
    page.has(GERMAN.upper())
    page.run(HELD)
    page.run("window.held = new Promise((resume) => (window.resume = resume)); 0")
    page.write("Etwas anderes.")
    assert page.run(COPY), "what stands there is the translation of the former text"
    page.click("#swap")
    assert pair(page) == ("en", "de")
    assert page.value("#q") == "Etwas anderes."
    page.run("resume()")
    page.click("#undo")
    assert pair(page) == ("de", "en")
    page.has("ETWAS ANDERES.")
    page.go_offline()
    page.write("Ohne Netz.")
    page.wait("!document.querySelector('#error').hidden")
    page.click("#swap")
    assert page.value("#q") == "Ohne Netz."
    page.click("#undo")
    assert page.value("#q") == "Ohne Netz."


def test_the_language_of_the_page_and_the_pair_are_remembered(page: Page, faked: str) -> None:
    page.choose("#source", "en")
    page.choose("#target", "de")
    page.write(ENGLISH)
    page.has(ENGLISH.upper())
    page.click(".interface-languages a")
    page.wait("document.documentElement?.lang === 'de'")
    page.has(ENGLISH.upper())
    assert pair(page) == ("en", "de")
    page.click(".top nav a:nth-of-type(2)")
    page.wait("location.pathname === '/how-it-attends' && document.readyState === 'complete'")
    page.click(".top nav a:nth-of-type(1)")
    page.has(ENGLISH.upper())
    page.run("Storage.prototype.setItem = () => {}; sessionStorage.clear()")  # as in another tab
    page.open(f"{faked}/?another")
    page.wait("document.documentElement?.lang === 'de' && document.readyState === 'complete'")
    assert (page.value("#q"), *pair(page)) == ("", "en", "de")


def test_a_chosen_translation_stays_as_long_as_its_sentence(page: Page) -> None:
    page.choose("#source", "de")
    page.write("Eins ist gut. Zwei auch.")
    page.has("EINS IST GUT. ZWEI AUCH.")
    page.click("#show-alternatives")
    page.wait("document.querySelectorAll('#alternatives button').length > 1")
    chosen = page.text("#alternatives li:nth-child(2) button")
    page.click("#alternatives li:nth-child(2) button")
    page.has(f"{chosen} ZWEI AUCH.")
    page.run("document.querySelector('#q').focus()")
    page.type(" Drei.")
    page.has(f"{chosen} ZWEI AUCH. DREI.")
    reload(page)
    page.has(f"{chosen} ZWEI AUCH. DREI.")
    page.click("#show-alternatives")
    page.wait("document.querySelectorAll('#alternatives button').length > 1")
    page.click("#alternatives li:nth-child(2) button")
    page.click("#undo")
    page.has(f"{chosen} ZWEI AUCH. DREI.")
    page.click("#alternatives li:nth-child(2) button")
    page.write("Vier.")
    page.has("VIER.")
    page.click("#undo")
    assert page.text("#status") != "Undone", "there was nothing left to undo"
    assert page.run("document.querySelector('#undo').disabled")


def test_what_was_edited_stays_while_other_sentences_change(page: Page) -> None:
    page.choose("#source", "de")
    page.write("Eins ist gut. Zwei auch.")
    page.has("EINS IST GUT. ZWEI AUCH.")
    page.click("#show-edit")
    assert page.run("document.activeElement.id") == "edit-text"
    page.run("document.activeElement.select()")
    page.type("All is well.")
    page.click("#q")
    page.has("All is well. ZWEI AUCH.")
    page.run("document.activeElement.setSelectionRange(99, 99)")
    page.type(" Drei.")
    page.has("All is well. ZWEI AUCH. DREI.")
    reload(page)
    page.has("All is well. ZWEI AUCH. DREI.")
    page.write("Eins ist gut.")
    page.has("All is well.")
    page.click("#show-edit")
    page.run("document.activeElement.select()")
    page.type("Nothing is.")
    page.press("Enter")
    page.has("Nothing is.")
    assert not page.is_shown("#edit-text")
    page.click("#undo")
    page.has("All is well.")


def test_other_words_are_offered_from_a_word_on(page: Page) -> None:
    page.choose("#source", "de")
    page.write("Eins ist gut. Zwei auch.")
    page.has("EINS IST GUT. ZWEI AUCH.")
    page.run(HELD)
    page.click("#translation", "IST")
    page.wait("document.querySelectorAll('#word-list button').length > 1")
    assert page.run("asked.map(({ q, prefix }) => [q, prefix])") == [["Eins ist gut.", "EINS"]]
    shown = page.text("#word-list li:nth-child(2) button")
    assert shown.startswith("IST GUT. <")
    page.click("#word-list li:nth-child(2) button")
    page.wait("document.querySelector('#status').textContent === 'The sentence is replaced'")
    assert page.text("#translation").startswith(f"EINS {shown.removesuffix('…')}")
    assert page.text("#translation").endswith("ZWEI AUCH.")
    page.click("#undo")
    page.has("EINS IST GUT. ZWEI AUCH.")


def test_what_was_edited_is_offered_to_who_runs_the_server(page: Page) -> None:
    page.choose("#source", "de")
    page.write("Eins ist gut.")
    page.has("EINS IST GUT.")
    page.click("#show-edit")
    page.run("document.activeElement.select()")
    page.type("All is well.")
    page.click("#suggest")
    page.wait("document.querySelector('#status').textContent === 'Suggested. Thank you!'")
    sent = page.events("Network.requestWillBeSent")[-1]["request"]
    assert json.loads(sent["postData"]) == {
        "q": "Eins ist gut.",
        "s": "All is well.",
        "source": "de",
        "target": page.value("#target"),
    }


def test_a_target_of_the_page_is_not_taken_for_one_of_the_reader(page: Page) -> None:
    page.write(ENGLISH)
    page.has(ENGLISH.upper())
    assert pair(page) == ("auto", "de"), "the page has chosen another target"
    reload(page)
    page.has(ENGLISH.upper())
    page.write(GERMAN)
    page.has(GERMAN.upper())
    assert pair(page) == ("auto", "en")


TROUBLE = """(() => {
  const ask = fetch;
  window.asked = [];
  window.answers = [];
  window.fetch = (address, options) => {
    if (address !== "/translate") return ask(address, options);
    asked.push(JSON.parse(options.body));
    const next = answers.shift();
    if (!next) return ask(address, options);
    return Promise.resolve(new Response(next.body, next));
  };
})()"""
"""Lets the next answers be those of a server, or of a proxy, in trouble."""


def trouble(page: Page, *answers: dict[str, Any]) -> None:
    page.run(TROUBLE)
    page.run(f"answers.push(...{json.dumps(answers)})")


def test_a_reader_who_asks_too_often_waits_and_goes_on(page: Page) -> None:
    trouble(page, {"status": 429, "body": "{}", "headers": {"Retry-After": "3"}})
    page.write(GERMAN)
    page.wait("document.querySelector('#goes-on').innerText.startsWith('Goes on in')")
    assert page.text("#error p").startswith("You have asked more often than this server allows.")
    page.type(" Es")
    page.run("new Promise((done) => setTimeout(done, 700))")
    assert page.run("asked.length") == 1, "it does not ask before it may"
    assert page.is_shown("#error")
    page.has(f"{GERMAN} Es".upper())
    assert page.run("asked.length") == 2
    assert not page.is_shown("#error")


def lines(sentences: list[str]) -> str:
    """Return the stream of an answer that breaks off behind those sentences."""
    common = {"type": "sentence", "index": 0, "score": 0, "finish_reasons": ["eos"], "flags": []}
    return "".join(
        json.dumps({**common, "separator": " " if n else "", "source": one, "text": one.upper()})
        + "\n"
        for n, one in enumerate(sentences)
    )


def test_what_broke_off_is_not_whole_and_goes_on_by_itself(page: Page) -> None:
    said = [f"Das ist der lange Satz Nummer {number}." for number in range(40)]
    text = " ".join(said)
    page.choose("#source", "de")
    html = {"status": 200, "body": "<h1>Log in</h1>"}
    trouble(page, html, {"status": 200, "body": lines(said[:30])}, {"status": 502, "body": ""})
    page.write(text)
    page.wait("document.querySelector('#error p').innerText.startsWith('The answer broke off')")
    assert page.text("#status") != "Translated"
    assert page.run(COPY)
    part = json.dumps(" ".join(said[:30]).upper())
    page.wait(f"document.querySelector('#translation').textContent === {part}")
    page.wait("document.querySelector('#status').textContent === 'Not up to date'")
    page.has(text.upper())
    assert page.text("#status") == "Translated"
    asked = page.run("asked.map(({ q }) => q.length)")
    assert len(asked) == 4
    assert asked[3] == asked[2] < asked[1] / 2, (
        "the sentences that are missing, and two beside them"
    )


def test_that_something_is_under_way_is_said_at_once(page: Page) -> None:
    page.run(HELD)
    page.run("window.held = new Promise(() => {}); 0")
    page.write(GERMAN)
    page.wait("window.asked.length === 1")
    assert page.text("#status") == "Translating…"
    assert page.run("document.querySelector('#spoken').textContent") == "", "but not at each pause"
