"""A service that needs keys: the page asks for one, keeps it here, and says what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.access.keys import KeyStore
from tests.browser.chromium import Chromium
from tests.browser.conftest import APPLICATION, needs_chromium
from tests.browser.page import Page
from tests.service.server import serving_app

pytestmark = needs_chromium
GERMAN = "Das Kind schläft heute nicht."
KEPT = "localStorage.getItem('translator.key')"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("keys") / "keys.sqlite3"


@pytest.fixture(scope="module")
def store(database: Path) -> Iterator[KeyStore]:
    keys = KeyStore(database)
    yield keys
    keys.close()


@pytest.fixture(scope="module")
def keyed(tmp_path_factory: pytest.TempPathFactory, database: Path) -> Iterator[str]:
    """A faked server that answers only who has a key of the database."""
    folder = tmp_path_factory.mktemp("keyed")
    settings = f"api_keys='required', database={str(database)!r}, api_keys_url='https://a.example/'"
    with serving_app(folder, APPLICATION.replace("SETTINGS", settings)) as address:
        yield address


def give(page: Page, key: str) -> None:
    page.run("document.querySelector('#key').focus()")
    page.run("document.querySelector('#key').select()")
    page.paste(key)
    page.press("Enter")


def test_the_page_asks_for_a_key_and_says_what_is_wrong_with_it(
    browser: Chromium, keyed: str, store: KeyStore
) -> None:
    key = store.add("asked")
    with browser.page(f"{keyed}/#de/en/") as page:
        assert page.is_shown("#key"), "it is asked for at once"
        assert page.run("document.querySelector('#key-enter a').href") == "https://a.example/"
        page.write(GERMAN)
        page.wait("performance.getEntriesByName(location.origin + '/translate').length > 0")
        for wrong in ("0000.wrong", "schlüssel"):
            give(page, wrong)
            page.wait("!document.querySelector('#key-problem').hidden")
            assert page.text("#key-problem").startswith("The server does not accept this key.")
            assert page.run(KEPT) is None, "a wrong key is not kept"
        assert not page.is_shown("#error"), "it is said once"
        give(page, key)
        page.wait(f"document.querySelector('#translation').textContent === '{GERMAN.upper()}'")
        assert not page.is_shown("#key")
        assert page.run(KEPT) == key


def test_the_key_comes_along_until_it_is_forgotten(
    browser: Chromium, keyed: str, store: KeyStore, tmp_path: Path
) -> None:
    file = tmp_path / "brief.txt"
    file.write_text("Guten Morgen.\n")
    key = store.add("kept")
    with browser.page(f"{keyed}/#de/en/") as page:
        give(page, key)
        page.wait(f"{KEPT} !== null")
        page.open(f"{keyed}/?again#de/en/Hallo.")
        page.wait("document.querySelector('#translation').textContent === 'HALLO.'")
        page.wait("!document.querySelector('#files').hidden")
        page.give_files("#file", file)
        page.wait("document.querySelector('#file-list a') !== null")
        page.click("#use summary")
        page.wait("document.querySelector('#snippet code').textContent !== ''")
        assert '"api_key":"YOUR-KEY"' in page.text("#snippet")
        assert key not in page.run("document.body.innerText"), "over a shoulder it cannot be read"
        page.click("#recent summary")
        page.wait("document.querySelector('#recent-list button') !== null")
        assert page.text("#forget") == "Forget all, and the key"
        page.click("#forget")
        assert page.run(KEPT) is None
        assert page.is_shown("#key"), "it is asked for again"
        asked = page.events("Network.requestWillBeSent")
        assert all(key not in one["request"]["url"] for one in asked), "addresses are logged"


def test_a_key_that_has_been_taken_away_is_asked_for_anew(
    browser: Chromium, keyed: str, store: KeyStore
) -> None:
    with browser.page(f"{keyed}/?lang=de#de/en/") as page:
        give(page, store.add("short"))
        page.wait(f"{KEPT} !== null")
        store.remove("short")
        page.write(GERMAN)
        page.wait("!document.querySelector('#key-problem').hidden")
        assert page.text("#key-problem").startswith("Der Server nimmt diesen Schlüssel nicht an.")
        assert page.is_shown("#key")
        assert page.run(KEPT) is None


def test_the_page_that_explains_asks_for_it_too(browser: Chromium, keyed: str) -> None:
    with browser.page(f"{keyed}/how-it-attends") as page:
        page.wait("document.querySelector('#said').innerText === ''")
        assert page.is_shown("#key")
        assert not page.is_shown("#problem")
