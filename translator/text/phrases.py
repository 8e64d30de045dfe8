"""Words and signs of German and English that a model misreads, in words that it knows.

`übermorgen` was `overthrow`, and `logged out` was `angemeldet`. What goes wrong in one direction
only may be read in the language wanted: a model copies its words. To add a rule is to add an entry.
"""

from __future__ import annotations

import re

from translator.text.rewriting import Rule, RuleTable, like

_MANY = {"Woche": "Wochen", "Monat": "Monaten", "Jahr": "Jahren"}
_PERIOD = "(?P<unit>night|week|month|year)"
_NOT_SUBJECT = r"(?=[.,;:!?)]|$| (?:I|you|he|she|it|we|they|when|and|but)\b)"
_SIDE = r"[0-9]{1,4}(?:\.[0-9]+)?"
_LENGTH = (
    r"(?:cm|ft|in|km|m|mm|feet|foot|inch(?:es)?|pixels?|px|yards?"
    r"|(?:centi|kilo|milli)?met(?:er|re)s?)\b"
)
_OF_CARE = re.compile(
    r"(?i:bat\b|bewarb|bewerb|bitt|dreh|geht|ging|handel|kampf|kämpf|kümmer|sorg|streit|stritt|trauer|wett)"
)
"""Words of sentences whose `um` says about what."""

_NAME = r"(?!(?:Dich|Euch|Ihre?n?|Sie)\b)[A-ZÄÖÜ][^\W\d_]+(?:[ -][A-ZÄÖÜ][^\W\d_]+){0,2}(?![\w-])"
_SHORT = {"bout": "about", "cause": "because", "em": "them", "til": "until"}
_BEFORE_WORD = re.compile(r"(?<=[,!?])(?=[^\W\d_])")


def _in_two(found: re.Match[str]) -> str:
    """Return `in zwei Wochen` for `übernächste Woche`, and `vor zwei Jahren` for `vorletztes`."""
    return like(f"{'in' if found['next'] else 'vor'} zwei {_MANY[found['unit']]}")(found)


def _about(found: re.Match[str]) -> str:
    return found[0] if _OF_CARE.search(found.string) else like("etwa ")(found)


def _spaced(words: re.Match[str]) -> str:
    """Return words with spaces behind their marks; several commas without any are those of code."""
    is_code = words[0].count(",") > 1 or words.string.count(" ") < 2
    return words[0] if is_code else _BEFORE_WORD.sub(" ", words[0])


_WITHOUT_SPACES = Rule(
    re.compile(r"[,!?](?<=[a-zäöüß].)(?=[^\W\d_])"),
    r"(?<![^\s(])[^\W\d_]+"
    r"(?:(?<=[a-zäöüß]{2})(?:,(?=[^\W\d_]{2})|[!?](?=[A-ZÄÖÜ][a-zäöüß]*(?![^\W\d_])))[^\W\d_]+)+"
    r"(?![^\s.,:;!?\"“”)]|[.,:;!?][^\s\"“”)])",
    _spaced,
)
"""Words without a space behind a mark, as in `Hello,how are you?I am fine.`"""

_DOT_BEFORE_CAPITAL = re.compile(r"\.(?=[A-ZÄÖÜ])(?<=\w\.)")
_SHORT_FORM = re.compile(r"['‘’](?:[0-9]0s|[Tt]is|TIS|n['’]|[Cc]ause|em\b|[Bb]out|[Tt]il\b)")
"""Hints of several rules."""

_KEYS = {
    "Bild auf": "Page Up",
    "Bild ab": "Page Down",
    "Einfg": "Insert",
    "Eingabe": "Enter",
    "Entf": "Delete",
    "Pos1": "Home",
}

GERMAN_KEYS = RuleTable(
    Rule(
        "|".join(_KEYS),
        r"(?P<before>\b[Dd]rück(?:en Sie|en|e|t)(?: die Taste)? |\bTaste |\w ?\+ ?)"
        rf"(?P<key>{'|'.join(_KEYS)})(?=[.,;:!?)+]|$| (?:und|oder|um|zum|drücken)\b)",
        lambda found: found["before"] + _KEYS[found["key"]],
    )
)
"""Keys that a model takes for other words; it copies the English names. They are read before
compounds are written whole, since the `Ein-` of `Taste Ein- und Ausgabe` is no key."""

OF_ANY_LANGUAGE = RuleTable(_WITHOUT_SPACES)
OF_LANGUAGE = {
    "de": RuleTable(
        Rule("m die ", r"\b[Uu]m die (?=[0-9]{1,3}(?:\.[0-9]{3})* [A-ZÄÖÜ])", _about),
        # signs in a number that only German has: `1.250,– Euro`, and the minute `90.+3`
        Rule(",-|,–|,—|.+", r"(?<=[0-9]),(?:[-–—]{1,2})(?!\w)|(?<=[0-9])\.(?=\+[0-9])", ""),
        Rule("gl.", r"\b[Vv]gl\.", like("siehe")),
        Rule("Mill.", r"(?<=[0-9]\s)Mill\.", "Mio."),
        Rule(".U.|. U.", r"\b(?:u\.\s?U\.|U\.\s?U\.(?=\s[a-zäöü]))", like("unter Umständen")),
        Rule("V.m.|V. m.", r"\bi\.\s?V\.\s?m\.", "in Verbindung mit"),
        _WITHOUT_SPACES,
        Rule("«", r"(?<!\w)«\s?(?P<inner>[^«»]*[^«»\s])\s?»(?!\w)", r"„\g<inner>“"),
        Rule("„ ", r"„\s(?P<inner>[^„“]*\S)\s“", r"„\g<inner>“"),
        Rule(
            _DOT_BEFORE_CAPITAL,
            r"\b(?P<number>[0-9]{1,2}\.)(?=[A-ZÄÖÜ][a-zäöüß]{2})",
            r"\g<number> ",
        ),
        Rule(
            _DOT_BEFORE_CAPITAL,
            r"\b(?P<title>Dr|Fr|Hr|Prof|St)\.(?=[A-ZÄÖÜ][a-zäöüß])",
            r"\g<title>. ",
        ),
        Rule("AGB", r"(?<![\w-])AGB(?![\w-])", "Geschäftsbedingungen"),
        Rule("1. Hilfe", r"\b1\. Hilfe\b", "Erste Hilfe"),
        Rule("bzüglich ", r"\b[Aa]bzüglich(?=\s)", like("minus")),
        Rule(
            " bis auf ",
            r"\b(?P<all>(?i:alle[mnrs]?|keiner|niemand|nichts|jeder)(?: [A-ZÄÖÜ][a-zäöüß]+)?)"
            r" bis auf (?!(?:\w+ )?letzte|weiteres)",
            r"\g<all> außer ",
        ),
    ),
    "en": RuleTable(
        Rule(
            "ress Return|ress Space|ress Tab",
            r"\b(?P<press>[Pp]ress) (?P<key>Return|Space|Tab)(?=[.,;:!?)]|$| (?:and|or|to)\b)",
            r"\g<press> the \g<key> key",
        ),
        # two sides, which a model takes for a range
        Rule(
            re.compile(" by [0-9]"),
            rf"(?<![\w.,:/-])(?P<one>(?P<a>\b[Aa]n? )?{_SIDE}(?: ?(?:cm|ft|in|m|mm))?)"
            rf" by (?P<two>{_SIDE})(?=[ -]?{_LENGTH}|(?(a) [a-z]|(?!)))",
            r"\g<one> × \g<two>",
        ),
        Rule(_SHORT_FORM, r"(?<!\w)['‘’](?=[0-9]0s\b)", ""),
        Rule(_SHORT_FORM, r"(?<!\w)['‘’](?:[Tt]is|TIS)\b", like("it is")),
        Rule(_SHORT_FORM, r"(?<=\w\s)['‘’]n['’](?=\s[a-z])", "and"),
        Rule(
            _SHORT_FORM,
            r"(?<![\w'’])['‘’](?P<short>[Cc]ause|em|[Bb]out|[Tt]il)\b(?![^'’]*['’](?!\w))",
            lambda found: like(_SHORT[found["short"].lower()])(found),
        ),
        Rule("U.", r"\bU\.K(?=\.)(?:\.(?![\"'”’)]*$))?", "UK"),
        Rule("U.", r"\bU\.S\.(?:A\.)?(?=[\"'”’)]*$)", "USA."),
        Rule("U.", r"(?<![\w.])U\.N(?=\.(?!\w))(?:\.(?![\"'”’)]*$))?", "UN"),
        Rule(
            "AD |A.D. ",
            r"\bA(?:D|\.D\.)\s([1-9][0-9]{0,3})(?![\w:/-]|[.,][0-9]|\sR[0-9])",
            r"\1 AD",
        ),
        _WITHOUT_SPACES,
        Rule(
            _DOT_BEFORE_CAPITAL,
            r"\b(?P<title>Dr|Mrs?|Ms|Prof|St)\.(?=[A-Z][a-z])",
            r"\g<title>. ",
        ),
        Rule(
            re.compile(r"\.(?<![\w.,]\.)[0-9]"),
            r"(?<![^\s($€£<>~=±+-])\.(?=[0-9])(?![0-9]{2,3}(?:-|\s(?:cal|Mag|[A-Z]"
            r"|rifle|pistol|revolver|hand|gun|ammo|round|bullet)))",
            "0.",
        ),
        Rule(
            re.compile(r"q(?<=sq)\.? ?ft"),
            r"(?<![/\w])sq\.? ?ft(?:\.(?=\s[a-z]|[,;)]))?(?!\w)",
            "square feet",
        ),
        Rule("Twice", r"^(?P<quote>[\"'“‘]?)Twice\b(?!-)", r"\g<quote>Two times"),
        Rule("ustn", r"\b(?P<must>[Mm]ust)n['’]t\b", r"\g<must> not"),
        Rule("o more than ", r"\b[Nn]o more than (?=[0-9])", like("at most ")),
        Rule("fortnight", r"\b(?:[Aa]|[Oo]ne) fortnight(?:['’]s)?\b", like("two weeks")),
        Rule(
            "fortnight",
            r"\b(?P<which>[Ee]very|per|(?:[Tt]he|[Tt]his) (?:first|last|next|past)) fortnight\b",
            r"\g<which> two weeks",
        ),
        Rule(" lbs", r"(?<=[0-9] )lbs(?:\.(?=\s[a-z]|[,;)]))?(?!\w)", "pounds"),
    ),
}
"""What a model takes for something else, whatever language is wanted: short forms, signs, missing
spaces and zeros, units."""

OF_PAIR = {
    ("de", "en"): RuleTable(
        Rule("bermorgen", r"\b[üÜ]bermorgen\b", like("the day after tomorrow")),
        Rule(
            "Uhrzeigersinn",
            r"\b(?:[Ee]ntgegen dem|[Gg]egen den) Uhrzeigersinn\b",
            like("counterclockwise"),
        ),
        Rule(
            "bernächste|orletzte",
            r"(?<!\b[Dd]ie )(?<!\b[Dd]as )(?<!\b[Dd]e[nr] )(?<!\bbis )(?<!\b[Aa]b )(?<!\bfür )"
            r"\b(?:[Ii]n der |[Ii]m )?(?:(?P<next>[üÜ]bernächste[ns]?)|[vV]orletzte[ns]?) "
            r"(?P<unit>Woche|Monat|Jahr)\b(?! (?:de[rs]|im|in|vo[mnr])\b)",
            _in_two,
        ),
        Rule("orletzte", r"\b[vV]orletzte[mnrs]?(?= \w)", like("second-to-last")),
        Rule(
            "ch heiße ",
            rf"\b[Ii]ch heiße (?={_NAME}(?:[.,;!?]|$| und ich\b))",
            like("mein Name ist "),
        ),
        Rule("ch heiße ", rf"\b(?P<I>[Ii])ch heiße (?={_NAME} und [a-z])", r"\g<I>ch bin "),
    ),
    ("en", "de"): RuleTable(
        # a model loses these zones; the German ones it copies
        Rule("CET|CEST", r"(?<=[0-9mM.]\s)C(?P<summer>ES|E)T\b", r"M\g<summer>Z"),
        Rule(
            "very other ",
            r"(?<!\b[Ll]ike )(?<!\bas )(?<!\bthan )(?<!\bfrom )\b(?P<every>[Ee]very) other"
            r"(?= (?:day|night|morning|week|weekend|month|year"
            r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b)",
            r"\g<every> second",
        ),
        Rule(
            "before last",
            rf"(?i:\bthe {_PERIOD} before last{_NOT_SUBJECT})",
            r"two \g<unit>s ago",
        ),
        Rule("after next", rf"(?i:\bthe {_PERIOD} after next{_NOT_SUBJECT})", r"in two \g<unit>s"),
        Rule(
            "he day after tom",
            r"(?<!\bby )\b[Tt]he day after tomorrow\b(?!['’])",
            like("übermorgen"),
        ),
        Rule(
            "penultimate|to last|to-last|but one",
            r"\b(?:penultimate|(?:second|next)[ -]to[ -]last|last but one)(?= [a-z])"
            r"|\blast (?P<noun>[a-z]{3,}) but one\b",
            lambda found: f"vorletzte {found['noun']}" if found["noun"] else "vorletzte",
        ),
        Rule("logged out", r"\blogged out of\b", "logged off from"),
        Rule("logged out", r"\blogged out\b", "logged off"),
        Rule(
            "signed out",
            r"\b(?P<be>been|is|are|was|were) signed out\b(?! of)",
            r"\g<be> logged off",
        ),
        Rule(
            "nsubscribe",
            r"(?:\bu|^U)nsubscribe from(?= [a-z])",
            like("cancel the subscription to"),
        ),
        Rule(
            "nsubscribe",
            r"(?:\bu|^U)nsubscribe\b(?!,? (?:from|an?|the|one|button|link|option|page)\b)"
            r"(?! [A-Z])",
            like("cancel the subscription"),
        ),
        Rule("nselect|eselect", r"\b(?:[Uu]n|[Dd]e)select\b(?! all\b)", like("uncheck")),
    ),
}
"""Phrases whose meaning a model turns round, by the language and that wanted."""

OF_HEAD = {
    ("de", "en"): RuleTable(Rule("An: ", r"^An(?=: [^\W\d_])", "To")),
    ("en", "de"): RuleTable(Rule("Sent: ", r"^Sent(?=: )", "Gesendet")),
}
"""In the head of a quoted mail, words that a model takes for others; it copies those wanted."""
