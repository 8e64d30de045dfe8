"""DeepL's official library for Python, as it is, against a running server."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import deepl
import pytest
from deepl.api_data import MultilingualGlossaryDictionaryEntries

from service.access.keys import KeyStore
from tests.service.server import serving_app

GERMAN, ENGLISH = "Wir gehen heute nicht nach Hause.", "We are not going home today."
NO_SUCH_ID = "96ab91fd-e715-41a1-adeb-5d701f84a483"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("deepl")


@pytest.fixture(scope="module")
def url(folder: Path) -> Iterator[str]:
    settings = f"api_keys='required', char_limit=2000, database={str(folder / 'database')!r}"
    with serving_app(folder, f"app = make_app(FakeTranslator(), ServiceConfig({settings}))") as one:
        yield one


@pytest.fixture(scope="module")
def client(folder: Path, url: str) -> deepl.DeepLClient:
    key = KeyStore(folder / "database").add("someone")
    return deepl.DeepLClient(key, server_url=url)


def text_of(result: deepl.TextResult | list[deepl.TextResult]) -> str:
    assert isinstance(result, deepl.TextResult)
    return result.text


def test_texts(client: deepl.DeepLClient) -> None:
    one = client.translate_text(GERMAN, target_lang="EN-US")
    assert isinstance(one, deepl.TextResult)
    assert (one.text, one.detected_source_lang) == (GERMAN.upper(), "DE")
    assert (one.billed_characters, one.model_type_used) == (len(GERMAN), None)
    several = client.translate_text(
        [GERMAN, "eins & zwei = 3"],
        source_lang="DE",
        target_lang="EN-GB",
        context="Nichts.",
        split_sentences="nonewlines",
        preserve_formatting=True,
        formality="prefer_more",
        model_type="prefer_quality_optimized",
    )
    assert isinstance(several, list)
    assert [found.text for found in several] == [GERMAN.upper(), "EINS & ZWEI = 3"]
    assert several[0].model_type_used == "quality_optimized"


def test_tags(client: deepl.DeepLClient) -> None:
    text = "<doc><par>eins <b>zwei</b></par><raw>drei</raw><!-- vier --></doc>"
    found = client.translate_text(
        text,
        source_lang="DE",
        target_lang="EN-US",
        tag_handling="xml",
        outline_detection=False,
        splitting_tags=["par"],
        non_splitting_tags="b",
        ignore_tags=["raw"],
    )
    expected = "<doc><par>EINS <b>ZWEI</b></par><raw>drei</raw><!-- vier --></doc>"
    assert text_of(found) == expected
    page = '<p translate="no">eins</p><p>zwei</p><x-y>drei</x-y>'
    found = client.translate_text(
        page, source_lang="DE", target_lang="EN-US", tag_handling="html", ignore_tags="x-y"
    )
    assert text_of(found) == '<p translate="no">eins</p><p>ZWEI</p><x-y>drei</x-y>'


def test_languages_and_usage(client: deepl.DeepLClient) -> None:
    assert [one.code for one in client.get_source_languages()] == ["DE", "EN"]
    targets = client.get_target_languages()
    assert [one.code for one in targets] == ["EN-GB", "EN-US", "PT-BR"]
    assert not any(one.supports_formality for one in targets)
    before = client.get_usage().character
    client.translate_text("abcde", source_lang="DE", target_lang="EN-US")
    after = client.get_usage().character
    assert after.count is not None
    assert before.count is not None
    assert after.count - before.count == 5
    assert not after.limit_reached


def test_glossaries(client: deepl.DeepLClient) -> None:
    pairs = client.get_glossary_languages()
    assert ("de", "en") in [(one.source_lang, one.target_lang) for one in pairs]
    made = client.create_glossary("words", "DE", "EN", {"Haus": "home", "alter Hut": "old hat"})
    assert (made.entry_count, made.ready) == (2, True)
    assert client.get_glossary_entries(made) == {"Haus": "home", "alter Hut": "old hat"}
    assert made.glossary_id in [one.glossary_id for one in client.list_glossaries()]
    found = client.translate_text_with_glossary("Das Haus, ein alter Hut.", made)
    assert text_of(found) == "DAS home, EIN old hat."
    client.delete_glossary(made)
    with pytest.raises(deepl.GlossaryNotFoundException):
        client.get_glossary(made.glossary_id)


def test_multilingual_glossaries(client: deepl.DeepLClient) -> None:
    german = MultilingualGlossaryDictionaryEntries("DE", "EN", {"Haus": "home"})
    english = MultilingualGlossaryDictionaryEntries("EN", "PT", {"house": "casa"})
    made = client.create_multilingual_glossary("words", [german, english])
    more = MultilingualGlossaryDictionaryEntries("DE", "EN", {"Hut": "hat"})
    merged = client.update_multilingual_glossary_dictionary(made, more)
    assert [one.entry_count for one in merged.dictionaries] == [2, 1]
    assert client.update_multilingual_glossary_name(made, "terms").name == "terms"
    [kept] = client.get_multilingual_glossary_entries(made, "DE", "EN").dictionaries
    assert str(kept.entries) == "Haus\thome\nHut\that"
    found = client.translate_text("Hut", source_lang="DE", target_lang="EN-US", glossary=made)
    assert text_of(found) == "hat"
    replaced = client.replace_multilingual_glossary_dictionary(made, more)
    assert replaced.entry_count == 1
    from_csv = client.create_multilingual_glossary_from_csv("csv", "DE", "EN", "a,b\n")
    assert [one.entry_count for one in from_csv.dictionaries] == [1]
    client.delete_multilingual_glossary_dictionary(made, source_lang="DE", target_lang="EN")
    left = client.get_multilingual_glossary(made.glossary_id).dictionaries
    assert [(one.source_lang, one.target_lang) for one in left] == [("EN", "PT")]
    for one in client.list_multilingual_glossaries():
        client.delete_multilingual_glossary(one)
    assert client.list_multilingual_glossaries() == []


def test_documents(client: deepl.DeepLClient, tmp_path: Path) -> None:
    source, target = tmp_path / "a.txt", tmp_path / "b.txt"
    source.write_text("Das Haus.\n\nDer Hut.\n")
    glossary = client.create_glossary("words", "DE", "EN", {"Hut": "hat"})
    state = client.translate_document_from_filepath(
        source, target, source_lang="DE", target_lang="EN-US", glossary=glossary
    )
    assert target.read_text() == "DAS HAUS.\n\nDER hat.\n"
    assert state.done
    handle = client.translate_document_upload(
        "<p>eins</p>", source_lang="DE", target_lang="EN-US", filename="a.html"
    )
    client.translate_document_wait_until_done(handle)
    output = io.BytesIO()
    client.translate_document_download(handle, output)
    assert output.getvalue() == b"<p>EINS</p>"


def test_errors_of_documents(client: deepl.DeepLClient) -> None:
    with pytest.raises(deepl.DeepLException, match="Invalid file data"):
        client.translate_document_upload("a", target_lang="EN-US", filename="a.exe")
    with pytest.raises(deepl.DeepLException, match="language are equal"):
        client.translate_document_upload(
            "a", source_lang="EN", target_lang="EN-US", filename="a.txt"
        )
    with pytest.raises(deepl.DeepLException, match="Not found"):
        client.translate_document_get_status(deepl.DocumentHandle("12AB" * 8, "CD34" * 16))
    handle = client.translate_document_upload(ENGLISH, target_lang="EN-US", filename="a.txt")
    state = client.translate_document_wait_until_done(handle)
    assert not state.ok
    assert str(state.error_message) == "Source and target language are equal."


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target_lang": "XX"}, "Value for 'target_lang' not supported"),
        ({"source_lang": "DE", "glossary": NO_SUCH_ID}, "Not found, message: Glossary not found"),
    ],
)
def test_errors(client: deepl.DeepLClient, options: dict[str, str], message: str) -> None:
    with pytest.raises(deepl.DeepLException, match=message):
        client.translate_text(GERMAN, **{"target_lang": "EN-US", **options})  # type: ignore[arg-type]


def test_who_may_not_ask(url: str, folder: Path, client: deepl.DeepLClient) -> None:
    with pytest.raises(deepl.AuthorizationException, match="Invalid API key"):
        deepl.Translator("invalid", server_url=url).get_usage()
    daily = KeyStore(folder / "database").add("rare", rate_limit="1 per day")
    limited = deepl.Translator(daily, server_url=url)
    limited.translate_text("a", source_lang="DE", target_lang="EN-US")
    with pytest.raises(deepl.QuotaExceededException, match="Slowdown: 1 per 1 day"):
        limited.translate_text("a", source_lang="DE", target_lang="EN-US")
    assert limited.get_usage().character.count == 1
    with pytest.raises(deepl.DeepLException) as caught:
        client.translate_text("a" * 2001, source_lang="DE", target_lang="EN-US")
    assert caught.value.http_status_code == 413
