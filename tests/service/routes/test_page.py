"""GET /, the page for people."""

from __future__ import annotations

import re

from flask.testing import FlaskClient


def test_the_page_is_self_contained(client: FlaskClient) -> None:
    page = client.get("/")
    assert (page.status_code, page.mimetype) == (200, "text/html")
    policy = page.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    addresses = re.findall(r'(?:src|href|action)="([^"]*)"', page.text)
    assert len(addresses) >= 4
    assert all(re.match(r"/(?!/)", address) for address in addresses)
    for address in addresses:
        if address.startswith("/static/"):
            with client.get(address) as response:
                assert response.status_code == 200
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script>", page.text)


def test_the_page_labels_its_controls_and_offers_the_languages(client: FlaskClient) -> None:
    page = client.get("/").text
    for control in re.findall(r'<(?:select|textarea) id="(\w+)"', page):
        assert f'for="{control}"' in page
    assert '<option value="de" data-targets="de en" selected>German</option>' in page
    assert '<option value="en" data-targets="en pt-BR" selected>English</option>' in page
    assert 'data-limit="50000"' in page
