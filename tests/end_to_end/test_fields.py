"""Fields, marks and tags come through the default model as they were, and words around them do not.

Each line is modelled on a bug that somebody has reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

import pytest

from translator.pipeline.options import TextOptions
from translator.pipeline.texts import translate_texts
from translator.pipeline.translator import Translator

INTO_GERMAN = {  # what must be in the translation, as a regular expression
    ":::tip Remember\nDrink water every day.\n:::": r":::tip [^:\n]+\n[^:]*Wasser[^:]*\n:::",
    ":::caution Hot surface\n\nIt is hot.\n\n:::": r":::caution [^:\n]+\n\n[^:]+heiß[^:]+\n\n:::",
    ":::note[Read this]\nThe house is big.\n:::": r":::note\[Le[^:\n\]]+\]\nDas [^:]+\n:::",
    ":::danger\nDo not open the door.\n:::": r":::danger\n[^:]+Tür[^:]+\n:::",
    "The sum is\n\n$$E=mc^2$$\n\nand it is big.": r"[^\n]+\n\n\$\$E=mc\^2\$\$\n\n[^\n]+",
    "Dear ##id##, thank you.": r"\w+ \w* ?##id##, .+",
    "Dear @@x@@, how are you?": r"\w+ \w* ?@@x@@, .+",
    "See [[Physics|the other notebook]] now.": r".*\[\[Physics\|[^|\]]*andere[^|\]]+\]\].*",
    "{count} files deleted": r"\{count\} Dateien .*",
    "%d items left": r"(?:Noch )?%d \w+.*",
    "{n} messages in {count} folders": r"\{n\} Nachrichten in \{count\} Ordnern",
    "%s files deleted": r"%s Dateien .*",
    "I love #friday and #coffee": r".*#friday und #coffee.*",
    r"First line\nSecond line": r"Erste (?:Zeile|Linie)\\n[^\\]*(?:[zZ]weite|2\.)[^\\]*",
    r"First line\r\nSecond line": r"Erste (?:Zeile|Linie)\\r\\n[^\\]*(?:[zZ]weite|2\.)[^\\]*",
    "Write &lt;script&gt; in it.": r".+ &lt;script&gt;.*",
    "Save &As…": r"&Speichern unter(?:…|\.\.\.)",
    "E&xit": r"&\w{5,}",
    "R&D department": r".*(?:R&D|F&E).*",
    "AT&T is big": r"AT&T .*",
    "I do not know ¯\\_(ツ)_/¯": r".*\w ¯\\_\(ツ\)_/¯",
    '[/vc_column][vc_column width="1/4"]': r'\[/vc_column\]\[vc_column width="1/4"\]',
    '[gallery ids="1,2"]': r'\[gallery ids="1,2"\]',
}
INTO_ENGLISH = {
    "Hallo *|VORNAME|*, danke.": r"\w+,? \*\|VORNAME\|\*.*",
    "Siehe [[Mathematik]] und [[Physik|das andere Heft]].": (
        r".*\[\[Mathematik\]\] and \[\[Physik\|the other [^|\]]+\]\].*"
    ),
    "Heute war es schön 🌲 #herbst #wandern :blobcat:": r".* 🌲 #herbst #wandern :blobcat:",
    "Endlich #freitag": r".*#freitag.*",
    "Das Wasser ist hei&szlig;.": r"The water is hot\.",
    "Viele Gr&uuml;&szlig;e aus M&uuml;nchen": r"[^&;]+Munich",
    "B&eenden": r"&\w{3,}",
    "Schon wieder -_-": r".*\w -_-",
    'Kontakt: [x-7 id="12" title="Anfrage"][vc_row el_class="linie"]': (
        r'Contact: \[x-7 id="12" title="Anfrage"\]\[vc_row el_class="linie"\]'
    ),
}
PAGES_INTO_GERMAN = {
    "<p><b>Large</b>, <em>loud</em>, <u>noisy</u>, <s>small</s></p>": (
        r"<p><b>[^<]+</b>,? <em>[^<]+</em>,? <u>[^<]+</u>,? <s>[Kk]lein[^<]*</s></p>"
    ),
    "<p>The 21<sup>st</sup> floor</p>": r"<p>[^<]* 21<sup>\.</sup> [^<]+</p>",
    "<p>Click '<b>Save</b>' to keep it.</p>": r"<p>[^<]*['„]<b>[^<'„“ ]+</b>['“][^<]*</p>",
    "<p>The <ruby>word<rt>reading</rt></ruby> is old.</p>": (
        r"<p>Das <ruby>Wort<rt>reading</rt></ruby> ist alt.</p>"
    ),
    "<p>My house<img/> and my garden<img/>.</p>": (
        r"<p>Mein Haus<img/> und mein Garten<img/>\.</p>"
    ),
}
PAGES_INTO_ENGLISH = {
    "<p>Ich habe den Mann gestern in der großen Stadt gesehen<br/>und ihm geholfen.</p>": (
        r"<p>I [^<]{20,}<br/>[^<]+</p>"
    )
}


@pytest.fixture(scope="module")
def translator() -> Iterator[Translator]:
    with Translator.load(threads=1) as loaded:
        yield loaded


@pytest.mark.parametrize(
    ("lines", "source", "target", "text_format"),
    [
        (INTO_GERMAN, "en", "de", "text"),
        (INTO_ENGLISH, "de", "en", "text"),
        (PAGES_INTO_GERMAN, "en", "de", "html"),
        (PAGES_INTO_ENGLISH, "de", "en", "html"),
    ],
    ids=["into German", "into English", "pages into German", "pages into English"],
)
def test_lines_of_bug_reports(
    translator: Translator,
    lines: dict[str, str],
    source: str,
    target: str,
    text_format: Literal["text", "html"],
) -> None:
    options = TextOptions(source=source, target=target, text_format=text_format)
    answers = translate_texts(translator, [*lines], options)
    texts = dict(zip(lines, (answer.text for answer in answers), strict=True))
    wrong = {line: text for line, text in texts.items() if not re.fullmatch(lines[line], text)}
    assert wrong == {}
