"""Random actions, seeded: after each, what is shown belongs to what is typed, or says that not."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable

import pytest

from tests.browser.chromium import Chromium
from tests.browser.conftest import needs_chromium
from tests.browser.faked import EVIL
from tests.browser.page import Page, ProtocolError
from tests.browser.test_nothing_lost import reload

pytestmark = needs_chromium
SENTENCES = [
    "Das Kind schläft heute nicht.",
    "The child is not sleeping today.",
    "Ein Satz ist slow.",
    "Noch einer ist hier.",
    "Zeile.\n",
    "overload",
]
STATE = """({
  q: document.querySelector("#q").value,
  text: [...document.querySelectorAll("#translation .sentence")].map((one) =>
    (one.previousSibling?.data ?? "") + one.firstChild.data).join(""),
  isOffered: !document.querySelector("#copy").disabled,
  said: document.querySelector("#status").textContent,
  isOutdated: document.querySelector("#translation").classList.contains("outdated"),
})"""
ALTERNATIVE = re.compile(r" <IMG SRC=X .*?</SCRIPT> \d")


def write(page: Page, text: str) -> None:
    """Change the text as typing does."""
    page.run(f"document.querySelector('#q').value = {json.dumps(text)}")
    page.run("document.querySelector('#q').dispatchEvent(new Event('input'))")


def press(page: Page, selector: str) -> None:
    page.run(f"document.querySelector({json.dumps(selector)})?.click()")


def choose(page: Page, selector: str, value: str) -> None:
    page.choose(selector, value)


def other(page: Page, choice: random.Random) -> None:
    """Choose another translation of a sentence, if there is one in hand."""
    press(page, "#next")
    press(page, "#show-alternatives")
    page.run("new Promise((done) => setTimeout(done, 300))")
    press(page, f"#alternatives li:nth-child({choice.randint(1, 3)}) button")


def edit(page: Page, choice: random.Random) -> None:
    """Edit a sentence, or let it go on with other words, if there is one in hand."""
    if choice.random() < 0.5:
        page.run("document.querySelector('#translation').focus()")
        page.press("ArrowRight")
        page.press("Enter")
        page.run("new Promise((done) => setTimeout(done, 300))")
        press(page, f"#word-list li:nth-child({choice.randint(1, 3)}) button")
        return
    field = "document.querySelector('#edit-text')"
    page.run(f"{field}.value += {json.dumps(f' {EVIL} 9')}")
    page.run(f"{field}.dispatchEvent(new Event('change'))")


def go_back(page: Page) -> None:
    address = page.run("location.href")
    page.open(address.split("/")[0] + "//" + address.split("/")[2] + "/docs")
    page.run("history.back()")
    page.wait("location.pathname === '/' && document.readyState === 'complete'")


def actions(page: Page, choice: random.Random) -> list[tuple[int, Callable[[], object]]]:
    """Return what can be done, each with how often."""
    some = choice.sample(SENTENCES, choice.randint(0, 4)) * choice.choice((1, 1, 1, 12))
    typed = page.value("#q")
    return [
        (8, lambda: write(page, " ".join(some))),
        (8, lambda: write(page, typed[: len(typed) // 2] + "x. " + typed[len(typed) // 2 :])),
        (4, lambda: write(page, typed[choice.randint(0, 40) :])),
        (3, lambda: press(page, "#clear" if "<" in page.text("#translation") else "#swap")),
        (4, lambda: press(page, "#undo")),
        (1, lambda: press(page, "#clear")),
        (2, lambda: press(page, "#link")),
        (4, lambda: other(page, choice)),
        (4, lambda: edit(page, choice)),
        (2, lambda: choose(page, "#source", choice.choice(("auto", "de", "en")))),
        (2, lambda: choose(page, "#target", choice.choice(("de", "en")))),
        (2, lambda: page.go_offline(choice.random() < 0.4)),
        (6, lambda: time.sleep(choice.random())),
        (1, lambda: reload(page)),
        (1, lambda: go_back(page)),
    ]


def words(text: str) -> list[str]:
    """Return what a text and its translation have in common: the server writes in capitals."""
    return ALTERNATIVE.sub("", text.upper()).split()


def check(page: Page) -> None:
    """Hold the page to what it says of itself."""
    state = page.run(STATE)
    if state["isOffered"]:
        assert words(state["text"]) == words(state["q"]), state
        assert not state["isOutdated"], state
    else:
        assert state["said"] != "Translated", state
    assert page.problems() == []


def act(browser: Chromium, url: str, seed: int, steps: int) -> None:
    choice = random.Random(seed)
    with browser.page(f"{url}/") as page:
        for step in range(steps):
            weights, possible = zip(*actions(page, choice), strict=True)
            number = choice.choices(range(len(possible)), weights)[0]
            if number >= len(possible) - 2:
                page.go_offline(False)  # without a connection, a page that is left is lost
            try:
                possible[number]()
                check(page)
            except (AssertionError, ProtocolError) as error:
                raise AssertionError(f"seed {seed}, step {step}, action {number}") from error
        page.go_offline(False)
        write(page, "Zum Schluss.")
        page.wait("document.querySelector('#translation').textContent === 'ZUM SCHLUSS.'")
        check(page)


def test_a_hundred_random_actions(browser: Chromium, faked: str) -> None:
    act(browser, faked, seed=1, steps=100)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 3])
def test_four_hundred_random_actions(browser: Chromium, faked: str, seed: int) -> None:
    act(browser, faked, seed=seed, steps=400)
