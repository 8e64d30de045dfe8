"""The page below a path, behind a real nginx: nothing of it lies outside that path."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.chromium import Chromium
from tests.browser.conftest import APPLICATION, needs_chromium
from tests.ports import free_port
from tests.replicas import nginx_program, running_nginx
from tests.service.server import serving_app

pytestmark = [pytest.mark.slow, needs_chromium]


@pytest.mark.skipif(nginx_program() is None, reason="apt-get install nginx")
@pytest.mark.parametrize("slash", ["", "/"], ids=["prefix kept", "taken off"])
def test_the_page_translates_below_a_path(browser: Chromium, tmp_path: Path, slash: str) -> None:
    own = free_port()
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{kind}_temp_path {tmp_path}/{kind};" for kind in kinds)
    program = APPLICATION.replace("SETTINGS", "url_prefix='/translate-api'")
    with serving_app(tmp_path, program) as url:
        text = f"""pid {tmp_path}/pid;
events {{}}
http {{
    {folders}
    server {{
        listen 127.0.0.1:{own};
        location /translate-api/ {{
            proxy_pass {url}{slash};
            proxy_set_header Host $http_host;
        }}
    }}
}}
"""
        here = f"http://127.0.0.1:{own}/translate-api/"
        with running_nginx(tmp_path, text, own), browser.page(here) as page:
            page.click("#q")
            page.type("Das Kind schläft.")
            page.wait("document.querySelector('#translation').textContent === 'DAS KIND SCHLÄFT.'")
            assert all(url.startswith((here, "data:")) for url in page.requests())
