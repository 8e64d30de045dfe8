"""Abbreviations that a model does not know, or takes for another one, written in full.

`zzgl.` is `zuzüglich`, and `pp. 3–5` are `pages 3–5`. Those that a model reads well stay, and so do
those whose ending depends on the word behind them, such as `allg.`
"""

from __future__ import annotations

import re

from translator.text.characters import word_set
from translator.text.placeholders import PLACEHOLDER
from translator.text.rewriting import Rule, RuleTable, read_as

_NUMBER = rf"(?:[0-9]|{PLACEHOLDER.pattern})"

_WORDS = {
    "de": {
        "Anm.d.Red": "Anmerkung der Redaktion",
        "Aufl": "Auflage",
        "Az": "Aktenzeichen",
        "Hr": "Herr",
        "Hrn": "Herrn",
        "Jh": "Jahrhundert",
        "Jhd": "Jahrhundert",
        "Jhs": "Jahrhunderts",
        "Nrn": "Nummern",
        "abzgl": "minus",
        "abzügl": "minus",
        "ausschl": "ausschließlich",
        "bes": "besonders",
        "bspw": "beispielsweise",
        "bzgl": "bezüglich",
        "einschl": "einschließlich",
        "entspr": "entsprechend",
        "evtl": "eventuell",
        "exkl": "ohne",
        "gem": "gemäß",
        "ggf": "gegebenenfalls",
        "ggü": "gegenüber",
        "i.Allg": "im Allgemeinen",
        "i.d.R": "in der Regel",
        "inkl": "inklusive",
        "insb": "insbesondere",
        "jährl": "jährlich",
        "lfd.Nr": "laufende Nummer",
        "lt": "laut",
        "m.E": "meines Erachtens",
        "m.W": "meines Wissens",
        "mind": "mindestens",
        "mtl": "monatlich",
        "o.g": "oben genannten",
        "o.Ä": "oder Ähnliches",
        "o.ä": "oder Ähnliches",
        "p.M": "pro Monat",
        "p.P": "pro Person",
        "p.a": "pro Jahr",
        "s.o": "siehe oben",
        "s.u": "siehe unten",
        "sog": "sogenannte",
        "tgl": "täglich",
        "tägl": "täglich",
        "u.a": "unter anderem",
        "u.v.m": "und vieles mehr",
        "u": "und",
        "u.Ä": "und Ähnliches",
        "u.ä": "und Ähnliches",
        "urspr": "ursprünglich",
        "v.a": "vor allem",
        "verh": "verheiratet",
        "vorauss": "voraussichtlich",
        "wg": "wegen",
        "wöchentl": "wöchentlich",
        "z.T": "zum Teil",
        "z.Z": "zurzeit",
        "z.Zt": "zurzeit",
        "zzgl": "zuzüglich",
        "zzt": "zurzeit",
    },
    "en": {
        "Ref.no": "reference number",
        "Tel.no": "telephone number",
        "approx": "approximately",
        "avg": "average",
        "cf": "see",
        "dept": "department",
        "ea": "each",
        "excl": "without",
        "govt": "government",
        "incl": "including",
        "p.a": "per year",
        "p.p": "per person",
    },
}
"""What they stand for, by language; those of several words are written without spaces."""

_BEFORE_NUMBERS = {
    "de": {
        "Abb": "Abbildung",
        "Anm": "Anmerkung",
        "Bd": "Band",
        "Kap": "Kapitel",
        "Gl": "Gleis",
        "Jg": "Jahrgang",
        "S": "Seite",
        "Tab": "Tabelle",
        "Zi": "Zimmer",
        "geb": "geboren",
        "gest": "gestorben",
    },
    "en": {
        "Ch": "Chapter",
        "Chap": "Chapter",
        "Fig": "Figure",
        "Figs": "Figures",
        "Sec": "Section",
        "ch": "Chapter",
        "chap": "Chapter",
        "eq": "equation",
        "fig": "Figure",
        "figs": "Figures",
        "max": "maximum",
        "min": "minimum",
        "p": "Page",
        "para": "Paragraph",
        "pp": "pages",
        "sec": "Section",
    },
}
_BEHIND_NUMBERS = {
    "de": {
        "EL": "Esslöffel",
        "Mon": "Monate",
        "OG": "Stock",
        "Pers": "Personen",
        "Std": "Stunden",
        "Stk": "Stück",
        "TL": "Teelöffel",
        "Tabl": "Tabletten",
        "Wo": "Wochen",
        "ZKB": "Zimmer, Küche und Bad",
    },
    "en": {
        "ft": "feet",
        "hr": "hours",
        "hrs": "hours",
        "mph": "miles per hour",
        "mths": "months",
        "tbsp": "tablespoons of",
        "tsp": "teaspoons of",
        "wks": "weeks",
        "yrs": "years",
    },
}
_TITLES = {
    "Brig": "Brigadier",
    "Capt": "Captain",
    "Col": "Colonel",
    "Gen": "General",
    "Gov": "Governor",
    "Lt": "Lieutenant",
    "Maj": "Major",
    "Rev": "Reverend",
    "Sen": "Senator",
}

_OF_SENTENCES = {
    "de": word_set(
        "das dem den der des die du ein eine einem einen einer er es hat haben ich ihr ihre ist"
        " kann man mein sein seine sie sind so war waren werden wir wird wurde wurden"
    ),
    "en": word_set(
        "a an are at be been by can could did do does for had has have he her his i is it its must"
        " my of our please she should that the their there they this to was we were will would you"
        " your"
    ),
}
_FEWEST_WORDS = 4


def is_sentence(text: str, language: str) -> bool:
    """Return whether a text is more than a line of a list, so that it ends with a full stop.

    Args:
        text: that ends with a dot.
        language: primary code of its language. There are tables for German and English.
    """
    words = text.casefold().split()
    return len(words) >= _FEWEST_WORDS and not _OF_SENTENCES[language].isdisjoint(words)


def stop_of(sentence: str, language: str, *, is_last: bool) -> str:
    """Return the full stop that a sentence needs where a dot of an abbreviation ended it, or none.

    Args:
        sentence: that the abbreviation stands in.
        language: see `is_sentence`.
        is_last: whether the abbreviation ends the sentence.
    """
    return "." if is_last and is_sentence(sentence, language) else ""


def _pattern(short_forms: dict[str, str]) -> str:
    """Return a pattern of short forms without the last dot, of which some may begin a sentence."""
    longest_first = sorted(short_forms, key=len, reverse=True)
    return "|".join(
        (f"[{form[0].upper()}{form[0]}]" if _may_begin(form) else form[0])
        + (form[1:].replace(".", r"\.\s?") or r"(?!\.\s?\w\.)")
        for form in longest_first
    )


def _may_begin(form: str) -> bool:
    """Return whether with a capital it is no initials of a name: `I. d. R.` is none."""
    first, *others = form.split(".")
    return len(first) > 1 or any(other[0].islower() for other in others)


_IN_FULL = {
    language: re.compile(rf"(?<![\w.-])(?:{_pattern(forms)})\.(?!\w)(?P<last>[)\"”’“]*$)?")
    for language, forms in _WORDS.items()
}
_LAST_WORDS = {
    language: {
        case(last[0]) + last[1:]
        for last in (form.rpartition(".")[2] for form in forms)
        for case in (str, str.upper)
    }
    for language, forms in _WORDS.items()
}
_DOT_AND_NUMBER = re.compile(rf"\.\s?{_NUMBER}")
"""One of the last words, or this, is in every text with such a short form."""

_NUMBERED = {
    language: re.compile(rf"(?<!\d )\b({'|'.join(forms)})\.\s?(?={_NUMBER})")
    for language, forms in _BEFORE_NUMBERS.items()
}
_COUNTED = {
    "de": re.compile(
        r"(?<=[0-9½¼¾]\s)(?P<unit>EL|TL|ZKB|(?:Mon|Pers|Std|Stk|Tabl|Wo)\.(?P<last>$)?)(?!\w)|(?<=[0-9]\.\s)(?P<floor>OG)\b"
    ),
    "en": re.compile(
        r"(?<=[0-9½¼¾]\s)(?:(?P<unit>tbsp|tsp)\b\.?(?:\sof\b)?"
        r"|(?P<other>ft(?!\.?\s[0-9])|hrs?|mph|mths|wks|yrs)\b(?:\.(?=\s[a-z]|[,;)]))?)"
    ),
}
_COUNTED_HINT = re.compile(
    r"[0-9½¼¾]\.? (?:EL|TL|OG|ZKB|Mon|Pers|Std|Stk|Tabl|Wo|ft|hrs?|mph|mths|tb?sp|wks|yrs)\b"
)
_TITLE = re.compile(rf"\b({'|'.join(_TITLES)})\.(?=\s[A-Z][a-z])")
_GERMAN = RuleTable(
    Rule("geb.", r"(?:(?<=[,(]\s)|(?<=\())geb\.(?=\s[A-ZÄÖÜ])", "geborene"),
    Rule("Ä.", r"(?<=[a-zäöüß] )d\. ?Ä\.(?!\w)", "der Ältere"),
    Rule("Zi.", r"(?<=[0-9]-)Zi\.-Whg\b\.?", "Zimmer-Wohnung"),
)
_ONE = {
    "Monate": "Monat",
    "Stunden": "Stunde",
    "Tabletten": "Tablette",
    "Wochen": "Woche",
    "feet": "foot",
    "hours": "hour",
    "Personen": "Person",
    "tablespoons of": "tablespoon of",
    "teaspoons of": "teaspoon of",
}

_CODE = r"[A-Z]+[ -]?[0-9]"
_NUMERO = rf"^N[oO]\.(?=\s?{_NUMBER})|(?<=\()[Nn]o\.(?=\s?[0-9])|\bno\.(?=\s?[0-9])"
"""At the beginning of a sentence or bracket, a model takes it for an answer; it knows `No. 5`."""

_NO_ANSWER = (
    r"(?<!^)(?<!\boh )(?<!\bsays )(?<!\bsay )(?<!\bsaid )(?<!\bwell )(?<!\bis )(?<!\bwas )(?<!\W )"
)
_GOES_ON = r"(?!(?:i|it|s?he|we|they|that|this|but)\b)[a-z]"
_NUMBER_OF = (
    rf"\bno\.(?=:)|{_NO_ANSWER}\bno(?P<many>s?)\.(?=\s(?:{_GOES_ON}|{_CODE}|{PLACEHOLDER.pattern}))"
    r"|^N(?P<first>o)\.(?= of\b)"
    rf"|(?<=[a-zA-Z]\s)No\.(?=:|\s(?:[a-z]|{_CODE}|{PLACEHOLDER.pattern}))"
    r"|\b(?:(?<=[Tt]he )|(?<=[Yy]our )|(?<=hone )|(?<=ount )|(?<=omer )|(?<=ight )|(?<=oice )"
    r"|(?<=rder )|(?<=erial )|(?<=Tel\. ))[Nn]o\.(?:(?=[?!,])|(?P<last>$))"
)
_NUMMER = (
    rf"\b(?:(?P<what>[^\W\d_]+)(?P<dot>\.?)-Nr|(?P<compound>[A-ZÄÖÜ][a-zäöüß]+)nr|Nr)\."
    rf"(?P<last>$)?(?:(?<=[a-z]r\.)|(?<=-Nr\.)|(?<=^Nr\.)|(?!\s?{_NUMBER}))"
)
_OF_WHAT = {
    "Art": "Artikel",
    "Best": "Bestell",
    "Kd": "Kunden",
    "Kto": "Konto",
    "Pers": "Personal",
    "Ref": "Referenz",
    "Tel": "Telefon",
}


def in_full(text: str, language: str) -> str:
    """Return a text whose abbreviations are written in full.

    Args:
        text: a sentence, with placeholders.
        language: primary code of its language. There are tables for German and English.
    """
    forms = _WORDS.get(language)
    if not forms:
        return text
    if _COUNTED_HINT.search(text):
        text = _COUNTED[language].sub(lambda found: _counted(found, language), text)
    if "." not in text:
        return text
    before_dots = {part.rpartition(" ")[2].lstrip('([„“"') for part in text.split(".")[:-1]}
    if language == "de":
        text = read_as(text, _GERMAN)
    elif not _TITLES.keys().isdisjoint(before_dots):
        text = _TITLE.sub(lambda title: _TITLES[title[1]], text)
    if not _LAST_WORDS[language].isdisjoint(before_dots):
        text = _IN_FULL[language].sub(lambda found: _written(found, language), text)
    text = read_as(text, _NUMBERS[language])
    if _DOT_AND_NUMBER.search(text):
        words = _BEFORE_NUMBERS[language]
        text = _NUMBERED[language].sub(lambda found: f"{words[found[1]]} ", text)
    return text


def _written(found: re.Match[str], language: str) -> str:
    short = "".join(found[0].split()).rstrip(')"”’“').removesuffix(".")
    words = _WORDS[language].get(short)
    if words is None:
        words = _WORDS[language][short[0].lower() + short[1:]]
        words = words[0].upper() + words[1:]
    return words + _end(found, language)


def _end(found: re.Match[str], language: str) -> str:
    """Return what stands behind a short form, with the dot that a sentence needs at its end."""
    marks = found["last"]
    return stop_of(found.string, language, is_last=marks is not None) + (marks or "")


_ONE_BEFORE = re.compile(r"(?<![0-9.,])1\s$")


def _counted(found: re.Match[str], language: str) -> str:
    parts = found.groupdict()
    short = parts["unit"] or parts.get("other") or "OG"
    words = _BEHIND_NUMBERS[language][short.rstrip(".")]
    start = found.start()
    is_one = _ONE_BEFORE.search(found.string, max(0, start - len("1 ")), start)
    words = _ONE.get(words, words) if is_one else words
    return words + (_end(found, language) if language == "de" else "")


def _numero(found: re.Match[str]) -> str:
    if found.string[found.start() - 1 : found.start()] == "(":
        return "number"
    return "Number" if found.start() == 0 else "No."


def _number_of(found: re.Match[str]) -> str:
    """Return `number` for the `no.` of `the no. of guests`."""
    if found["first"]:
        return "Number"
    return ("numbers" if found["many"] else "number") + _end(found, "en")


def _nummer(found: re.Match[str]) -> str:
    """Return `Telefonnummer` for `Tel.-Nr.`, and `Nummer` for an `Nr.` with no number behind it."""
    what = found["what"] or found["compound"] or ""
    what = _OF_WHAT.get(what, what)
    return (f"{what}nummer" if what else "Nummer") + _end(found, "de")


_NUMBERS = {
    "de": RuleTable(Rule("r.", _NUMMER, _nummer)),
    "en": RuleTable(Rule("o.|O.", _NUMERO, _numero), Rule("o.|os.", _NUMBER_OF, _number_of)),
}
