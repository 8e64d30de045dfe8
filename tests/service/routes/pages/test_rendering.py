"""What all pages have in common."""

from __future__ import annotations

import json
import re

import pytest
from flask.testing import FlaskClient

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


@pytest.mark.parametrize("path", PAGES[:2])
def test_a_page_is_in_the_language_of_its_reader(client: FlaskClient, path: str) -> None:
    english, german = (
        client.get(path, headers={"Accept-Language": code}) for code in ("fr", "de-AT")
    )
    assert '<html lang="en">' in english.text
    assert '<html lang="de">' in german.text
    assert (german.headers["Content-Language"], german.headers["Vary"]) == ("de", "Accept-Language")
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
    assert {"code": "en", "name": "English", "rtl": False, "targets": ["pt-BR"]} in data[
        "languages"
    ]
    assert data["strings"]["common"]["unreachable"]
