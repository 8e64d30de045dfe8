"""Nothing that is typed, named, linked or answered becomes code, and nothing leaves the origin."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from tests.browser.chromium import Chromium
from tests.browser.conftest import needs_chromium
from tests.browser.faked import EVIL
from tests.browser.page import Page

pytestmark = needs_chromium


def assert_harmless(page: Page, url: str) -> None:
    assert page.run("document.body.dataset.evil") is None
    assert page.run("document.querySelectorAll('main img, main script').length") == 0
    assert page.problems() == [], "a script has failed, or the policy had to refuse one"
    assert all(asked.startswith((url, "data:")) for asked in page.requests())


def test_markup_in_a_text_is_text(browser: Chromium, faked: str) -> None:
    with browser.page(f"{faked}/#de/en/") as page:
        page.write(EVIL)
        page.wait("document.querySelector('#translation').textContent.includes('<IMG')")
        page.click("#show-alternatives")
        page.wait("document.querySelectorAll('#alternatives button').length > 1")
        page.click("#alternatives li:nth-child(2) button")
        page.wait("document.querySelector('#translation').textContent.includes('<img')")
        page.click("#recent summary")
        page.wait("document.querySelectorAll('#recent-list button').length > 0")
        page.click("#use summary")
        assert_harmless(page, faked)


FRAGMENTS = (
    quote(EVIL),
    f"{quote(EVIL, safe='')}/{quote(EVIL, safe='')}/{quote(EVIL, safe='')}",
    "de/en/%",
    "__proto__/constructor/x",
    "javascript:alert(1)/en/x",
    '"><img src=x onerror=document.body.dataset.evil=1>/en/x',
)


@pytest.mark.parametrize("path", ["/", "/how-it-attends"])
def test_a_link_is_only_languages_and_text(browser: Chromium, faked: str, path: str) -> None:
    with browser.page(f"{faked}{path}") as page:
        for number, fragment in enumerate(FRAGMENTS):
            page.open(f"{faked}{path}?{number}#{fragment}")
            page.run("new Promise((done) => setTimeout(done, 200))")
            assert page.run("document.body.dataset.evil") is None, fragment
            assert page.run("document.querySelectorAll('main img, main script').length") == 0
            assert page.problems() == [], fragment
            if path == "/":
                assert page.value("#source") in ("auto", "de", "en")
                assert page.value("#target") in ("de", "en", "ar")


def test_what_the_storage_holds_is_not_trusted(browser: Chromium, faked: str) -> None:
    with browser.page(f"{faked}/") as page:
        for kept in (
            "nonsense",
            "7",
            '[{"q": 7}]',
            '[null, {"q": "<b>", "text": "<i>", "source": "<u>", "target": "x"}]',
        ):
            page.run(f"localStorage.setItem('translator.recent', {kept!r})")
            page.open(f"{faked}/?{len(kept)}")
            page.run("document.querySelector('#recent').open = true")
        assert page.run("document.querySelectorAll('#recent-list li').length") == 1
        assert page.run("document.querySelectorAll('#recent-list :is(b, i, u)').length") == 0
        assert_harmless(page, faked)


def test_answers_of_the_model_are_text_in_the_maps(browser: Chromium, real: str) -> None:
    with browser.page(f"{real}/how-it-attends#de/en/{quote(EVIL[:60])}") as page:
        page.wait("document.querySelectorAll('#map-cross .cell').length > 0")
        assert_harmless(page, real)
