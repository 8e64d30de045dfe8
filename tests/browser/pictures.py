"""Draw the pictures of the page that the documentation shows, from a running service.

    make serve &
    python -m tests.browser.pictures --url http://localhost:5000 --out docs/images

Writes page-light.png, page-dark.png and page-narrow.png, each smaller than 150 kB.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

from PIL import Image

from tests.browser.chromium import Chromium
from tests.browser.page import Page

TEXT = (
    "Das Kind hat gestern ein rotes Fahrrad bekommen. "
    "Es ist sehr stolz und fährt jeden Tag damit.\n\n"
    "Können Sie mir bitte sagen, wie ich zum Bahnhof komme?"
)
LINK = f"/#de/en/{quote(TEXT)}"
MOST_BYTES = 150_000


def main() -> None:
    """Draw all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", required=True, help="of a running service")
    parser.add_argument("--out", type=Path, required=True, help="a folder")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        browser = Chromium(Path(folder))
        try:
            with browser.page(options.url + LINK, width=1120, height=940) as page:
                translated(page)
                page.click("#show-alternatives")
                page.wait("document.querySelectorAll('#alternatives button').length > 1")
                page.run("document.activeElement.blur(); scrollTo(0, 0)")
                page.hover("#translation", "got")
                page.run("scrollTo(0, 0)")
                save(page, options.out / "page-light.png")
            with browser.page(options.url + LINK, width=1120, height=690, is_dark=True) as page:
                translated(page)
                page.click("#translation", "got")
                page.click("#word-map")
                page.wait("document.querySelectorAll('#map .cell').length > 0")
                save(page, options.out / "page-dark.png")
            phone: dict[str, Any] = {"width": 360, "height": 760, "is_touched": True}
            with browser.page(options.url + LINK, **phone, language="de") as page:
                translated(page)
                page.tap("#translation", "got")
                page.run("scrollTo(0, 0)")
                save(page, options.out / "page-narrow.png")
        finally:
            browser.close()


def translated(page: Page) -> None:
    """Wait until the translation is there, and what comes after it has calmed down."""
    page.wait("!document.querySelector('#sentence').hidden")
    page.run("document.fonts.ready.then(() => new Promise((done) => setTimeout(done, 1500)))")


def save(page: Page, path: Path) -> None:
    """Write what is to be seen, in its own colours: fewer of them tint what is nearly white."""
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.png"
        page.picture(whole)
        with Image.open(whole) as picture:
            picture.convert("RGB").save(path, optimize=True)
    size = path.stat().st_size
    assert size < MOST_BYTES, f"{path}: {size} bytes"
    print(f"{path}: {size} bytes")


if __name__ == "__main__":
    main()
