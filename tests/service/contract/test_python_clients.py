"""Clients from PyPI, as they are, against a running server."""

from __future__ import annotations

import json
import urllib.error

import pytest
from deep_translator import LibreTranslator
from deep_translator.exceptions import ServerException
from libretranslatepy import LibreTranslateAPI

GERMAN = "Wir gehen heute nicht nach Hause."


@pytest.mark.parametrize("api_key", [None, "a key that no one asks for"])
def test_libretranslatepy(url: str, api_key: str | None) -> None:
    client = LibreTranslateAPI(url, api_key)
    assert client.translate(GERMAN, "de", "en") == GERMAN.upper()
    assert client.translate(GERMAN, "auto", "en") == GERMAN.upper()
    assert client.translate("a & b = c", "de", "en") == "A & B = C"
    assert client.detect(GERMAN)[0]["language"] == "de"
    assert {"code": "de", "name": "German", "targets": ["de", "en"]} in client.languages()


def test_libretranslatepy_hears_of_errors(url: str) -> None:
    with pytest.raises(urllib.error.HTTPError) as caught:
        LibreTranslateAPI(url).translate("Hallo", "de", "zz")
    assert caught.value.code == 400
    said = json.loads(caught.value.read())
    assert said == {"error": "zz is not supported", "code": "unsupported_language"}


def test_deep_translator(url: str) -> None:
    client = LibreTranslator(source="German", target="en", api_key="none", custom_url=f"{url}/")
    assert client.translate(GERMAN) == GERMAN.upper()
    assert client.translate_batch(["eins & zwei", "drei"]) == ["EINS & ZWEI", "DREI"]
    client = LibreTranslator(source="auto", target="en", api_key="none", custom_url=f"{url}/")
    assert client.translate(GERMAN) == GERMAN.upper()


def test_deep_translator_hears_of_errors(url: str) -> None:
    client = LibreTranslator(source="de", target="fr", api_key="none", custom_url=f"{url}/")
    with pytest.raises(ServerException):
        client.translate(GERMAN)
