"""A language that is not here is grey, is asked for once, and then translates."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.chromium import Chromium
from tests.browser.conftest import needs_chromium
from tests.browser.page import Page
from tests.service.server import serving_app

pytestmark = [pytest.mark.slow, needs_chromium]

APPLICATION = """
import threading, time
from pathlib import Path

from service.operations.fetcher import WANTED, Progress, State, write_state
from tests.browser.faked import LANGUAGES, FakedTranslator
from translator.pipeline.translation import Language

run = Path(__file__).parent / "run"
folder = run / "downloads"
folder.mkdir(parents=True)
translator = FakedTranslator()
state = State(available=["de", "en", "fr", "pt"])
write_state(folder, state)

def fetch():
    while not (folder / WANTED / "pt").exists():
        time.sleep(0.05)
    for number in range(40):
        state.languages["pt"] = Progress("downloading", number, 80)
        write_state(folder, state)
        time.sleep(0.05)
    portuguese = Language(code="pt", name="Portuguese", targets=("en", "pt"))
    english = Language(code="en", name="English", targets=("de", "en", "pt"))
    translator.languages = (*LANGUAGES[:2], english, portuguese)
    state.languages["pt"] = Progress("done", 80, 80)
    write_state(folder, state)

threading.Thread(target=fetch, daemon=True).start()
app = make_app(translator, ServiceConfig(downloads="on", run_folder=str(run)))
"""


@pytest.fixture
def page(browser: Chromium, tmp_path: Path) -> Iterator[Page]:
    with serving_app(tmp_path, APPLICATION) as url, browser.page(f"{url}/") as opened:
        opened.wait("document.querySelector('#target option.distant') !== null")
        yield opened


def test_a_language_comes_and_translates(page: Page) -> None:
    distant = "[...document.querySelectorAll('#{0} option.distant')].map((one) => one.value)"
    assert page.run(distant.format("target")) == ["fr", "pt"]
    page.choose("#source", "en")
    page.run("document.querySelector('#q').focus()")
    page.type("Good morning.")
    page.wait("document.querySelector('#translation').innerText.includes('MORNING')")
    former = page.value("#target")
    page.choose("#target", "pt")
    page.wait("document.querySelector('#download').open")
    assert "Portuguese" in page.text("#download-heading")
    assert page.value("#target") == former, "nothing happens before the answer"
    page.click("#download button[value='']")
    page.wait("!document.querySelector('#download').open")
    page.choose("#target", "pt")
    page.wait("document.querySelector('#download').open")
    page.click("#download button[value=yes]")
    page.wait(
        "/being downloaded: \\d+ %/.test(document.querySelector('#download-progress').innerText)"
    )
    page.wait("document.querySelector('#target').value === 'pt'")
    page.wait("document.querySelector('#download-progress').hidden")
    page.wait("document.querySelector('#translation').lang === 'pt'")
    assert page.run(distant.format("target")) == ["fr"]


BETTER = """
import service.page

small = {("de", "en"), ("en", "de")}
service.page.stand_in = lambda _: set(small)

def better():
    while not (folder / WANTED / "de").exists():
        time.sleep(0.05)
    state.languages["de"] = Progress("downloading", 40, 80)
    write_state(folder, state)
    time.sleep(1)
    state.languages["de"] = Progress("done", 80, 80)
    write_state(folder, state)
    time.sleep(1)
    small.clear()

threading.Thread(target=better, daemon=True).start()
"""


def test_the_foot_of_the_page_gets_better_models(browser: Chromium, tmp_path: Path) -> None:
    application = APPLICATION.replace('"pt"])', '"pt", "sq"])') + BETTER
    with serving_app(tmp_path, application) as url, browser.page(f"{url}/") as page:
        page.wait("document.querySelector('#target option.distant') !== null")
        assert "German and English: by the small model" in page.text("#small-de")
        page.run("document.querySelector('#small-de button').click()")  # it may still move
        assert page.run("document.querySelector('#small-de button')?.disabled ?? true")
        page.wait("document.querySelector('#small-de') === null")
        page.wait("document.querySelector('#download-progress').hidden")
        found = page.run(
            "import('/static/js/page/menu.js').then(({matching}) => matching("
            "[...document.querySelector('#target').options], 'shqip').map((one) => one.text))"
        )
        assert found == ["Albanian"]
