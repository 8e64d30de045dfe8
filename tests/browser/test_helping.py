"""What the page does of itself, and what it leaves to the reader: hints, history, print, saving."""

from __future__ import annotations

import json
import zipfile
from xml.etree import ElementTree

from tests.browser.chromium import Chromium
from tests.browser.conftest import needs_chromium
from tests.browser.page import Page
from tests.browser.test_nothing_lost import HELD, pair
from tests.waiting import wait_until

pytestmark = needs_chromium
TEXT = "Eins & <zwei>. Drei."


def test_another_language_than_the_chosen_one_is_noticed(page: Page) -> None:
    page.choose("#source", "en")
    page.choose("#target", "de")
    page.write("Guten Morgen, liebe Kinder.")
    page.wait("!document.querySelector('#hint').hidden")
    assert page.text("#hint").startswith("This looks like German.")
    page.click("#hint button")
    page.has("GUTEN MORGEN, LIEBE KINDER.")
    assert pair(page) == ("de", "en")
    page.run("new Promise((done) => setTimeout(done, 1200))")
    assert not page.is_shown("#hint")
    page.click("#undo")
    assert pair(page) == ("en", "de")


def test_the_form_of_address_is_asked_for_where_the_model_has_it(page: Page) -> None:
    page.choose("#source", "de")
    assert not page.is_shown("#formality"), "English has none"
    page.choose("#source", "en")
    page.choose("#target", "de")
    page.write("Are you ready?")
    page.has("ARE YOU READY?")
    page.run(HELD)
    page.choose("#formality", "less")
    page.has("ARE YOU READY?")
    assert page.run("asked.map(({ formality }) => formality)") == ["prefer_less"]
    page.run("location.reload()")
    page.wait("document.querySelector('#formality')?.value === 'less'")


def test_history_is_deleted_entry_by_entry_switched_off_and_forgotten_everywhere(
    page: Page,
) -> None:
    kept = "document.querySelectorAll('#recent-list .round').length"
    page.run("document.querySelector('#recent').open = true")
    for text in ("Eins.", "Zwei."):
        page.write(text)
        page.has(text.upper())
        page.click("#recent summary")
        page.click("#recent summary")
    page.wait(f"{kept} === 2")
    page.click("#recent-list li:nth-child(1) .round")
    page.wait(f"{kept} === 1")
    assert "Eins." in page.text("#recent-list")
    page.click("#keep-recent")
    page.write("Drei.")
    page.has("DREI.")
    page.click("#link")
    page.click("#recent summary")
    page.click("#recent summary")
    assert page.run(kept) == 1
    page.run("window.other = new BroadcastChannel('translator.recent'); 0")  # of another tab
    page.run("other.onmessage = ({ data }) => (window.told = data); 0")
    page.click("#forget")
    assert page.value("#q") == page.text("#translation") == page.run("location.hash") == ""
    assert page.run("document.querySelector('#undo').disabled")
    page.wait("window.told === 'forget'")
    page.write("Vier.")
    page.has("VIER.")
    page.run("other.postMessage('forget')")
    page.wait("document.querySelector('#q').value === ''")


def test_both_sides_are_printed_and_saved(page: Page) -> None:
    page.choose("#source", "de")
    page.write(TEXT)
    page.has(TEXT.upper())
    page.run("dispatchEvent(new Event('beforeprint'))")
    page.send("Emulation.setEmulatedMedia", media="print")
    assert page.is_shown("#paper")
    cells = page.run("[...document.querySelectorAll('#paper td')].map((cell) => cell.innerText)")
    assert cells == ["Eins & <zwei>.", "EINS & <ZWEI>.", "Drei.", "DREI."]
    assert not page.is_shown("#q")
    page.send("Emulation.setEmulatedMedia", media="")
    page.run("dispatchEvent(new Event('afterprint'))")
    for kind in ("txt", "docx", "tmx"):
        page.click("#save summary")
        page.click(f"#save [data-kind={kind}]")
    files = {kind: page.downloads / f"translation.{kind}" for kind in ("txt", "docx", "tmx")}
    # Chromium makes the file's name before it writes what is in it
    wait_until(lambda: all(file.exists() and file.stat().st_size for file in files.values()))
    assert files["txt"].read_text().split("\n\n")[::2] == [TEXT, f"{TEXT.upper()}\n"]
    with zipfile.ZipFile(files["docx"]) as archive:
        table = ElementTree.fromstring(archive.read("document.xml"))
    assert [one.text for one in table.iter() if one.tag.endswith("}t")] == cells
    units = ElementTree.fromstring(files["tmx"].read_text())
    assert [one.text for one in units.iter("seg")] == cells


VOICES = """
const said = window.said = [];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => [
    { lang: "de-DE", localService: true },
    { lang: "ar", localService: false },
    { lang: "en_GB", localService: true },
  ],
  speak: (part) => said.push(part),
  cancel: () => said.push(null),
} });
"""


def test_both_sides_are_read_aloud_by_a_voice_of_the_browser(page: Page, faked: str) -> None:
    page.send("Page.addScriptToEvaluateOnNewDocument", source=VOICES)
    page.open(f"{faked}/?voices#de/en/")
    page.write(TEXT)
    page.has(TEXT.upper())
    page.run("said.length = 0")
    page.click("[data-speak=text]")
    spoken = "said.filter(Boolean).map(({ text, lang }) => `${lang} ${text}`)"
    assert page.run(spoken) == [f"en_GB {one}" for one in ("EINS & <ZWEI>.", "DREI.")]
    assert page.run("document.querySelector('[data-speak=text]').title") == "Stop reading"
    page.click("[data-speak=text]")
    assert page.run("said.at(-1)") is None, "it is silent"
    assert page.run("document.querySelector('[data-speak=text]').title") == "Read aloud"
    page.click("[data-speak=source]")
    assert page.run(spoken)[-1] == "de-DE Drei."
    page.run("said.at(-1).onend()")
    assert page.run("document.querySelector('[data-speak=source]').title") == "Read aloud"
    page.choose("#target", "ar")
    page.has(TEXT.upper())
    assert not page.is_shown("[data-speak=text]"), "that voice is not in the browser"
    assert page.is_shown("[data-speak=source]")


def test_progress_is_spoken_in_quarters(page: Page) -> None:
    said = page.run(
        """import("/static/js/page/status.js").then(({ sayProgress }) => {
          const said = new Set();
          for (let percent = 0; percent <= 100; percent++) {
            sayProgress(percent);
            said.add(document.querySelector("#spoken").textContent);
          }
          return [...said];
        })"""
    )
    assert said == ["", *(f"Translating… {percent} %" for percent in (25, 50, 75, 100))]


def test_a_language_without_a_name_is_not_called_by_its_code(page: Page) -> None:
    unread = {"code": "unread_language", "detectedLanguage": {"language": "qaa"}}
    message = page.run(
        "import('/static/js/api.js').then((api) => "
        f"api.failureOf(400, {json.dumps(unread)}).message)"
    )
    assert message.startswith("The text seems to be in a language that this server does not")


def test_the_page_of_the_api_is_searched(browser: Chromium, faked: str) -> None:
    shown = "[...document.querySelectorAll('nav li:not([hidden]) code')].map((o) => o.innerText)"
    with browser.page(f"{faked}/docs") as page:
        assert page.run(shown)[0] == "POST /translate"
        page.click("#search")
        page.type("better suggest")
        assert page.run(shown) == ["POST /suggest"]
        assert not page.is_shown("nav h2:last-of-type"), "a group without an address"
        assert " of " in page.text("#search-found")
        page.click(".interface-languages a")
        page.wait("document.documentElement?.lang === 'de' && document.readyState === 'complete'")
        page.open(f"{faked}/docs")
        page.wait("document.documentElement?.lang === 'de'")
        page.click("#search")
        page.type("vorschlagen")
        page.wait("document.querySelector('#search-found').textContent.startsWith('1 von ')")


def test_terms_of_the_reader_are_used_marked_and_kept(page: Page) -> None:
    page.choose("#source", "de")
    page.write("Der Vertrag gilt.")
    page.has("DER VERTRAG GILT.")
    page.run(HELD)
    page.click("#glossary summary")
    page.click("#glossary-lines")
    page.paste("Vertrag = Vertrag\nnichts")
    page.run("document.querySelector('#q').focus()")
    page.wait("asked.length === 1")
    assert page.run("asked[0].glossary") == [["Vertrag", "Vertrag"]]
    page.wait("[...CSS.highlights.get('term')].map(String).join() !== ''")
    page.choose("#target", "ar")
    assert page.value("#glossary-lines") == "", "these are other terms"
    page.choose("#target", "en")
    assert page.value("#glossary-lines").startswith("Vertrag")
