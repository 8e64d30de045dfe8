"""Numbers that are names: both languages write them alike, so they come back as they are.

Accounts, cards, telephones, dates by ISO 8601, versions, long numbers without separators, codes of
letters and digits, feet and inches, numbers with a fraction or a power (`2½`, `10³`), and parts of
a text (`Table 5.1`).
"""

from __future__ import annotations

import bisect
import functools
import itertools
import re
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from translator.text.characters import (
    EMOTICON,
    ESCAPE,
    PLACEHOLDER,
    SYMBOLS,
    SYMBOLS_HINT,
    TYPED_ENTITY,
    Alphabet,
    may_be_unread,
    unread_spans,
)

_ACCOUNT = r"\b[A-Z]{2}[0-9]{2} ?(?:[A-Z]{4}|[0-9]{4})(?: ?[0-9]{4}){2,6}(?: ?[0-9]{1,3})?(?![\w-])"
_CARD = r"(?<![\w.,-])[0-9]{4}(?: [0-9]{4}){3}(?! ?[0-9])\b|(?<![\w.,-])[0-9]{4}(?:-[0-9]{4}){3}\b"
_TELEPHONE = (
    r"(?<![\w+])\+[0-9]{1,3}(?:[ ./-]?\([0-9]{1,5}\))?(?:[ ./-]?[0-9]{2,12}){1,5}(?![\w])"
    r"|(?<![\w.,/-])(?:\(0[0-9]{1,5}\) ?|0[0-9]{1,5}[ /-])[0-9]{3,12}(?:[ -][0-9]{2,8}){0,4}"
    r"(?!\w|,[0-9])"
    r"|(?<![\w.,/-])(?:\([0-9]{3}\) |[0-9]{3}-)[0-9]{3}-[0-9]{4}(?![\w-])"
)
_HYPHENS = (
    r"(?<![\w.,/-])[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"(?:[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{3,6})?)?(?:Z| (?:UTC|GMT)\b)?)?(?![\w-])"
    r"|(?<![\w.,/-])[0-9]{1,12}(?:-[0-9]{1,12}){3,6}(?![\w-])"
)
_VERSION = (
    r"(?<![\w.,/-])(?![0-9]{1,2}\.[0-9]{1,2}\.(?:[0-9]{4}|[0-9]{2})(?![0-9]))"
    r"(?![0-9]{1,3}(?:\.[0-9]{3})+(?![0-9.]))[0-9]{1,5}(?:\.[0-9]{1,5}){2}(?![\w]|[.,][0-9])"
)
_LONG = r"(?<![\w.,/-])[0-9]{7,40}(?![\w]|[.,/][0-9])"
_CODE = (
    r"(?<![\w.,/-])(?=[A-Z0-9/-]{0,40}[A-Z])(?=(?:[A-Z/-]{0,12}[0-9]){3})"
    r"[A-Z0-9]{1,24}(?:[-/][A-Z0-9]{1,24}){0,5}(?![\w-]|[/.,][\w])"
)
_BANK = r"(?:(?<=\bBIC )|(?<=\bBIC: )|(?<=\bSWIFT: ))[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?\b"
_FEET = r"(?<![\w.,])[0-9]{1,2}(?:['’] ?[0-9]{1,2}(?:\"|”|'')|\u2032 ?[0-9]{1,2}\u2033)(?!\w)"
_MIXED = r"(?<![\w.,/])[0-9]{1,9} ?[¼½¾⅓⅔⅛⅜⅝⅞](?!\w)|(?<![\w.,/])[0-9]{1,9}[⁰¹²³⁴-⁹]+(?!\w)"

_CODE_OF_LAW = (
    r"(?!(?:I{1,3}|EU|UN|US|UK)(?!\w))"
    r"[A-Z](?:[A-Z]{1,4}|[a-zäöü]{1,3}[A-Z]{1,3}(?:[a-z]{1,2}[A-Z]{1,2})?)(?![\w-])"
)
"""Behind a section, such as `WEG` and `StGB`."""

_SECTION = (
    r"(?:(?<![\w.,])[0-9]{1,2} (?:U\.S\.C\.|C\.F\.R\.) )?§{1,2}\s?[0-9]{1,4}[a-z]?"
    r"(?:\.[0-9]{1,4}){0,3}(?:\([0-9A-Za-z]{1,4}\)){0,5}(?:[-–][0-9]{1,4}[a-z]?)?(?!\w|[.,-][0-9])"
    rf"(?: {_CODE_OF_LAW})?"
)
_LABELS = (
    r"abb\.|abbildung|abschnitt|absatz|anhang|annex|appendix|article|artikel|aufgabe|cell|chapter"
    r"|clause|equation|example|exercise|fig\.|figure|gleichung|kapitel|lektion|lesson|listing"
    r"|paragraph|part|regel|release|row|rule|schritt|section|step|tab\.|tabelle|table|task|teil"
    r"|version|zeile|zelle|ziffer"
)
_BEHIND_LABEL = "|".join(rf"(?<=(?i:\b{label}) )" for label in _LABELS.split("|"))
_PART = (
    r"(?=[0-9]{1,3}(?:\.[0-9]{1,2}){1,5}(?!\w|[.,:/-][0-9]|\s?(?:Uhr|[ap]\.?m\b|%|[mb]illi|M(?:io|rd))))"
    rf"(?:{_BEHIND_LABEL})[0-9.]*[0-9]"
)

IDENTIFIERS = "|".join(
    (
        _FEET,
        _MIXED,
        _ACCOUNT,
        _CARD,
        _TELEPHONE,
        _HYPHENS,
        _VERSION,
        _LONG,
        _CODE,
        _SECTION,
        _PART,
        _BANK,
    )
)
"""A regular expression of all of them."""

IDENTIFIERS_HINT = (
    r"[0-9(](?:(?<=[A-Z/+-][0-9])|(?<=\()0"
    r"|(?<=[0-9])(?:[A-Z/-]| [0-9]|['’\u2032] ?[0-9]|[0-9]{6}))"
)
"""What is found in any text that has one, unless it has a dot between digits or a symbol."""


Span = tuple[int, int]
"""Start and end: offsets into a text."""

# Repetitions that could start again at every word are bounded, so that no text takes long.
_ATTRIBUTE = r"""\s+[\w:.-]+=(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+)"""
MARKDOWN_ADDRESS = r"(?:<[^<>\n]{0,300}>|(?:[^()\s]|\([^()\s]*\))+)"
MARKDOWN_TITLE = r"""(?:"(?:[^"\\]|\\.){0,300}"|'(?:[^'\\]|\\.){0,300}')"""
"""The address and the title of a link in Markdown, as patterns."""

_LINK = rf"\](?:\({MARKDOWN_ADDRESS}(?:\s+{MARKDOWN_TITLE})?\)|\[[^\[\]]*\])"
_ENDINGS = (
    "bat|cfg|com|conf|cpp|cs|css|csv|db|de|dll|edu|eu|exe|gif|gov|gz|h|html?|ini|io|java|jpe?g|js"
    "|json|log|md|net|org|pdf|php|png|py|rb|rs|rst|sh|sql|svg|tar|toml|ts|txt|xml|ya?ml|zip"
)
ESCAPED_TAG = r"&lt;/?[A-Za-z](?:[^&<>]|&quot;|&\#0?39;|&amp;){0,300}&gt;"
"""A tag whose angle brackets are entities, as where HTML is quoted in HTML: a pattern."""

_SHORT_CODE = (
    r"\[/[A-Za-z][\w-]*\]|\[[A-Za-z][\w-]*(?:=[^\s\[\]]|\s+[\w-]+=)[^\[\]]{0,500}\]"
    r"|\[[a-z]+_[\w-]*\]|\[(?P<name>[A-Za-z]\w{0,30})\](?=.{1,300}?\[/(?P=name)\])"
)
_INLINE_CODE = (
    r"(?::[\w.-]+:)?(?:``(?!\s)(?:[^`]|`(?!`)){1,200}(?<!\s)``"
    r"|(?<![\w`])`(?:(?!\s)[^`]{1,100}(?<![\s(\[„“/])|[^`\s]{0,99}[\w.~:$>}*/-]/)`)"
    r"(?:_{1,2}|(?=s\b)|(?!\w))"
)
CODE_IN_A_LINE = _INLINE_CODE.replace("[^`", r"[^`\n")
"""Inline code as a pattern, before it is known which line breaks only wrap it."""

_PATH_OF_A_SITE = (
    r"(?:(?::[0-9]{2,5})?[/?#][^\s<>\"”“»«)\]},;!’…]{0,300}"
    r"[^\s<>\"”“»«)\]}.,;:!?'’…*_~=/-]/?)"
)
_SITES = "at|ch|co|com|de|edu|eu|fr|gov|info|io|it|net|nl|org|uk|us"

_DRAWN_OUT = r"(?P<drawn>[^\W\d_]{1,3}?)(?P=drawn){3}"  # of `Neeeein` and `hahahaha`
_DRAWN_OUT_HINT = re.compile(r"(.)(?:\1\1\1|.\1.\1.\1|..\1..\1..\1)")
"""What is found in any text in small letters that has some, at the first that comes again."""

_ANY_DRAWN_OUT = re.compile(f"(?i:{_DRAWN_OUT})")

_DUNDER = (
    r"__(?:[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+|[A-Z0-9]+|[a-z0-9]{1,9}(?=__[.(])|abs|add|all|and|annotations|bases|bool"
    r"|bytes|call|class|closure|code|contains|copy|debug|deepcopy|defaults|del|delattr|delete|dict|dir"
    r"|doc|enter|eq|exit|file|float|format|func|future|ge|get|getattr|getattribute|getitem|globals|gt"
    r"|hash|iadd|import|index|init|int|invert|iter|le|len|loader|lt|main|mod|module|mro|mul|name|ne"
    r"|neg|new|next|or|package|path|pow|qualname|radd|reduce|repr|reversed|self|set|setattr|setitem"
    r"|slots|spec|str|sub|super|traceback|truediv|version|xor)__(?!\w)"
)
"""Names such as `__init__` and `__FILE__`, in which the signs are no emphasis."""

_EMPHASISED = re.compile(
    r"(?<![^\s(\[\"'„“‚‘»«—–])(?P<mark>[_~=/])(?=[^\W\d_])"
    r"(?P<inner>[^_~=/\n<>{}\\]{1,100})(?<!\s)(?P=mark)"
    r"(?![^\s)\]\"'“”’«»,.;:!?…—–])(?!\.\w)"
)
"""Words between signs other than `*`, as in `I _never_ said so`."""

_MOST_MARKS = 40
"""Of a sentence; what is between them is looked through piece by piece."""

_EMPHASIS_SIGN = re.compile(r"[_~=/](?<![^\s(\[\"'„“‚‘»«—–].)[^\W\d_]")
_OF_PATHS = re.compile(
    r"(?i:\b(?:bin|boot|data|dev|director|docs|endpoint|etc|file|folder|home|images?|lib|media|mnt|opt|ordner|path|pfad"
    r"|proc|root|route|run|server|site|src|srv|sys|tmp|url|usr|var|verzeichnis)|datei)"
)
"""Is found in texts whose `/word/` is a path."""

_OF_NAMES = re.compile(
    r"(?i:\b(?:argument|attribut|column|feld|field|funktion|function|method|parameter|propert|spalte"
    r"|variab))"
)
"""Is found in texts whose `_word_` is a name."""

_OPTION_OF_A_PICTURE = (
    r"(?:thumb|thumbnail|mini|miniatur|frame|frameless|gerahmt|rahmenlos|border|rand|upright|hochkant"
    r"|left|right|center|none|links|rechts|zentriert|ohne|[0-9]{1,4}(?:x[0-9]{1,4})?px)"
)

_KEY = r"^[\"'](?P<key>[\w.-]{1,60})[\"']\s?:\s?[\"'](?=[^\"']{1,300}[\"'],?$)"
_KEY_FIRST = re.compile(_KEY)
_VALUE_END = re.compile(r"[\"'],?$")

_ARGUMENT = re.compile(r"(?<![\w$.,-])\$[1-9](?![\w$%-]|[.,][0-9])")
_ARGUMENT_ALONE = re.compile(
    r"(?:^|[,:;(\"'“„‘]\s?|\b(?i:dear|hallo|hello|hey|hi|liebe[rs]?|welcome|willkommen)\s)\$1"
    r"(?!\s(?:and|equals|for|from|in|is|of|or|to)\b)"
)
_OF_MONEY = re.compile(
    r"(?i:\b(?:an?|about|almost|at|cheap\w*|cost\w*|each|earn\w*|fee|for|just|less|more|nearly|off|only"
    r"|over|owe\w*|paid|pay\w*|per|plus|price\w*|save\w*|sold|spen[dt]\w*|tip|total|under|worth)\s\$[1-9]"
    r"|\$[1-9]\s(?:an?|apiece|bill|bn|coin|each|fee|hundred|less|[mb]illion|more|note|off|or|per|thousand|to)\b"
    r"|\b(?:cents?|cost|costs|dollars?|fee|paid|pays?|prices?|usd)\b|[€£¥=])"
)
"""Before or behind a dollar sign and a digit, or anywhere in a message that speaks of money."""

_FIELD = r'(?:"[^"]*"|[0-9][0-9.:/-]*|[^\W\d][^",;]*(?<![\s\d.!?]))'
_ROW = re.compile(rf"{_FIELD}(?:,(?!\s){_FIELD})+")
_LONGEST_FIELD = 3
"""Words; a row of longer ones may be a sentence."""

_BETWEEN_FIELDS = re.compile(r'^"|"?(?:^|,(?!\s))(?:"?[0-9][0-9.:/-]*"?(?:,|$))*"?|"$')
"""Commas, with the quotes and the numbers beside them."""

_TAG = r"\d*[^\W\d](?:[^\WA-ZÄÖÜ]*(?:-[^\WA-ZÄÖÜ]+)+(?!\w)|\w*)"
"""Of a hashtag; one with hyphens is all in small letters, as channels are."""

_MAIL = r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}"
_WRITER = rf"[A-ZÄÖÜ][\w.'’-]{{1,30}}(?:\s[A-ZÄÖÜ][\w.'’-]{{0,30}}){{0,3}}\s<{_MAIL}>"
_MATHEMATICS = (
    r"(?:(?:\\[A-Za-z]+|[_^])(?:\{[^{}$]{0,80}\}){1,2}|\\[^\n]|(?!\s[A-Za-z]{2,20}[\s\\,.;:!?])[^$\\])"
    r"{1,300}?"
)
"""Inside of a formula: no word stands between spaces, but in braces of a command."""

_FORMULA = (
    r"\$\$[^$]{1,500}\$\$"
    r"|(?<![\w$\\])\$(?=[^$]{0,300}[\\^_=<>+*/|(){}0-9-]|[A-Za-z]['′]?\$)(?![\s$])"
    rf"{_MATHEMATICS}(?<![\s\\])\$(?![\w$])"
    rf"|\\\((?=[^$]{{0,300}}?[\\^_=<>+*/|0-9-]){_MATHEMATICS}\\\)"
)
_LABEL_OF_LATEX = (
    r"~?\\(?:(?:eq|page|auto|[cC]|name|v)?ref|cite[a-z]{0,9}|label|url|input|include(?:graphics)?"
    r"|usepackage|documentclass|bibliography(?:style)?|begin|end|texttt|verb|[hv]space)\*?"
    r"(?:\[[^\[\]]{0,80}\]){0,2}\{[^{}]{0,200}\}"
)
_COMMAND = re.compile(
    r"\\(?:text(?:bf|it|sc|sf|sl|rm|up|md)|emph|underline|(?:sub){0,2}section|(?:sub)?paragraph"
    r"|chapter|part|title|caption|footnote|author)\*?(?:\[[^\[\]{}]{0,80}\])?\{|(?<!\\)[{}]"
)
"""A command of LaTeX before its text, or a brace."""


class Kind(NamedTuple):
    """A kind of spans that are not language.

    Attributes:
        pattern: of them.
        example: a text with one, which the documentation shows.
        has_sign: whether each has a sign that hardly any sentence has; see `_SIGN`.
    """

    pattern: str
    example: str
    has_sign: bool = True


KINDS = {
    "characters that models use as placeholders": Kind(
        PLACEHOLDER.pattern, "\ue001", has_sign=False
    ),
    "directives, targets and fields of reStructuredText": Kind(
        (
            r"^\.\.\s(?:_`[^`]{1,100}`:|_[^:`]{1,100}:|[\w:-]{1,50}::)(?!\S)"
            r"|^(?:\.\.\s)?\|[^|]{1,100}\|\s[\w:-]{1,50}::(?!\S)"
            r"|^_(?:`[^`]{1,100}`|[^:`]{1,100}):(?=\s+\w+://)"
            r"|^:[\w-]{1,50}(?:\s\w{1,50}){0,2}:(?!\S)"
        ),
        ".. note:: Read this",
    ),
    "around the text of a reStructuredText link": Kind(
        r"`(?=[^`<>]{1,100}\s<[^<>`]{1,300}>`_)|(?<=\S)\s<[^<>`\s]{1,300}>`_{1,2}",
        "`the guide <guide.rst>`_",
    ),
    "a key of JSON and the quote behind it": Kind(_KEY, '"title": "Home"'),
    "inline code": Kind(_INLINE_CODE, "`get_name`"),
    "fields of newsletters and CRMs": Kind(
        (
            r"\#{2,3}\w[\w.-]{0,60}\#{2,3}|\*\|[^|]{1,100}\|\*|\[%.{1,200}?%\]"
            r"|%%[A-Za-z_](?:[\w .-]{0,60}\w)?%%|%%=.{1,200}?=%%|@@\w[\w.-]{0,60}@@"
        ),
        "##id##",
    ),
    "wiki links": Kind(
        (
            rf"\[\[[^\[\]|]{{1,200}}(?:\|{_OPTION_OF_A_PICTURE}){{0,9}}\]\](?!\()"
            r"|\[\[[^\[\]|]{1,200}(?:\|[^\[\]|]{0,200}){0,9}\|(?=[^\[\]|]{1,300}\]\])|\]\](?!\()"
        ),
        "[[Physics]]",
    ),
    "short codes of WordPress and of forums": Kind(
        rf"(?:{_SHORT_CODE})(?:\s*(?:{_SHORT_CODE.replace('name', 'next')}))*",
        '[gallery ids="1,2"]',
    ),
    "hashtags": Kind(rf"(?<![\w&\#/])\#{_TAG}(?:\s+\#{_TAG})*", "#autumn"),
    "mentions": Kind(r"(?<![\w@./+&%-])@[A-Za-z][\w-]{1,38}(?![\w@]|\.\w)", "@octocat"),
    "emoji by name": Kind(r"(?<![\w:]):[a-z][a-z0-9_+-]{1,40}:(?![\w:])", ":blobcat:"),
    "emoticons": Kind(EMOTICON, "-_-"),
    "formulas": Kind(_FORMULA, "$E=mc^2$"),
    "labels of LaTeX": Kind(_LABEL_OF_LATEX, r"~\ref{tab:a}"),
    "lines to fill in": Kind(
        (
            r"(?=[_.€$£])(?:(?<!\w)_{2,}(?:\s?[/.]\s?_{2,})+(?!\w)|(?<!_)_{4,}(?!_)|(?<!\w)_{3}(?!\w)"
            r"|(?<!\.)\.{6,}(?!\.)|[€$£]\s?\.{2,5}(?!\.))"
        ),
        "______",
        has_sign=False,
    ),
    "emphasis": Kind(
        (
            r"(?=[*~=_])(?:(?<!\w)\*{1,3}(?=[\w`\[(„“\"<])|(?<=[^\s*])\*{1,3}(?!\w)"
            r"|(?<![\w~])~~(?=[^\s~][^~]{0,300}~~(?![\w~]))|(?<=[^\s~])~~(?![\w~])"
            r"|(?<![\w=])==(?=[^\s=][^=]{0,300}==(?![\w=]))|(?<=[^\s=])==(?![\w=])"
            rf"|(?<!\w)(?!{_DUNDER})__(?=[^\s_][^_]{{0,300}}__(?!\w))|(?<=[^\s_])__(?!\w))"
        ),
        "**so**",
    ),
    "comments, targets of links, footnotes": Kind(
        r"<!--.{0,300}?-->|\[\^[\w-]{1,50}\]:?|^\[[^\[\]]+\]:|:::[\w-]+\([^():]{1,100}\):::",
        "<!-- a note -->",
    ),
    "citations": Kind(
        r"(?:\[[0-9]{1,3}\]){2,20}|\[[0-9]{1,3}(?:\s?[,–-]\s?[0-9]{1,3}){1,20}\](?![(\[])", "[1,2]"
    ),
    "around the text of a Markdown link": Kind(
        rf"(?:(?<!\w)_)?!?\[(?:(?=[^\[\]]+{_LINK})|{_LINK})|{_LINK}(?:_(?!\w))?", "](doc/a.md)"
    ),
    "addresses": Kind(
        (
            r"(?:https?|ftp|ssh|file)://[^\s<>\"”“»«)\]}]*[^\s<>\"”“»«)\]}.,;:!?'’…]"
            rf"|\b{_MAIL}\b|(?<=\bschrieb ){_WRITER}|{_WRITER}(?=\s(?:wrote|schrieb)\b)"
        ),
        "https://a.b/c",
    ),
    "tags": Kind(
        rf"</?[A-Za-z][\w:.-]*(?:{_ATTRIBUTE})*\s*/?>|<[%?].{{1,200}}?[%?]>", '<x id="1"/>'
    ),
    "entities": Kind(
        rf"{ESCAPED_TAG}|&(?:[A-Za-z][A-Za-z0-9]{{1,7}}|\#\d{{2,6}}|\#[xX][0-9A-Fa-f]{{2,5}});",
        "&lt;script&gt;",
    ),
    "templates": Kind(
        (
            r"\$?\{{2,3}[^{}]*\}{2,3}(?:(?:st|nd|rd|th)\b)?|\$\{[^{}]*\}|'[{}]'|\{[^{}\s]*\}"
            r"|\{\w+,\s*\w+\}|\{\w+,\s*choice,(?:[^{}]|\{[^{}]*\}){1,500}\}|\{%.{1,200}?%\}"
        ),
        "{{ name | upper }}",
    ),
    "formats": Kind(
        (
            r"%(?:\([^()\s]+\))?(?:\d+\$)?[-+#0]*\d*(?:\.\d+)?(?:hh|ll|[hlzjt])?[sdiufgeExXcpn@](?!\w)"
            r"|%\d+(?![\d\w])|%arg\b|%%|(?:\\[nrt])+(?![a-z])"
        ),
        "%1$s",
    ),
    "variables": Kind(
        r"%[A-Za-z_]+%|(?<![\w%])%[A-Z][A-Z0-9_]{2,40}(?![\w%])|(?<![\w$])\$[A-Za-z_]\w*", "$user"
    ),
    "options": Kind(r"(?<![\w-])--(?![\w ]{1,40}--(?:\W|$))[a-z][\w-]+", "--all"),
    "paths": Kind(
        (
            rf"\b(?:[\w.-]{{1,64}}/){{1,12}}[\w-]+\.(?:{_ENDINGS})\b"
            r"|(?<![^\s(\[{<>\"'„“»›‚`=:|])(?:(?:~|\.{1,2})?(?:/[\w.+@-]*\w){2,12}|(?:~|\.{1,2})/[\w.+@-]*\w)/?"
            r"|\b[A-Za-z]:\\(?:[^\s\"<>|]|\s\w+(?=[\w ]{0,40}\\))*[\w\\]"
            r"|\\\\[\w.$-]+(?:\\[\w.$-]+)+"
        ),
        "/usr/bin",
    ),
    "calls": Kind(r"\b\w+(?:(?:\.|::|->)\w+){0,8}\(\)", "get_name()"),
    "names with dots": Kind(
        (
            rf"\b(?:[A-Za-z][\w-]{{1,63}}\.){{2,8}}[A-Za-z]\w+\b(?:{_PATH_OF_A_SITE})?"
            rf"|(?<![\w-])[\w-]{{2,99}}\.(?:(?:{_SITES}){_PATH_OF_A_SITE}|(?:{_ENDINGS})\b)"
        ),
        "os.path.join",
        has_sign=False,
    ),
    "versions, addresses of machines": Kind(
        r"\bv\d+(?:\.\d+)+[\w+-]*\b|\b\d+(?:\.\d+){3}(?::\d+)?\b", "127.0.0.1", has_sign=False
    ),
    "numbers that are names": Kind(
        rf"(?=[0-9A-Z+(§])(?:{IDENTIFIERS})", "+49 30 1234567", has_sign=False
    ),
    "passwords": Kind(
        r"(?<=[\"„“»])[^\W\d_]{3,40}[0-9]{1,9}[!\#$%&*?@+]{1,3}(?=[\"“”«])",
        "“Geheim123!”",
        has_sign=False,
    ),
    "identifiers": Kind(
        (
            rf"\b\w+(?:::\w+)+|\b[a-z_]\w*(?:->[a-z_]\w*)+|\b(?!\w*_in(?:nen)?\b)(?:{_DUNDER}"
            r"|[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+|(?<!\\)[a-z]+[A-Z]\w+|0x[0-9A-Fa-f]+)\b"
        ),
        "max_size",
        has_sign=False,
    ),
    "colours of a terminal": Kind(ESCAPE, "\x1b[31m"),
    "powers of ten, units with a sign of their own": Kind(
        r"[×·]\s?10(?:\^[-−+]?[0-9]{1,3}|[⁻⁺]?[⁰¹²³⁴-⁹]{1,3})(?!\w)|[µμ][glmsAVWFHL](?!\w)",
        "µg",
        has_sign=False,
    ),
    "drawn-out words": Kind(
        rf"(?i:(?<!\w)\w{{0,20}}?{_DRAWN_OUT}\w{{0,99}})", "Neeeein", has_sign=False
    ),
    "comparisons": Kind(r"[≤≥†]\s?[0-9]{1,4}(?!\w|[.,][0-9])", "≥ 18", has_sign=False),
    "isolates": Kind(
        r"[\u2066-\u2068][^\u2066-\u2069\n]{1,80}\u2069|[\u202a-\u202e][^\u202a-\u202e\n]{1,80}\u202c",
        "\u2068Anna\u2069",
        has_sign=False,
    ),
    "symbols": Kind(rf"(?=[0-9#*\u00a2-\U0010ffff])(?:{SYMBOLS})", "→", has_sign=False),
}
STATEMENT = (
    r"\{\{\{?~?\s*(?:[#/^]\s*[A-Za-z][^{}]{0,200}|else(?:\s[^{}]{0,200})?)~?\}?\}\}"
    r"|\{%[^\n]{1,200}?%\}|<%(?:(?![=@!-])|-\s*(?:end|els|if|unless))[^\n]{1,200}?%>"
)
"""What says where a text of a template begins, goes on or ends, as a pattern: `{{#if paid}}`. Each
branch is a text of its own."""
_STATEMENT = re.compile(STATEMENT)

_MAY_HAVE_LAYOUT = re.compile(
    "|".join(KINDS[name].pattern for name in ("templates", "wiki links", "formulas", "tags"))
)
_OPENS_LAYOUT = re.compile(r"\{\{|\$\{|\[\[|\$\\|<%|\{\w+,")

_HINTS = tuple(
    map(
        re.compile,
        (
            SYMBOLS_HINT.replace("]", r"`@<&{%$/*\\_\x1b\u2066-\u2068\u202a-\u202e")
            + PLACEHOLDER.pattern.removeprefix("["),
            r"\.\.\.\.\.\.|€\s?\.|£\s?\.|~~|==|\.(?<=\w\.)\w|::|--|->|\(\)|\]\(|\]:|\]\[|\[\^|\[\[|\[[0-9]{1,3}\s?[,–-]|0x(?<=\b0x)"
            r"|=(?<=\w=)|#\w|:\w|:(?<=^:)|\^\^|\"\s?:\s?[\"']|'\s?:\s?[\"']|BIC|SWIFT",
            r"[A-Z0-9](?:(?<=[a-z][A-Z])|(?<=[0-9])[!\#$%&*?@+]{1,3}[\"“”«])",
            IDENTIFIERS_HINT,
        ),
    )
)
"""One of them is found in any text that has a span, unless it has a drawn-out word. Each begins
with one set of characters, or all its choices with a character, so that `re` skips all others."""

_WITHOUT_SIGNS = (
    *("placeholders of the text itself", "lines to fill in", "names with dots", "identifiers"),
    *("versions, addresses of machines", "numbers that are names", "symbols", "drawn-out words"),
    "powers of ten, units with a sign of their own",
    *("passwords", "comparisons"),
)
_SIGN = re.compile(
    r"[`@<&{\\_|#~=^\[\]/*╯\x1b]|%\S|\$(?![0-9])|--[a-z]|->|\(\)|:[\w:]|^:|[\"']\s?:\s?[\"']"
)
"""What is found in any text that has a span of another kind."""


def find_spans(
    text: str, known: Sequence[Span] = (), alphabet: Alphabet | None = None
) -> list[Span]:
    """Return every span of a text that is not language, or cannot be read.

    Args:
        text: any text.
        known: spans that somebody else has found: in order, and without overlaps. They stay as they
            are; others are looked for between them.
        alphabet: what can be read, as of `Tokenizer.alphabet`; None for all.

    Returns:
        the spans, in order.
    """
    known = known or _between_fields(text) or arguments_in(text) or _emphasis_in(text)
    known = known or _commands_in(text)
    if known:
        spans = _between(known, text, lambda *gap: _find_by_looks(text, *gap))
    else:
        spans = _find_by_looks(text) if _may_have_spans(text) else []
    if alphabet is not None and may_be_unread(text, alphabet):
        spans = _between(spans, text, lambda *gap: unread_spans(text, alphabet, *gap))
    return spans


def spans_with_layout(text: str, known: Sequence[Span] = ()) -> Sequence[Span]:
    """Return known spans, and with them those in which what looks like layout is none.

    Args:
        text: any text.
        known: spans that somebody else has found: in order, and without overlaps.
    """
    if not _OPENS_LAYOUT.search(text):
        return known  # as nearly always

    def find(start: int, end: int) -> list[Span]:
        found = (one.span() for one in _MAY_HAVE_LAYOUT.finditer(text, start, end))
        return [span for span in found if not _STATEMENT.fullmatch(text, *span)]

    return _between(known, text, find)


def _may_have_spans(text: str) -> bool:
    """Return whether there may be a span; most sentences are done with then."""
    return any(hint.search(text) for hint in _HINTS) or _has_drawn_out(text)


def _has_drawn_out(text: str) -> bool:
    return _DRAWN_OUT_HINT.search(text.lower()) is not None and bool(_ANY_DRAWN_OUT.search(text))


@functools.cache
def _pattern(has_signs: bool, has_drawn_out: bool) -> re.Pattern[str]:
    """Return a pattern of the spans that a text may have.

    One of all kinds takes many times as long as one of those that need no special sign. Characters
    written as entities are matched as well, so that no span begins in one.
    """
    kinds = {name: kind for name, kind in KINDS.items() if has_signs or not kind.has_sign}
    if not has_drawn_out:
        del kinds["drawn-out words"]
    patterns = (kind.pattern for kind in kinds.values())
    return re.compile("|".join((f"(?P<typed>{TYPED_ENTITY})", *patterns)))


def _find_by_looks(text: str, start: int = 0, end: int = sys.maxsize) -> list[Span]:
    pattern = _pattern(_SIGN.search(text) is not None, _has_drawn_out(text))
    found = pattern.finditer(text, start, end)
    spans = [span.span() for span in found if span.lastgroup != "typed"]
    if spans and start == 0 and _KEY_FIRST.match(text) and (value := _VALUE_END.search(text)):
        spans.append(value.span())
    return _with_quotes(spans, text) if '["' in text else spans


def _between_fields(text: str) -> list[Span]:
    """Return what stands between the fields of a row of a CSV file, and around them."""
    num_commas = text.count(",")
    if (num_commas < 2 and '","' not in text) or num_commas == text.count(", "):
        return []  # as nearly always
    if not _ROW.fullmatch(text):
        return []
    fields = _BETWEEN_FIELDS.split(text)
    spans = [found.span() for found in _BETWEEN_FIELDS.finditer(text) if found[0]]
    is_row = any(end - start > 1 for start, end in spans)  # with a number, or in quotes
    is_short = all(len(field.split()) <= _LONGEST_FIELD for field in fields)
    return spans if is_row and is_short and any(fields) else []


def arguments_in(text: str) -> list[Span]:
    """Return the arguments of a message, such as `$1` in `Hello, $1!`; an amount of money is none.

    They are counted from 1. Nothing else in the message speaks of money, and a lone one stands
    where no amount would.
    """
    if "$1" not in text or _OF_MONEY.search(text):
        return []  # as nearly always
    spans = [found.span() for found in _ARGUMENT.finditer(text)]
    counted = sorted({int(text[end - 1]) for _, end in spans})
    if text.count("$") != len(spans) or counted != [*range(1, len(counted) + 1)]:
        return []
    is_message = len(spans) > 1 or _ARGUMENT_ALONE.search(text)
    return spans if is_message and len(spans) <= _MOST_MARKS else []


def _emphasis_in(text: str) -> list[Span]:
    """Return the signs around words that are emphasised with another sign than `*`."""
    if not _EMPHASIS_SIGN.search(text):
        return []  # as nearly always
    marked = list(itertools.islice(_EMPHASISED.finditer(text), _MOST_MARKS))
    if not marked or len(marked) == _MOST_MARKS:
        return []
    has_names, has_paths = _OF_NAMES.search(text), _OF_PATHS.search(text)
    spans = list[Span]()
    for found in marked:
        is_name = found["mark"] == "_" and found["inner"].isalnum() and has_names
        if not is_name and (found["mark"] != "/" or not has_paths):
            spans += [(found.start(), found.start() + 1), (found.end() - 1, found.end())]
    return spans


def _commands_in(text: str) -> list[Span]:
    """Return the commands of LaTeX around their texts, and the braces that close them."""
    if "{" not in text or "\\" not in text:
        return []  # as nearly always
    spans, opened = list[Span](), list[Span]()
    for found in itertools.islice(_COMMAND.finditer(text), 2 * _MOST_MARKS):
        if found[0] != "}":
            opened.append(found.span())
        elif opened and (opening := opened.pop())[1] - opening[0] > 1:
            spans += [opening, found.span()]
    return sorted(spans)


def _with_quotes(spans: list[Span], text: str) -> list[Span]:
    """Return spans; quotes around all the text of a link, as in `["Save"](url)`, belong to them.

    A model that reads them beside a placeholder lets the quotes and the brackets cross.
    """
    for number, (start, end) in enumerate(spans[:-1]):
        after, last = spans[number + 1]
        is_link = text[end - 1 : end + 1] == '["' and text[after - 1 : after + 1] == '"]'
        if is_link and text.count('"', end, after) == 2:
            spans[number : number + 2] = [(start, end + 1), (after - 1, last)]
    return spans


def _between(
    taken: Sequence[Span], text: str, find: Callable[[int, int], list[Span]]
) -> list[Span]:
    """Return the spans that are taken, and in order with them what is found before and between."""
    spans, done = list[Span](), 0
    for start, end in (*taken, (len(text), len(text))):
        assert done <= start <= end, f"{taken}: in order and without overlaps"
        spans += find(done, start)
        if start < end:
            spans.append((start, end))
        done = end
    return spans


def span_at(place: int, spans: Sequence[Span]) -> Span | None:
    """Return the one of some spans, which are in order, that has the character at `place`."""
    number = bisect.bisect_right(spans, (place, sys.maxsize))
    return spans[number - 1] if number and place < spans[number - 1][1] else None
