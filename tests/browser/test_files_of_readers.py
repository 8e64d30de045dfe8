"""Files: what is taken, refused, translated and fetched."""

from __future__ import annotations

import zipfile
from pathlib import Path

from tests.browser.chromium import Chromium
from tests.browser.conftest import needs_chromium
from tests.pdf_files import with_a_damaged_page
from tests.waiting import wait_until

pytestmark = needs_chromium


def test_a_file_is_translated_and_fetched(browser: Chromium, faked: str, tmp_path: Path) -> None:
    file = tmp_path / "brief.txt"
    file.write_text("Guten Morgen.\n")
    with browser.page(f"{faked}/#de/en/") as page:
        page.wait("!document.querySelector('#files').hidden")
        page.click("#files summary")
        assert ".docx" in page.text("#file-kinds")
        page.give_files("#file", file)
        page.wait("document.querySelector('#file-list a') !== null")
        assert page.text("#file-status") == "brief.txt is translated"
        page.click("#file-list a")
        fetched = page.downloads / "brief_en.txt"
        wait_until(lambda: fetched.exists() and fetched.read_text() == "GUTEN MORGEN.\n")


def test_progress_is_shown_and_columns_are_chosen(
    browser: Chromium, faked: str, tmp_path: Path
) -> None:
    table = tmp_path / "tiere.csv"
    table.write_text("name,note\nHund,slow\n")
    with browser.page(f"{faked}/#de/en/") as page:
        page.wait("!document.querySelector('#files').hidden")
        page.click("#files summary")
        page.give_files("#file", table)
        page.click(".file-columns")
        page.paste("note, 7")
        page.press("Enter")
        page.wait("document.querySelector('#file-list .error') !== null")
        assert "has no column '7'" in page.text("#file-list [lang=en]")
        page.run("document.querySelector('#file-list .round').click()")
        page.run(
            "window.told = []; const list = document.querySelector('#file-list'); "
            "new MutationObserver(() => told.push(list.querySelector('.state .note')?.textContent))"
            ".observe(list, "
            "{childList: true, subtree: true, characterData: true})"
        )
        page.give_files("#file", table)
        page.click(".file-columns")
        page.paste(" note ")
        page.click("#file-list .state button")
        page.wait("document.querySelector('#file-list a') !== null")
        assert "Translating: 50%" in page.run("told")
        page.click("#file-list a")
        fetched = page.downloads / "tiere_en.csv"
        wait_until(lambda: fetched.exists() and fetched.read_text() == "name,note\nHund,SLOW\n")


def test_markdown_alone_is_asked_for_its_front_matter(
    browser: Chromium, faked: str, tmp_path: Path
) -> None:
    post, plain = tmp_path / "post.md", tmp_path / "plain.txt"
    post.write_text("---\ntitle: ein Hund\ntags: [b]\n---\n\nHallo\n")
    plain.write_text("Hallo\n")
    with browser.page(f"{faked}/#de/en/") as page:
        page.wait("!document.querySelector('#files').hidden")
        page.click("#files summary")
        page.give_files("#file", plain)
        page.wait("document.querySelector('#file-list a') !== null")
        assert not page.run("document.querySelector('#file-list input')")
        page.give_files("#file", post)
        box = "document.querySelector('#file-list input')"
        label = page.run(f"{box}.labels[0].textContent")
        assert label == " Translate title, description and summary at the top, too"
        page.run(f"{box}.focus()")
        for key in ("Space", "Tab", "Enter"):
            page.press(key)
        page.wait("document.querySelectorAll('#file-list a').length > 1")
        page.click("#file-list li:last-child a")
        fetched = page.downloads / "post_en.md"
        expected = "---\ntitle: EIN HUND\ntags: [b]\n---\n\nHALLO\n"
        wait_until(lambda: fetched.exists() and fetched.read_text() == expected)


def test_a_damaged_file_is_refused_in_the_language_of_the_page(
    browser: Chromium, faked: str, tmp_path: Path
) -> None:
    damaged = tmp_path / "texte.json"
    damaged.write_text("{")
    with browser.page(f"{faked}/?lang=de#de/en/") as page:
        page.wait("!document.querySelector('#files').hidden")
        page.give_files("#file", damaged)
        page.wait("document.querySelector('#file-list .error') !== null")
        problem = page.run("document.querySelector('#file-list .error').textContent")
        assert problem.startswith("Die Datei ist leer, beschädigt oder nicht von der Art")
        detail = page.run("document.querySelector('#file-list [lang=en]').textContent")
        assert detail.startswith("is not JSON (Expecting"), "where it is damaged"


def test_what_cannot_be_translated_is_refused_at_once(
    browser: Chromium, faked: str, tmp_path: Path
) -> None:
    evil = tmp_path / "<img src=x onerror=evil()>.exe"
    evil.write_bytes(b"x")
    large = tmp_path / "large.txt"
    large.write_bytes(b"x" * (2 * 1024 * 1024 + 1))
    with browser.page(f"{faked}/") as page:
        page.wait("!document.querySelector('#files').hidden")
        page.click("#files summary")
        page.give_files("#file", evil, large)
        page.wait("document.querySelectorAll('#file-list .error').length === 2")
        assert page.text("#file-list li:nth-child(1) .error") == "This kind is not translated"
        assert page.text("#file-list li:nth-child(2) .error") == "Larger than 2 MB"
        empty = tmp_path / "empty.txt"
        empty.write_text("")
        page.give_files("#file", empty)
        page.wait("document.querySelectorAll('#file-list .error').length === 3")
        assert page.text("#file-list li:nth-child(3) .error") == "The file is empty"
        assert page.run("document.querySelectorAll('#file-list img').length") == 0
        assert not [url for url in page.requests() if url.endswith("/translate_file")]


def test_files_are_cancelled_tried_again_removed_and_fetched_together(
    browser: Chromium, faked: str, tmp_path: Path
) -> None:
    files = [tmp_path / "eins.txt", tmp_path / "zwei.txt"]
    for file in files:
        file.write_text(f"{file.stem}.\n")
    with browser.page(f"{faked}/#de/en/") as page:
        page.wait("!document.querySelector('#files').hidden")
        page.click("#files summary")
        assert page.text("#file-kinds").startswith("Kinds: .docx .pdf .pptx .xlsx .txt. Up to")
        assert page.text("#file-more summary").startswith("and ")
        page.run("window.held = XMLHttpRequest.prototype.send; 0")
        page.run(
            "XMLHttpRequest.prototype.send = function () { this.dispatchEvent(new Event('error')) }"
        )
        page.give_files("#file", *files)
        page.wait("document.querySelectorAll('#file-list .error').length === 2")
        assert page.text("#file-list li:last-child").startswith("zwei.txt → English")
        page.run("XMLHttpRequest.prototype.send = function () {}")
        page.click("#file-list li:nth-child(1) .state button")
        page.wait("document.querySelectorAll('#file-list progress').length === 1")
        leaving = "dispatchEvent(new Event('beforeunload', { cancelable: true }))"
        assert not page.run(leaving), "the browser asks first"
        page.run("XMLHttpRequest.prototype.send = held; 0")
        page.click("#file-list li:nth-child(1) .round")
        assert page.run("document.querySelectorAll('#file-list li').length") == 1
        assert page.run(leaving)
        page.click("#file-list .state button")
        page.give_files("#file", files[0])
        page.wait("document.querySelectorAll('#file-list a').length === 2")
        page.click("#file-all")
        fetched = page.downloads / "translated.zip"
        wait_until(lambda: fetched.exists() and zipfile.is_zipfile(fetched))
        with zipfile.ZipFile(fetched) as archive:
            found = {name: archive.read(name).decode() for name in archive.namelist()}
            assert archive.testzip() is None
        assert found == {"zwei_en.txt": "ZWEI.\n", "eins_en.txt": "EINS.\n"}


def test_a_file_that_is_in_the_target_already_says_so(
    browser: Chromium, faked: str, tmp_path: Path
) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Good morning, everyone. We meet today at nine in the large hall.\n")
    with browser.page(f"{faked}/#auto/en/") as page:
        page.wait("!document.querySelector('#files').hidden")
        page.click("#files summary")
        page.give_files("#file", file)
        page.wait("document.querySelector('#file-list a') !== null")
        assert page.text("#file-list p") == "The text seems to be in English already."


def test_what_stays_in_a_file_is_told(browser: Chromium, faked: str, tmp_path: Path) -> None:
    file = tmp_path / "report.pdf"
    file.write_bytes(with_a_damaged_page())
    with browser.page(f"{faked}/#en/de/") as page:
        page.wait("!document.querySelector('#files').hidden")
        page.click("#files summary")
        page.give_files("#file", file)
        page.wait("document.querySelector('#file-list a') !== null")
        note = "#file-list details.note"
        assert page.text(f"{note} summary").endswith("stay as they are")
        page.click(f"{note} summary")
        assert page.text(f"{note} li") == "The second page is damaged."
