"""Whether real HTML keeps its structure when it is translated.

    python -m tests.benchmarks.structure_html [MODEL] [--count 200] [--show] [--folder FOLDER]

Half of the pages, if there are as many, are the project descriptions of the Python packages that
are installed here, rendered. Others are HTML from FOLDER, by default /usr/share/doc and this
Python's own folder. A quarter are posts as Mastodon sends them, and mails, with sentences of those
descriptions. All are translated into German, and the translations back into English: what was
counted before is counted again after. A page is cut at its 3,000th character, wherever that is.
"""

from __future__ import annotations

import argparse
import html
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from importlib import metadata
from pathlib import Path

import markdown2

from tests.benchmarks.arguments import print_header, print_row, results_parser
from tests.benchmarks.results import results
from translator.translate.options import TextOptions
from translator.translate.texts import translate_texts
from translator.translate.translator import DEFAULT_MODEL, Translator

LENGTH = 3_000
KINDS = {
    "tags": r"</?[A-Za-z][\w:-]*",
    "attributes": r'(?<=\s)(?:class|colspan|height|href|id|lang|name|rel|src|style|width)="[^"]*"',
    "inline code": r"(?s)<(?:code|kbd|samp|tt)\b[^>]*>.*?</",
    "blocks of code": r"(?s)<pre\b.*?</pre>",
    "scripts and styles": r"(?s)<(?:script|style)\b.*?</",
    "comments": r"(?s)<!--.*?-->",
    "escaped markup": r"&(?:lt|gt|amp);",
    "addresses": r"https?://[^\s<>\"'&]*[\w/]",
}
"""What is counted, by regular expressions of their own: not those that protect it."""

POST = (
    '<p><span class="h-card" translate="no"><a href="https://a.example/@{user}" class="u-url '
    'mention">@<span>{user}</span></a></span> {0}<br />{1}</p><p>{2} <a href="https://a.example/'
    'tags/{tag}" class="mention hashtag" rel="tag">#<span>{tag}</span></a> <a href="https://b.'
    'example/{user}/1" rel="nofollow noopener"><span class="invisible">https://</span><span class='
    '"ellipsis">b.example/{user}</span><span class="invisible">/1</span></a></p>'
)
MAIL = (
    '<div dir="ltr"><div>Hello {user},</div><div><br></div><div>{0} <b>{1}</b></div>\r\n'
    '<blockquote class="gmail_quote" style="margin:0 0 0 .8ex">{2}<br>\r\n{3}</blockquote>\r\n'
    '<img src="cid:{tag}" alt="{0}" width="1"><p>&nbsp;</p><p>Best regards<br>{user}</p></div>'
)


def main() -> None:
    """Print what was kept, by kind and direction; the pages that lost something with --show."""
    parser = results_parser(__doc__)
    parser.add_argument("model", nargs="?", type=Path, default=DEFAULT_MODEL)
    parser.add_argument("--count", type=int, default=200, help="pages")
    parser.add_argument("--folder", type=Path, nargs="+", default=FOLDERS)
    parser.add_argument("--show", action="store_true", help="print every page with a loss")
    parser.add_argument("--out", type=Path, help="folder for the pages and their translations")
    options = parser.parse_args()
    with results(options.write, "structure-html"):
        measure(options)


FOLDERS = [Path("/usr/share/doc"), Path(sys.prefix)]


def measure(options: argparse.Namespace) -> None:
    """Translate there and back, and print a row for each direction."""
    pages = list(collected(options.count, options.folder))
    print_header("direction", "pages", *KINDS)
    with Translator.load(options.model) as translator:
        for source, target in (("en", "de"), ("de", "en")):
            wanted = TextOptions(source=source, target=target, text_format="html")
            found = translate_texts(translator, pages, wanted)
            answers = [one.text for one in found]
            compare(f"{source}→{target}", pages, answers, options.show)
            if options.out:
                write_pages(options.out, f"{source}-{target}", pages, answers)
            pages = answers


def compare(name: str, pages: Sequence[str], answers: Sequence[str], shows: bool) -> None:
    """Print how many pages, and how much of each kind, are as before."""
    totals, kept, losses = Counter[str](), Counter[str](), list[tuple[str, str, list[str]]]()
    for page, answer in zip(pages, answers, strict=True):
        before, after = structure(page), structure(answer)
        for kind, there in before.items():
            totals[kind] += there.total()
            kept[kind] += (there & after[kind]).total()
        lost = [kind for kind in before if before[kind] != after[kind]]
        if num_misnested(answer) > num_misnested(page):
            lost.append("nesting")
        if lost:
            losses.append((page, answer, lost))
    whole = f"{len(pages) - len(losses)} of {len(pages)}"
    print_row(name, whole, *(f"{kept[kind]} of {totals[kind]}" for kind in KINDS))
    for page, answer, lost in losses if shows else []:
        print(f"\n{lost}\n<<< {page}\n>>> {answer}", file=sys.stderr)


def structure(page: str) -> dict[str, Counter[str]]:
    """Count what is there besides language, by kind."""
    return {kind: Counter(re.findall(pattern, page)) for kind, pattern in KINDS.items()}


class _Nesting(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.num_wrong = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.opened.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        if tag in self.opened:
            while self.opened.pop() != tag:
                self.num_wrong += 1
        else:
            self.num_wrong += 1


def num_misnested(page: str) -> int:
    """Count the elements that are ended by another one's end, and ends of nothing."""
    nesting = _Nesting()
    nesting.feed(page)
    return nesting.num_wrong


def collected(count: int, folders: Sequence[Path]) -> Iterator[str]:
    """Yield so many pages."""
    rendered = sorted({page for page in descriptions() if len(page) > 500})
    files = sorted(path for folder in folders for path in folder.rglob("*.html") if path.is_file())
    chance = random.Random(1)
    chance.shuffle(rendered)
    chance.shuffle(files)
    sentences = [
        found[0]
        for page in rendered
        for found in re.finditer(r"(?<=<p>)[A-Z][^<>\n&]{30,150}[.!](?=\s|</p>)", page)
    ]
    quarter = count // 4
    rendered = rendered[: count - 2 * quarter]
    yield from (page[:LENGTH] for page in rendered)
    for path in files[: count - quarter - len(rendered)]:
        page = path.read_text(encoding="utf-8", errors="replace")
        start = max(page.find("<body"), 0) if chance.random() < 0.5 else 0
        yield page[start : start + LENGTH]
    for number in range(quarter):
        words = {"user": f"user{number}", "tag": f"Topic{number}"}
        chosen = [html.escape(one) for one in chance.sample(sentences, 4)]
        yield (POST if number % 2 else MAIL).format(*chosen, **words)


def descriptions() -> Iterator[str]:
    """Yield the rendered descriptions of all packages."""
    for package in metadata.distributions():
        text = str(package.metadata.json.get("description", ""))
        if "markdown" in str(package.metadata.json.get("description_content_type", "")):
            yield str(markdown2.markdown(text, extras=["fenced-code-blocks", "tables"]))


def write_pages(folder: Path, name: str, pages: Sequence[str], answers: Sequence[str]) -> None:
    """Write pages and translations, to be looked at in a browser."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, both in enumerate(zip(pages, answers, strict=True)):
        for kind, page in zip(("original", "translation"), both, strict=True):
            (folder / f"{name}-{number:03d}-{kind}.html").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
