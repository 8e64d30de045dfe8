"""Pages for people: in their language, self-contained, and what they show."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, cast

import pytest
from flask.testing import FlaskClient
from werkzeug.datastructures import LanguageAccept

from service import page
from service.config import ServiceConfig
from service.http.endpoint import Example, description_of
from service.http.rendering import (
    FIRST,
    choose_language,
    strings_in,
    summaries_in,
    words_of,
    written_in,
)
from service.page import modules_of, named
from service.start.app import create_app
from tests.checkout import ROOT
from tests.engines import CopyEngine
from tests.service.conftest import FakeTranslator, detector, make_app
from translator.engine.port import Engine
from translator.language_names import own_name
from translator.pipeline.translation import Language
from translator.pipeline.translator import Translator
from translator.store.model_directory import LoadedModel


def test_the_page_labels_its_controls(client: FlaskClient) -> None:
    page = client.get("/").text
    controls = re.findall(r"<(?:select|textarea|input)\b[^>]*>", page)
    assert controls
    for control in controls:
        found = re.search(r'\bid="([^"]+)"', control)
        is_labelled = found and f'for="{found[1]}"' in page
        assert is_labelled or "aria-label" in control or 'type="radio"' in control, control
    for button in re.findall(r"<button\b.*?</button>", page, re.DOTALL):
        words = re.sub(r"<[^>]*>|\s", "", button)
        assert words or "aria-label" in button or 'id="retry"' in button, button


def test_the_page_offers_the_languages_by_name(client: FlaskClient) -> None:
    english = client.get("/").text
    assert '<option value="auto">Detect language</option>' in english
    assert '<option value="pt-BR">Portuguese (Brazil)</option>' in english
    german = client.get("/?lang=de").text
    assert '<option value="en">Englisch</option>' in german


def test_languages_are_sorted_by_name_and_know_their_direction() -> None:
    languages = (
        Language(code="de", name="German", targets=("de", "ar"), formality=("ar",)),
        Language(code="ar", name="Arabic", targets=("ar",)),
    )
    assert named(languages, "en") == [
        {"code": "ar", "name": "Arabic", "targets": [], "rtl": True, "formality": []},
        {"code": "de", "name": "German", "targets": ["ar"], "rtl": False, "formality": ["ar"]},
    ]
    others = tuple(Language(code=code, name=code, targets=()) for code in ("su", "st", "tr"))
    names = [language["name"] for language in named((*others, *languages), "de")]
    assert names == ["Arabisch", "Deutsch", "Süd-Sotho", "Sundanesisch", "Türkisch"]


@pytest.mark.parametrize(("downloads", "offered"), [("off", False), ("on", True)])
def test_the_foot_says_what_the_shipped_model_translates(
    translator: FakeTranslator, monkeypatch: pytest.MonkeyPatch, downloads: Any, offered: bool
) -> None:
    client = make_app(translator, ServiceConfig(downloads=downloads)).test_client()
    assert "<footer" not in client.get("/").text
    monkeypatch.setattr(page, "stand_in", lambda _: {("de", "en"), ("en", "de")})
    foot = client.get("/?lang=de").text.partition("<footer")[2].partition("</footer>")[0]
    assert "Deutsch und Englisch: mit dem kleinen Modell" in foot
    assert ("data-better" in foot) == offered


def test_languages_are_named_by_themselves_where_browsers_do_not(client: FlaskClient) -> None:
    own = {code: own_name(code) for code in ("sq", "be", "gl", "is", "mt", "de", "acm", "auto")}
    assert [*own.values()] == (
        ["shqip", "беларуская", "galego", "íslenska", "Malti", "Deutsch", "", ""]
    )
    data = client.get("/").text.partition('id="page-data">')[2].partition("</script>")[0]
    assert json.loads(data)["names"]["de"] == ["German", "Deutsch"]


def test_all_scripts_of_a_page_are_fetched_at_once(client: FlaskClient) -> None:
    for path, folder in (("/", "page"), ("/how-it-attends", "attends")):
        page = client.get(path).text
        modules = re.findall(r'<link rel="modulepreload" href="/static/([^"]+)"', page)
        assert tuple(modules) == modules_of(folder)
        assert {"js/api.js", f"js/{folder}/main.js"} <= {*modules}


PAGES = ["/", "/how-it-attends", "/docs"]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_self_contained(client: FlaskClient, path: str) -> None:
    page = client.get(path)
    assert (page.status_code, page.mimetype) == (200, "text/html")
    policy = page.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in policy
    addresses = re.findall(r'(?:src|href|action)="([^"]*)"', page.text)
    assert len(addresses) >= 8
    for address in addresses:
        assert re.match(r"[/#](?!/)", address), address
        if address.startswith("/"):
            with client.get(address) as response:
                assert response.status_code in (200, 405), address
        else:
            assert f'id="{address[1:]}"' in page.text, address
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script>", page.text)


class Nesting(HTMLParser):
    """Collects blocks inside of lines, and headings without words."""

    def __init__(self) -> None:
        super().__init__()
        self.open, self.faults, self.words = list[str](), list[str](), ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            return
        if tag in BLOCKS and {"span", "p"} & {*self.open}:
            self.faults.append(" > ".join([*self.open, tag]))
        self.open.append(tag)
        if tag in HEADINGS:
            self.words = ""

    def handle_data(self, data: str) -> None:
        self.words += data.strip()

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if self.open.pop() != tag:
            self.faults.append(f"</{tag}>")
        if tag in HEADINGS and not self.words:
            self.faults.append(f"<{tag}></{tag}>")


HEADINGS = {"h1", "h2", "h3", "h4"}
BLOCKS = HEADINGS | {"details", "div", "p", "section", "ul", "ol", "dl", "table", "form", "pre"}
VOID = {"meta", "link", "img", "input", "br", "hr"}


@pytest.mark.parametrize("path", PAGES)
def test_blocks_are_in_blocks_and_headings_have_words(path: str) -> None:
    config = ServiceConfig(downloads="on", suggestions_limit=1)
    nesting = Nesting()
    nesting.feed(make_app(FakeTranslator(), config).test_client().get(path).text)
    assert (nesting.faults, nesting.open) == ([], [])


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_in_the_language_of_its_reader(client: FlaskClient, path: str) -> None:
    english, german = (
        client.get(path, headers={"Accept-Language": code}) for code in ("fr", "de-AT")
    )
    assert '<html lang="en">' in english.text
    assert '<html lang="de">' in german.text
    assert 'hreflang="de"' in english.text, "the other one can be chosen"
    assert german.headers["Content-Language"] == "de"
    assert german.headers["Vary"] == "Accept-Language, Accept-Encoding"
    chosen = client.get(f"{path}?lang=de", headers={"Accept-Language": "en"}).text
    assert '<html lang="de">' in chosen
    assert 'href="/how-it-attends?lang=de"' in chosen, "the choice is kept from page to page"
    assert '<html lang="en">' in client.get(f'{path}?lang="><script>').text


def test_what_is_asked_for_cannot_become_markup(client: FlaskClient) -> None:
    page = client.get('/?lang="><script>alert(1)</script>').text
    assert "<script>alert" not in page


@pytest.mark.parametrize("path", PAGES[:2])
def test_the_data_of_a_page_is_whole(client: FlaskClient, path: str) -> None:
    page = client.get(path).text
    [block] = re.findall(r'<script type="application/json" id="page-data">(.*?)</script>', page)
    data = json.loads(block)
    assert data["addresses"]["attention"] == "/attention"
    assert data["charLimit"] == 50_000
    english = {"code": "en", "name": "English", "rtl": False, "targets": ["pt-BR"], "formality": []}
    assert english in data["languages"]
    assert data["strings"]["common"]["unreachable"]


SERVICE = ROOT / "service"


FIELD = re.compile(r"\{(\w+)\}")


def leaves(strings: dict[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    for name, value in strings.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{path}{name}.")
        else:
            yield path + name, value


def test_english_comes_first_and_german_is_there() -> None:
    assert written_in()[0] == FIRST == "en"
    assert "de" in written_in()


@pytest.mark.parametrize("language", written_in())
def test_every_language_has_every_string_with_the_same_fields(language: str) -> None:
    own, english = dict(leaves(strings_in(language))), dict(leaves(strings_in(FIRST)))
    assert own.keys() == english.keys()
    for path, text in own.items():
        assert isinstance(text, str), path
        assert text.strip(), path
        assert {*FIELD.findall(text)} == {*FIELD.findall(english[path])}, path


def used() -> Iterator[tuple[str, str]]:
    """Yield the strings that scripts and templates name, and where."""
    for path in [*(SERVICE / "static").rglob("*.js"), *(SERVICE / "templates").glob("*.html")]:
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r"\bt\(\s*\"([\w.]+)\"", text):
            yield name, path.name
        for name in re.findall(r"(?<![\w.])t\.((?:\w+\.)*\w+)", text):
            if path.suffix == ".html" and name.count("."):
                yield name, path.name


def test_every_string_that_is_named_exists() -> None:
    known = dict(leaves(strings_in(FIRST)))
    groups = {".".join(path.split(".")[:depth]) for path in known for depth in (1, 2, 3)}
    named = list(used())
    assert len(named) > 80
    missing = {f"{place}: {name}" for name, place in named if name not in {*known, *groups}}
    assert missing == set()


@pytest.mark.parametrize(
    ("wanted", "accepted", "language"),
    [
        (None, [("de-AT", 1), ("en", 0.5)], "de"),
        (None, [("fr", 1), ("de", 0.5)], "de"),
        (None, [("fr", 1)], "en"),
        (None, [], "en"),
        ("de", [("en", 1)], "de"),
        ("<script>", [("de", 1)], "de"),
    ],
)
def test_the_language_is_what_is_chosen_or_what_the_browser_asks_for(
    wanted: str | None, accepted: list[tuple[str, float]], language: str
) -> None:
    assert choose_language(wanted, LanguageAccept(accepted)) == language


def test_a_template_gets_the_string_where_a_dict_has_a_method() -> None:
    words = words_of({"page": {"copy": "Copy", "keys": "Keys"}, "items": "x"})
    assert (words.page.copy, words.page.keys, words.items) == ("Copy", "Keys", "x")


PAGES_OF_DOCS = {"/", "/docs", "/how-it-attends", "/static/<path:filename>"}


def test_every_address_is_described_but_those_of_pages() -> None:
    app = make_app(FakeTranslator())
    missing = {
        rule.rule
        for rule in app.url_map.iter_rules()
        if description_of(app.view_functions[rule.endpoint]) is None
    }
    assert missing == PAGES_OF_DOCS


def test_the_document_is_served(client: FlaskClient) -> None:
    response = client.get("/spec")
    assert (response.status_code, response.mimetype) == (200, "application/json")
    assert {*(response.json or {})["paths"]} >= {"/translate", "/detect", "/languages", "/spec"}


def test_the_page_shows_addresses_fields_and_examples(client: FlaskClient) -> None:
    page = client.get("/docs", headers={"Host": "example.org"}).text
    assert "<code>do_not_translate</code>" in page
    assert "curl http://example.org/translate" in page
    assert "&#34;translatedText&#34;: &#34;Good morning!&#34;" in page
    evil = client.get("/docs", headers={"Host": "a<script>"})
    assert (evil.status_code, evil.mimetype) == (400, "application/json")


def test_the_page_of_the_api_has_all_summaries_in_german_and_no_other(client: FlaskClient) -> None:
    document = client.get("/spec").json or {}
    operations = [one for methods in document["paths"].values() for one in methods.values()]
    summaries = {one["summary"] for one in operations} | {tag["name"] for tag in document["tags"]}
    german = summaries_in("de")
    assert german.keys() == summaries
    page = client.get("/docs?lang=de").text
    for text in ("<h3>Anfrage</h3>", german["Which language a text is written in"], ">nötig<"):
        assert text in page
    english = [one for one in operations if one["summary"] != german[one["summary"]]]
    assert not any(f"<strong>{one['summary']}." in page for one in english)
    assert summaries_in(FIRST) == {}


def examples() -> list[tuple[str, str, Example]]:
    app = make_app(FakeTranslator())
    found = []
    for rule in app.url_map.iter_rules():
        endpoint = description_of(app.view_functions[rule.endpoint])
        for example in endpoint.examples if endpoint else ():
            found.append((rule.rule, "POST" if "POST" in (rule.methods or ()) else "GET", example))
    return found


def test_the_examples_are_answered_with_what_they_show(loaded: LoadedModel, tmp_path: Path) -> None:
    config = ServiceConfig(suggestions_limit=1, database=str(tmp_path / "database"))
    faked = make_app(FakeTranslator(), config).test_client()
    attentive = Translator(loaded, cast(Engine, CopyEngine()))
    with_model = create_app(config, attentive, detector("de", "en")).test_client()
    assert len(examples()) >= 7
    for address, method, example in examples():
        client = with_model if address == "/attention" else faked
        said: Any = {"json" if method == "POST" else "query_string": dict(example.fields)}
        response = client.open(address, method=method, **said)
        assert response.status_code == 200, address
        assert shape(response.json) == shape(example.answer), address


def shape(value: Any) -> Any:
    """Return the keys and types of an answer; of an array, those of its first entry."""
    if isinstance(value, dict):
        return {key: shape(one) for key, one in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return type(value)


@pytest.mark.parametrize("path", ["/", "/?lang=de", "/how-it-attends", "/docs"])
@pytest.mark.parametrize("is_kept", [True, False], ids=["prefix kept", "taken off"])
def test_below_a_path_every_link_leads_there(path: str, is_kept: bool) -> None:
    prefix = "/translate-api"
    config = ServiceConfig(url_prefix=prefix, api_keys="optional", downloads="on")
    client = make_app(FakeTranslator(), config).test_client()
    page = client.get(prefix + path if is_kept else path).text
    links = {*re.findall(r'(?:href|src|action)="(/[^"]*)"', page)}
    links |= {one for one in re.findall(r'"(/[a-z_/-]+)"', page) if "/" in one}
    assert len(links) > 5
    for link in links:
        assert link.startswith(prefix + "/"), link
        with client.get(link if is_kept else link.removeprefix(prefix)) as answer:
            assert answer.status_code in (200, 405), link
            if link.endswith(".js"):
                assert not re.search(r"(?:from|import) \"/", answer.get_data(as_text=True)), (
                    "an absolute module"
                )


def test_links_of_files_and_the_description_are_below_the_path_too() -> None:
    client = make_app(FakeTranslator(), ServiceConfig(url_prefix="/a/b")).test_client()
    sent = {"source": "de", "target": "en", "file": (io.BytesIO(b"Hallo"), "letter.txt")}
    answer = client.post("/a/b/translate_file", data=sent)
    assert (answer.json or {})["translatedFileUrl"].startswith("http://localhost/a/b/download_file")
    assert (client.get("/a/b/spec").json or {})["servers"] == [{"url": "/a/b"}]
    assert client.get("/a/b").status_code == client.get("/ready").status_code == 200
    assert client.get("/a/bc").status_code == 404
