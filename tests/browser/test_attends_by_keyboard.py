"""The page that explains attention, without a pointer: all is reached, seen, and in order."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.chromium import Chromium
from tests.browser.conftest import needs_chromium
from tests.browser.page import SHIFT, Page

pytestmark = needs_chromium
LINK = "/how-it-attends#de/en/Das%20Kind%20schl%C3%A4ft."
DRAWN = "document.querySelector('#difference') !== null"
MOST_STOPS = 40
# A radio button is not to be seen itself: what stands behind it shows its focus.
STOP = """(() => {
  const one = document.activeElement;
  if (one === document.body) return null;
  const shown = one.type === "radio" ? one.nextElementSibling : one;
  const box = shown.getBoundingClientRect();
  const { outlineStyle, outlineWidth } = getComputedStyle(shown);
  return {
    name: one.id || one.name || one.closest("[id]")?.id || one.innerText,
    top: box.top + scrollY,
    left: box.left,
    hasRing: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2,
    isInSight: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
  };
})()"""
# Of the radio buttons of a group, Tab comes to one only.
CONTROLS = """(() => {
  const all = document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']");
  return [...all].filter((one) => one.checkVisibility() && (one.type !== "radio" || one.checked))
    .length;
})()"""


def stops(page: Page, modifiers: int = 0) -> list[dict[str, Any]]:
    """Press Tab from one end of the page to the other, and return where the focus was."""
    met = []
    for _ in range(MOST_STOPS):
        page.press("Tab", modifiers)
        if (stop := page.run(STOP)) is None:
            break
        met.append(stop)
    return met


@pytest.mark.parametrize("width", [1200, 360])
def test_tab_comes_to_all_in_the_order_of_reading(browser: Chromium, real: str, width: int) -> None:
    with browser.page(f"{real}{LINK}", width=width) as page:
        page.wait(DRAWN)
        met = stops(page)
        names = [stop["name"] for stop in met]
        assert len(met) == page.run(CONTROLS), names
        assert names[-9:-6] == ["piece", "layer", "head"]
        for stop in met:
            assert stop["hasRing"], f"{stop['name']}: its focus cannot be seen"
            assert stop["isInSight"], f"{stop['name']}: it is not scrolled to"
        content = met[names.index("sentence") :]
        places = [round(stop["top"] / 60) for stop in content]
        if width == 360:  # in one column, what is read later stands below
            assert places == sorted(places), [(stop["name"], stop["top"]) for stop in content]
        back = [stop["name"] for stop in stops(page, SHIFT)]
        assert back[: len(names)] == names[::-1], "and back"


def test_a_sentence_is_asked_for_and_explored(browser: Chromium, real: str) -> None:
    with browser.page(f"{real}{LINK}") as page:
        page.wait(DRAWN)
        page.run("document.querySelector('#sentence').focus()")
        page.run("document.querySelector('#sentence').select()")
        page.paste("Ich bin müde.")
        page.press("Enter")
        page.wait("location.hash.endsWith('m%C3%BCde.')")
        page.wait("document.querySelector('#figure-weights').innerText.includes('müde')")
        page.run("document.querySelector('[name=piece]:checked').focus()")
        before = page.text("#figure-weights tr.chosen th")
        page.press("ArrowRight")
        assert page.text("#figure-weights tr.chosen th") != before
        assert page.run("document.activeElement.name") == "piece", "the focus stays"
        page.press("Tab")
        assert page.run("document.activeElement.id") == "layer"
        layer = page.run("document.querySelector('#layer').value")
        page.press("ArrowDown" if layer == "1" else "ArrowUp")
        page.wait(f"document.querySelector('#layer').value !== '{layer}'")
        assert page.run("document.activeElement.id") == "layer"
        page.run("document.querySelector('#choices-cross input:checked').focus()")
        page.press("ArrowRight")
        label = page.run("document.querySelector('#map-cross svg').ariaLabel")
        assert label.startswith("Layer 2, head 1.")
        page.press("Tab")
        said = page.text("#value-cross")
        page.press("ArrowUp")
        assert page.text("#value-cross") != said
        assert page.run("document.activeElement.closest('#map-cross') !== null")


def test_what_is_wider_than_the_window_can_be_scrolled_by_keys(
    browser: Chromium, real: str
) -> None:
    with browser.page(f"{real}{LINK}", width=1200) as page:
        page.wait(DRAWN)
        box = "document.querySelector('#figure-scaled .table-scroll')"
        assert page.run(f"{box}.tabIndex") == -1, "nothing to scroll, nowhere to stop"
        page.look(width=200)
        page.wait(f"{box}.tabIndex === 0")
        assert page.run(f"[{box}.role, {box}.ariaLabel]") == ["region", "Scaling"]
        page.look(width=1200)
        page.wait(f"{box}.tabIndex === -1")
        assert page.run(f"{box}.role") is None


def test_on_a_phone_no_column_or_formula_is_cut(browser: Chromium, real: str) -> None:
    with browser.page(f"{real}/how-it-attends", width=360, height=740, language="de") as page:
        page.wait(DRAWN)
        assert page.text("#figure-scaled th:last-child").startswith("Gewicht")
        cut = """[...document.querySelectorAll('.table-scroll')]
          .filter((box) => box.scrollWidth > box.clientWidth)
          .map((box) => [box.innerText, box.scrollWidth, box.clientWidth])"""
        assert page.run(cut) == []
        cut = """[...document.querySelectorAll('.formulas')]
          .filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.innerText)"""
        assert page.run(cut) == []


def test_without_a_clipboard_the_page_says_where_the_link_is(browser: Chromium, real: str) -> None:
    with browser.page(f"{real}{LINK}") as page:
        page.wait(DRAWN)
        page.run("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        page.click("#share")
        page.wait(
            "document.querySelector('#shared').innerText === 'The link is in the address bar'"
        )
