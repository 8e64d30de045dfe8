"""How the pages look and behave in every light, width, zoom and language, and without a mouse."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest

from tests.browser.chromium import Chromium
from tests.browser.conftest import needs_chromium
from tests.browser.page import SHIFT, Page

pytestmark = [pytest.mark.slow, needs_chromium]
AXE = "axe-core@4.14.1"
INSTALL_TIMEOUT_S = 300
GERMAN = "Ich habe meinen Schlüssel verloren. Das Kind schläft."
LOOKS: list[dict[str, Any]] = [
    {},
    {"is_dark": True},
    {"width": 360, "height": 740, "is_touched": True},
    {"width": 320, "height": 560, "language": "de"},
    {"width": 1280, "zoom": 2.0},
    {"is_dark": True, "width": 360, "height": 740, "language": "de"},
]
PAGES = ("/", "/#de/en/", "/how-it-attends#de/en/Das%20Kind%20schl%C3%A4ft.", "/docs")
OUTSIDE = """(() => {
  const width = document.documentElement.clientWidth;
  const isScrolled = (one) => one.closest(
    ".map-scroll, .table-scroll, pre, math, table, .visually-hidden, .skip");
  return [...document.querySelectorAll("body *")].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width && box.right > width + 1 && !isScrolled(one);
  }).map((one) => one.outerHTML.slice(0, 100));
})()"""


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the script of axe-core, which looks for faults of accessibility."""
    if shutil.which("npm") is None:
        pytest.skip("for npm: apt-get install npm")
    folder = tmp_path_factory.mktemp("axe")
    (folder / "package.json").write_text("{}")
    options = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(folder)]
    command = ["npm", "install", *options, AXE]
    subprocess.run(command, check=True, capture_output=True, timeout=INSTALL_TIMEOUT_S)
    return (folder / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")


def faults(page: Page, axe: str) -> list[str]:
    """Return what axe-core finds that is serious or worse."""
    page.run(f"{axe}; 0")
    found = page.run(
        "axe.run(document, {resultTypes: ['violations']}).then((all) => all.violations)"
    )
    return [
        f"{one['id']}: {one['help']}: {[node['html'][:150] for node in one['nodes']]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


def fill(page: Page, path: str) -> None:
    """Bring a page into the state in which most is to be seen."""
    if path.startswith("/#"):
        page.write(GERMAN)
        page.wait("!document.querySelector('#sentence').hidden")
        page.click("#show-alternatives")
        page.wait("document.querySelectorAll('#alternatives button').length > 1")
        for drawer in ("files", "recent", "use"):
            page.run(f"document.querySelector('#{drawer}').open = true")
    elif path.startswith("/how"):
        page.wait("document.querySelector('#difference') !== null")


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("looks", LOOKS, ids=json.dumps)
def test_nothing_sticks_out_and_axe_finds_nothing_serious(
    browser: Chromium, real: str, axe: str, looks: dict[str, Any], path: str
) -> None:
    with browser.page(f"{real}{path}", **looks) as page:
        fill(page, path)
        assert page.run("document.documentElement.scrollWidth - innerWidth") <= 0
        assert page.run(OUTSIDE) == []
        assert faults(page, axe) == []
        if path.startswith("/#"):
            page.click("#show-attention")
            page.wait("document.querySelectorAll('#map .cell').length > 0")
            assert page.run(OUTSIDE) == []
            assert faults(page, axe) == []
            page.press("Escape")
            page.go_offline()
            page.write(" Es")
            page.wait("!document.querySelector('#error').hidden")
            assert page.run(OUTSIDE) == []
            assert faults(page, axe) == []


def test_dark_is_dark_and_light_is_light(browser: Chromium, faked: str) -> None:
    for path in ("/", "/how-it-attends", "/docs"):
        shades = []
        for is_dark in (False, True):
            with browser.page(f"{faked}{path}", is_dark=is_dark) as page:
                colour = page.run("getComputedStyle(document.body).backgroundColor")
                shades.append(sum(map(int, colour[4:-1].split(","))) / 3)
        assert shades[0] > 230 > 40 > shades[1], path


def test_the_page_speaks_the_language_of_the_browser(browser: Chromium, faked: str) -> None:
    with browser.page(f"{faked}/", language="de-AT,en;q=0.5") as page:
        assert page.run("document.documentElement.lang") == "de"
        assert page.text("#clear") == "Leeren"
        page.write("The child is not sleeping today.")
        page.wait("document.querySelector('#source').selectedOptions[0].text.endsWith('erkannt')")
        assert page.text("#count").endswith(" / 50.000")
        page.click(".interface-languages a")
        page.wait("document.documentElement?.lang === 'en'")
        page.click(".top nav a:nth-of-type(2)")
        page.wait("location.pathname === '/how-it-attends' && document.readyState === 'complete'")
        assert page.run("document.documentElement.lang") == "en", "the choice is kept"


def focused(page: Page) -> str:
    return str(page.run("document.activeElement.id || document.activeElement.innerText"))


def test_all_can_be_reached_by_keyboard_alone(browser: Chromium, real: str) -> None:
    with browser.page(f"{real}/#de/en/") as page:
        assert focused(page) == "q", "the text has the focus at once"
        page.type("Ich bin müde.")
        page.wait("!document.querySelector('#sentence').hidden")
        met = []
        for _ in range(17):
            page.press("Tab")
            met.append(focused(page))
            if page.run("document.activeElement === document.body"):
                break  # the last one: now the browser's own controls have their turn
            ring = page.run("getComputedStyle(document.activeElement).outlineStyle")
            assert ring != "none", f"{met[-1]}: its focus cannot be seen"
        assert met[:8] == [
            *("clear", "translation", "Save", "link", "copy"),
            *("show-alternatives", "show-edit", "show-attention"),
        ]
        assert {"Translate files", "Recent translations", "Use it elsewhere"} <= {*met}
        page.run("document.querySelector('#show-attention').focus()")
        page.press("Enter")
        page.wait("document.querySelectorAll('#map .cell').length > 0")
        page.press("Escape")
        assert focused(page) == "show-attention", "the focus comes back"
        page.run("document.querySelector('#q').focus()")
        for _ in range(3):
            page.press("Tab", SHIFT)
        assert focused(page) == "source"


def test_a_hidden_skip_link_comes_first(browser: Chromium, faked: str) -> None:
    with browser.page(f"{faked}/docs") as page:
        page.press("Tab")
        assert focused(page) == "Skip to the content"
        page.press("Enter")
        assert page.run("location.hash") == "#main"
