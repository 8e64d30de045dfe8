"""Every link inside the documentation leads somewhere."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from urllib.parse import unquote

from tests.checkout import ROOT
from tests.docs.pages import FENCE, all_pages, read, without_code

LINK = re.compile(r"\]\(<?([^()\s<>]+)>?(?:\s+\"[^\"]*\")?\)|(?:src|href)=\"([^\"]+)\"")
MAX_README_LINES = 160


def links(text: str) -> list[str]:
    """Return the targets of links and pictures."""
    return [one or other for one, other in LINK.findall(without_code(text))]


def anchors(text: str) -> set[str]:
    """Return the anchors that GitHub makes of headings, and those that are written out."""
    found, seen = set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text)), Counter[str]()
    for heading in re.findall(r"(?m)^#{1,6} +(.+?) *#*$", FENCE.sub("", text)):
        shown = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        slug = re.sub(r"[^\w\- ]", "", shown).replace(" ", "-")
        found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return found


def broken(page: Path) -> list[str]:
    """Return the links of a page that lead nowhere."""
    faults = []
    for link in links(read(page)):
        if re.match(r"[a-z][a-z0-9+.-]*:", link):
            continue  # another site
        path, _, anchor = unquote(link).partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (target.is_dir() and not any(target.iterdir())):
            faults.append(f"{page.name}: {link}: no such file")
        elif anchor and anchor not in anchors(read(target)):
            faults.append(f"{page.name}: {link}: {target.name} has no such heading")
    return faults


def test_every_link_leads_somewhere() -> None:
    assert [fault for page in all_pages() for fault in broken(page)] == []


def missing_names(page: Path) -> list[str]:
    """Return the names of code that a page links to a file that does not define them."""
    faults = []
    text = FENCE.sub("", read(page))
    for shown, path in re.findall(r"\[(`[^]]*`)\]\(([^)]*\.py)\)", text):
        source = read((page.parent / path).resolve())
        faults += [
            f"{page.name}: {path} has no {name}"
            for name in re.findall(r"`(?:\w+\.)?(?!py`)(\w+)(?:\(\))?`", shown)
            if not re.search(rf"(?m)^ *(?:class|(?:async )?def) {name}\b", source)
        ]
    return faults


def test_what_a_link_names_is_in_the_file() -> None:
    assert [fault for page in all_pages() for fault in missing_names(page)] == []


def test_a_name_that_has_moved_is_found(tmp_path: Path) -> None:
    (tmp_path / "layers.py").write_text("class Layer:\n    def forward(self) -> None: ...\n")
    page = tmp_path / "page.md"
    page.write_text("[`Layer`](layers.py), [`Layer.forward`, `gone()`](layers.py), [it](layers.py)")
    assert missing_names(page) == ["page.md: layers.py has no gone"]


def test_every_page_can_be_found_from_the_readme() -> None:
    reached, open_pages = set[Path](), [ROOT / "README.md"]
    while open_pages:
        page = open_pages.pop()
        reached.add(page)
        paths = {
            (page.parent / unquote(link).partition("#")[0]).resolve() for link in links(read(page))
        }
        open_pages += [p for p in paths - reached if p.suffix == ".md" and p.is_file()]
    assert {*all_pages()} - reached == set()


def test_the_readme_is_short() -> None:
    assert len(read(ROOT / "README.md").splitlines()) <= MAX_README_LINES


def test_broken_links_are_found(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("# It's `--to` *here*, [now](x)\n# Twice\n# Twice\n")
    page = tmp_path / "a.md"
    page.write_text(
        "[good](b.md#its---to-here-now) [good](b.md#twice-1) [good](https://example.org/x)\n"
        "[a\nlong text](nowhere.md) ![picture](no.png) [b](b.md#twice-2) [c](#none) `[d](code)`\n"
        "```\n[e](fenced)\n```\n"
    )
    assert broken(page) == [
        "a.md: nowhere.md: no such file",
        "a.md: no.png: no such file",
        "a.md: b.md#twice-2: b.md has no such heading",
        "a.md: #none: a.md has no such heading",
    ]
