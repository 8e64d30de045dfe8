"""Fifty languages: their list is searched by typing, by keyboard, finger and screen reader."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.browser.chromium import Chromium
from tests.browser.conftest import needs_chromium
from tests.browser.page import Page
from tests.service.server import serving_app

pytestmark = [pytest.mark.slow, needs_chromium]

APPLICATION = """
from tests.browser.faked import FakedTranslator
from translator.language_names import english_name
from translator.pipeline.translation import Language

codes = sorted(
    (
        "en pt bg ca cs da de el es et fa fi fr hi hr hu id is it ja ko lt lv nb nl pl ro ru sk sl"
        " sq sr sv tr uk vi zh-Hans ar az be bn bs gu he kn ml ms nn ta te"
    ).split()
)
translator = FakedTranslator()
translator.languages = tuple(
    Language(code=code, name=english_name(code), targets=tuple({*codes} - {code, "ta"}))
    for code in codes
)
app = make_app(translator)
"""

NAMES = "[...document.querySelectorAll('#{0}-list [role=option]')].map((one) => one.dataset.code)"
ACTIVE = "document.activeElement.getAttribute('aria-activedescendant')"


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that copies texts between fifty languages."""
    with serving_app(tmp_path_factory.mktemp("many"), APPLICATION) as address:
        yield address


@pytest.fixture
def page(browser: Chromium, many: str) -> Iterator[Page]:
    with browser.page(f"{many}/") as opened:
        opened.wait("document.querySelector('#target-open') !== null")
        yield opened


def test_a_language_is_chosen_by_typing_its_name(page: Page) -> None:
    page.run("document.querySelector('#source-open').focus()")
    typed = {"key": "s", "code": "KeyS", "text": "s", "windowsVirtualKeyCode": 83}
    page.send("Input.dispatchKeyEvent", type="keyDown", **typed)
    assert page.value("#source-search") == "s", "a letter opens the list, and is searched"
    page.type("we")
    assert page.run(NAMES.format("source")) == ["sv"]
    page.press("Enter")
    assert page.value("#source") == "sv"
    assert page.text("#source-open") == "Swedish"
    assert page.run("document.activeElement.id") == "source-open", "focus is where it was"
    assert not page.is_shown("#source-list")
    page.run("document.querySelector('#q').focus()")
    page.type("Hej.")
    page.wait("document.querySelector('#translation').innerText.includes('HEJ')")


@pytest.mark.parametrize(
    ("typed", "codes"),
    [
        ("deutsch", ["de"]),  # what it calls itself
        ("de", ["de", "nl"]),  # its code, then a name that begins so
        ("espanol", ["es"]),  # without its accent
        ("simpl", ["zh-Hans"]),
        ("xyz", []),
    ],
)
def test_any_name_finds_a_language(page: Page, typed: str, codes: list[str]) -> None:
    page.click("#target-open")
    page.type(typed)
    found = page.run(NAMES.format("target"))
    assert found[:1] == codes[:1]
    assert {*codes} <= {*found}
    assert bool(found) == bool(codes)
    assert page.is_shown(".menu:not([hidden]) [role=status]") == (not codes)


def test_arrow_keys_go_through_the_list_and_escape_leaves_it_as_it_was(page: Page) -> None:
    before = page.value("#target")
    page.run("document.querySelector('#target-open').focus()")
    page.press("ArrowDown")
    assert page.run(ACTIVE) == f"target-{before}"
    codes = page.run(NAMES.format("target"))
    page.press("ArrowDown")
    assert page.run(ACTIVE) == f"target-{codes[codes.index(before) + 1]}"
    page.press("ArrowUp")
    page.press("ArrowUp")
    assert page.run(ACTIVE) == f"target-{codes[codes.index(before) - 1]}"
    page.press("Escape")
    assert page.value("#target") == before
    assert page.run("document.activeElement.id") == "target-open"


def test_a_screen_reader_is_told_what_it_is(page: Page) -> None:
    page.click("#source-open")
    nodes = page.send("Accessibility.getFullAXTree")["nodes"]
    told = {
        (node["role"]["value"], node.get("name", {}).get("value", "").strip()) for node in nodes
    }
    assert ("button", "Translate from Detect language") in told
    assert ("combobox", "Translate from. Search a language") in told
    assert ("listbox", "Translate from") in told
    assert ("option", "German") in told, "its own name is for the eye only"
    assert page.run("document.querySelector('#source-open').ariaExpanded") == "true"
    page.click("#target-open")
    assert page.run("document.querySelector('#source-open').ariaExpanded") == "false", (
        "one at a time"
    )


def test_recent_languages_come_first(page: Page, many: str) -> None:
    entry = {"q": "Olá.", "text": "OLÁ.", "source": "pt", "target": "uk"}
    page.run(f"localStorage.setItem('translator.recent', {json.dumps(json.dumps([entry]))})")
    page.open(f"{many}/?again")
    page.click("#target-open")
    assert page.run(NAMES.format("target"))[0] == "uk"
    groups = page.run(
        "[...document.querySelectorAll('#target-list [role=group]')].map((g) => g.ariaLabel)"
    )
    assert groups == ["Recently used", "All other languages"]


def test_on_a_phone_a_tap_chooses_and_no_keyboard_covers_the_list(
    browser: Chromium, many: str
) -> None:
    with browser.page(f"{many}/", width=360, height=740, is_touched=True) as page:
        page.wait("document.querySelector('#target-open') !== null")
        page.tap("#target-open")
        assert page.run("document.activeElement.id") == "target-list"
        page.tap("#target-da")
        page.wait("document.querySelector('#target').value === 'da'")
        assert page.run("document.documentElement.scrollWidth <= innerWidth")


def test_long_names_do_not_widen_a_small_window(browser: Chromium, many: str) -> None:
    with browser.page(f"{many}/", width=320, height=560, language="de") as page:
        page.wait("document.querySelector('#source-open') !== null")
        assert page.text("#source-open") == "Sprache erkennen"
        assert page.run("document.documentElement.scrollWidth - innerWidth") <= 0
        page.click("#source-open")
        assert page.run("document.documentElement.scrollWidth - innerWidth") <= 0
        bar, menu = (
            page.run(f"document.querySelector('{one}').getBoundingClientRect().{edge}")
            for one, edge in ((".languages", "bottom"), (".menu:not([hidden])", "top"))
        )
        assert abs(bar - menu) < 3, "the list is below its button, in a low window too"
