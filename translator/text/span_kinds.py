"""The table of what is not language: kinds of spans, each with its pattern and an example.

Among them are numbers that are names: accounts, cards, telephones, dates by ISO 8601, versions,
long numbers without separators, codes of letters and digits, feet and inches, numbers with a
fraction or a power (`2½`, `10³`), and parts of a text (`Table 5.1`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from translator.text.characters import (
    EMOTICON,
    ESCAPE,
    PLACEHOLDER,
    SYMBOLS,
    SYMBOLS_HINT,
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

_IDENTIFIERS = "|".join(
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

_IDENTIFIERS_HINT = (
    r"[0-9(](?:(?<=[A-Z/+-][0-9])|(?<=\()0"
    r"|(?<=[0-9])(?:[A-Z/-]| [0-9]|['’\u2032] ?[0-9]|[0-9]{6}))"
)
"""What is found in any text that has one, unless it has a dot between digits or a symbol."""


# Repetitions that could start again at every word are bounded, so that no text takes long.
_ATTRIBUTE = r"""\s+[\w:.-]+=(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+)"""
MARKDOWN_ADDRESS = r"(?:<[^<>\n]{0,300}>|(?:[^()\s]|\([^()\s]*\))+)"
MARKDOWN_TITLE = r"""(?:"(?:[^"\\]|\\.){0,300}"|'(?:[^'\\]|\\.){0,300}')"""
"""The address and the title of a link in Markdown, as patterns."""

_LINK = (
    rf"\](?:\({MARKDOWN_ADDRESS}(?:\s+{MARKDOWN_TITLE})?\)|\[[^\[\]]*\])"
    r"(?:\{[^{}\n]{1,200}\})?"
)
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
    r"(?::[\w.-]+:)?(?:``(?:(?!\s)(?:[^`]|`(?!`)){1,200}(?<!\s)|\s(?:[^`]|`(?!`)){1,200}\s)``"
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

DRAWN_OUT = r"(?P<drawn>[^\W\d_]{1,3}?)(?P=drawn){3}"  # of `Neeeein` and `hahahaha`

_DUNDER = (
    r"__(?:[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+|[A-Z0-9]+|[a-z0-9]{1,9}(?=__[.(])|abs|add|all|and|annotations|bases|bool"
    r"|bytes|call|class|closure|code|contains|copy|debug|deepcopy|defaults|del|delattr|delete|dict|dir"
    r"|doc|enter|eq|exit|file|float|format|func|future|ge|get|getattr|getattribute|getitem|globals|gt"
    r"|hash|iadd|import|index|init|int|invert|iter|le|len|loader|lt|main|mod|module|mro|mul|name|ne"
    r"|neg|new|next|or|package|path|pow|qualname|radd|reduce|repr|reversed|self|set|setattr|setitem"
    r"|slots|spec|str|sub|super|traceback|truediv|version|xor)__(?!\w)"
)
"""Names such as `__init__` and `__FILE__`, in which the signs are no emphasis."""

_OPTION_OF_A_PICTURE = (
    r"(?:thumb|thumbnail|mini|miniatur|frame|frameless|gerahmt|rahmenlos|border|rand|upright|hochkant"
    r"|left|right|center|none|links|rechts|zentriert|ohne|[0-9]{1,4}(?:x[0-9]{1,4})?px)"
)

KEY = r"^[\"'](?P<key>[\w.-]{1,60})[\"']\s?:\s?[\"'](?=[^\"']{1,300}[\"'],?$)"

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
    r"|usepackage|documentclass|bibliography(?:style)?|texttt|verb|[hv]space)\*?"
    r"(?:\[[^\[\]]{0,80}\]){0,2}\{[^{}]{0,200}\}"
)


class Kind(NamedTuple):
    """A kind of spans that are not language.

    Attributes:
        pattern: of them.
        example: a text with one, which the documentation shows.
        has_sign: whether each has a sign that hardly any sentence has; see `SIGN`.
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
    "a key of JSON and the quote behind it": Kind(KEY, '"title": "Home"'),
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
    "signs of LaTeX": Kind(r"(?<=[0-9])(?:\\,)?\\%|\\\\(?=\s)", r"5\%"),
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
        r"<[!\#]--.{0,300}?-->|\[\^[\w-]{1,50}\]:?|^\[[^\[\]]+\]:|:::[\w-]+\([^():]{1,100}\):::",
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
        rf"</?[A-Za-z][\w:.-]*(?:{_ATTRIBUTE})*\s*/?>|<[%?].{{1,200}}?[%?]>|</?@(?:[A-Za-z][^<>\n]{{0,200}})?>",
        '<x id="1"/>',
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
            r"|%\d+(?![\d\w])|%arg\b|%%|(?:\\[nrt])+(?![a-z])|\\\""
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
        rf"(?=[0-9A-Z+(§])(?:{_IDENTIFIERS})", "+49 30 1234567", has_sign=False
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
        rf"(?i:(?<!\w)\w{{0,20}}?{DRAWN_OUT}\w{{0,99}})", "Neeeein", has_sign=False
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
    r"|<\?php\s+(?:if|else|end|for|switch|while)[^\n]{0,200}?\?>"
    r"|\{\{-?\s*(?:(?:if|range|with|block|define)\s+[^|{}\s][^{}\n]{0,200}|end\s*-?)\}\}|\{#[^\n]{0,300}?#\}"
    r"|</?\#[a-z]{2,20}(?:\s(?:[^<>]|(?<=\s)[<>]=?(?=\s)){0,200})?/?>"
    r"|\{(?:(?:(?:else)?if|foreach|while)\s[^{}\n]{1,200}|else|/(?:if|for|foreach|section|while))\}"
    r"|\{(?:\#(?:if|each|await|key)\s|:(?:else|then|catch)|/(?:each|await|key))[^{}\n]{0,200}\}"
    r"|\\(?:begin|end)\{[^{}\n]{1,40}\}(?:\[[^\[\]\n]{0,80}\])?|\\item(?:\[[^\[\]\n]{0,80}\])?(?=\s)"
    r"|\\(?:maketitle|new(?:line|page)|noindent|tableofcontents)(?![a-z])"
)
"""What says where a text of a template or an item begins, goes on or ends, as a pattern:
`{{#if paid}}`. Each branch is a text of its own."""

HINTS = tuple(
    map(
        re.compile,
        (
            SYMBOLS_HINT.replace("]", r"`@<&{%$/*\\_\x1b\u2066-\u2068\u202a-\u202e")
            + PLACEHOLDER.pattern.removeprefix("["),
            r"''|\.\.\.\.\.\.|€\s?\.|£\s?\.|~~|==|\.(?<=\w\.)\w|::|--|->|\(\)|\]\(|\]:|\]\[|\[\^|\[\[|\[[0-9]{1,3}\s?[,–-]|0x(?<=\b0x)"
            r"|=(?<=\w=)|#\w|:\w|:(?<=^:)|\^\^|\"\s?:\s?[\"']|'\s?:\s?[\"']|BIC|SWIFT",
            r"[A-Z0-9](?:(?<=[a-z][A-Z])|(?<=[0-9])[!\#$%&*?@+]{1,3}[\"“”«])",
            _IDENTIFIERS_HINT,
        ),
    )
)
"""One of them is found in any text that has a span, unless it has a drawn-out word. Each begins
with one set of characters, or all its choices with a character, so that `re` skips all others."""

SIGN = re.compile(
    r"[`@<&{\\_|#~=^\[\]/*╯\x1b]|%\S|\$(?![0-9])|--[a-z]|->|\(\)|:[\w:]|^:|[\"']\s?:\s?[\"']|''"
)
"""What is found in any text that has a span of another kind."""
