"""Files of each kind made of the messages and descriptions of what is installed here."""

from __future__ import annotations

import gettext
import html
import json
import random
import re
import tempfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib import metadata
from pathlib import Path

import docx
from docutils.core import publish_file

from tests.benchmarks import office_samples
from tests.documents import saved

CATALOGUES = Path("/usr/share/locale/de/LC_MESSAGES")
MESSAGES_A_FILE = 30
_EMPHASIS = re.compile(
    r"\*\*(?P<bold>[^*\n]+)\*\*|(?<!`)`(?P<code>[^`\n]+)`(?!`)|\*(?P<italic>\w[^*\n]*)\*"
)


def samples(kind: str, count: int) -> list[bytes]:
    """Return files of one kind: always the same ones on the same machine."""
    random.seed(1)
    makers: dict[str, Callable[[int], bytes]] = {
        "txt": lambda number: description(number, "").encode(),
        "po": lambda number: po(messages(number)),
        "json": lambda number: catalogue(messages(number)),
        "xliff": lambda number: xliff(messages(number)),
        "srt": lambda number: srt(sentences(number)),
        "docx": lambda number: word(description(number, "markdown")),
        "odt": lambda number: odt(number),
        **{kind: partial(described, make) for kind, make in office_samples.MAKERS.items()},
    }
    return [makers[kind](number) for number in range(count)]


def paragraphs(text: str) -> Iterator[str]:
    """Yield what lies between blank lines; a block of code belongs to what is before it."""
    fenced = re.sub(r"(?s)```.*?```", lambda block: block[0].replace("\n\n", "\n"), text)
    for paragraph in re.split(r"\n\s*\n", fenced):
        if 40 <= len(paragraph) <= 3_000:
            yield paragraph


@cache
def all_messages() -> list[str]:
    """Return the messages of the programs that are installed here.

    Raises:
        FileNotFoundError: there are none; Debian's package `coreutils` has some.
    """
    found = set[str]()
    for path in sorted(CATALOGUES.glob("*.mo")):
        try:
            with path.open("rb") as file:
                read = gettext.GNUTranslations(file)
        except UnicodeDecodeError:
            continue
        catalog: dict[object, str] = read._catalog  # type: ignore[attr-defined]
        found |= {key for key in catalog if isinstance(key, str) and 2 <= len(key.split()) <= 60}
    if not found:
        raise FileNotFoundError(f"{CATALOGUES}: has no catalogues, so there are no messages")
    chosen = sorted(key for key in found if "\x04" not in key and key.isascii())
    random.Random(1).shuffle(chosen)
    return chosen


def messages(number: int) -> list[str]:
    """Return the messages of one file."""
    start = number * MESSAGES_A_FILE
    return all_messages()[start : start + MESSAGES_A_FILE]


@cache
def descriptions(kind: str) -> list[str]:
    """Return descriptions of packages, in Markdown or reStructuredText or any."""
    found = set[str]()
    for package in metadata.distributions():
        declared = str(package.metadata.json.get("description_content_type", ""))
        text = str(package.metadata.json.get("description", ""))
        if len(text) > 500 and kind in declared:
            found.add(text)
    chosen = sorted(found)
    random.Random(1).shuffle(chosen)
    return chosen


def description(number: int, kind: str) -> str:
    """Return some paragraphs of one description, others for each number."""
    known = descriptions(kind)
    parts = [*paragraphs(known[number % len(known)])]
    first = number // len(known) * 8 % max(len(parts), 1)
    return "\n\n".join(parts[first : first + 8]) + "\n"


def described(make: Callable[[str], bytes], number: int) -> bytes:
    """Return a file that is made of one description."""
    return make(description(number, "markdown"))


def sentences(number: int) -> Iterator[str]:
    """Yield sentences of prose."""
    prose = re.sub(r"[*`#|=<>\[\]()]", "", description(number, ""))
    yield from re.findall(r"[A-Z][a-z]+ [^.!?\n]{20,200}[.!?]", prose.replace("\n", " "))


def po(texts: list[str]) -> bytes:
    """Return a catalogue; every fifth message has a plural."""
    lines = [
        'msgid ""',
        'msgstr ""',
        '"Language: \\n"',
        '"Content-Type: text/plain; charset=UTF-8\\n"',
    ]
    for number, text in enumerate(texts):
        quoted = json.dumps(text)
        lines += ["", f"#: file.c:{number}", "#, c-format" if "%" in text else "#. note"]
        if number % 5:
            lines += [f"msgid {quoted}", 'msgstr ""']
        else:
            lines += [f"msgid {quoted}", f"msgid_plural {quoted}", 'msgstr[0] ""', 'msgstr[1] ""']
    return "\n".join([*lines, ""]).encode()


def catalogue(texts: list[str]) -> bytes:
    """Return a catalogue in JSON with placeholders in braces."""
    braces = [re.sub(r"%\w+", lambda found: f"{{{{{found[0][1:]}}}}}", text) for text in texts]
    nested = {f"section{start}": braces[start : start + 5] for start in range(0, len(braces), 5)}
    named = {key: {f"k{n}": text for n, text in enumerate(part)} for key, part in nested.items()}
    return (json.dumps({**named, "version": 3}, indent=2) + "\n").encode()


def xliff(texts: list[str]) -> bytes:
    """Return XLIFF in which placeholders are elements."""
    units = []
    for number, text in enumerate(texts):
        parts = re.split(r"(%(?:\d\$)?l?[a-z])", html.escape(text, quote=False))
        inside = "".join(
            f'<ph id="{n}">{part}</ph>' if n % 2 else part for n, part in enumerate(parts)
        )
        units.append(f'<trans-unit id="{number}"><source>{inside}</source></trans-unit>')
    body = "\n".join(units)
    return (
        '<?xml version="1.0"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">'
        '<file original="a" source-language="en" datatype="x">'
        f"<body>\n{body}\n</body></file></xliff>"
    ).encode()


def srt(said: Iterator[str]) -> bytes:
    """Return subtitles: two lines a cue, and sentences that go over several cues."""
    cues: list[list[str]] = []
    for sentence in said:
        lines = re.findall(r".{1,38}(?:\s|$)", sentence)
        cues += [[line.strip() for line in lines[n : n + 2]] for n in range(0, len(lines), 2)]
    blocks = []
    for number, cue in enumerate(cues):
        time = f"00:{number // 30:02}:{number % 30 * 2:02}"
        text = ("<i>{}</i>" if number % 7 == 3 else "{}").format("\n".join(cue))
        blocks.append(f"{number + 1}\n{time},000 --> {time},990\n{text}\n")
    return "\n".join(blocks).encode()


def word(markdown: str) -> bytes:
    """Return a document of Word with headings, lists, a table, and words in bold."""
    made = docx.Document()
    made.sections[0].header.paragraphs[0].text = "Description of a package"
    for paragraph in markdown.split("\n\n"):
        text = " ".join(paragraph.split())
        if heading := re.match(r"#+ (.*)", text):
            made.add_heading(heading[1], 2)
            continue
        if text.startswith("| "):
            cells = [cell.strip() for cell in text.split("|") if cell.strip(" -:")]
            for row, cell in zip(made.add_table(len(cells), 1).rows, cells, strict=True):
                row.cells[0].text = cell
            continue
        added = made.add_paragraph(style="List Bullet" if text.startswith(("- ", "* ")) else None)
        done = 0
        for found in _EMPHASIS.finditer(text):
            added.add_run(text[done : found.start()])
            run = added.add_run(found[found.lastgroup or 0])
            run.bold = found["bold"] is not None or None
            run.italic = found["italic"] is not None or None
            if found["code"]:
                run.font.name = "Courier"
            done = found.end()
        added.add_run(text[done:])
    return saved(made.save)


def odt(number: int) -> bytes:
    """Return a text of OpenDocument that docutils makes of a description."""
    settings = {
        "report_level": 5,
        "halt_level": 5,
        "raw_enabled": False,
        "file_insertion_enabled": False,
    }
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "a.rst"), Path(folder, "a.odt")
        source.write_text(description(number, "rst") if descriptions("rst") else "")
        publish_file(
            source_path=str(source),
            destination_path=str(target),
            writer="odt",
            settings_overrides=settings,
        )
        return target.read_bytes()
