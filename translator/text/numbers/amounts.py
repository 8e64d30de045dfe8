"""Amounts and measures that a model takes apart, written whole as the other language writes them.

A model reads the sign of a currency apart from its number. It may lose one of two signs, give one
to another number, or set one behind a `/kg`, a minus, an abbreviation or a bracket. Such an amount
is one placeholder for it: `$5/hour` comes back as `5 $/Stunde`. The amounts that a model gets
right, such as a lone `€5`, it reads itself. The same is done to `±`, and to units with a sign.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from translator.text.abbreviations import stop_of
from translator.text.characters import primary_language, word_set
from translator.text.numbers.comparison import AGREED, disagreement
from translator.text.numbers.kinds import CURRENCY_CODES, CURRENCY_SIGN
from translator.text.numbers.signs import digits_of, number_signs, parts_of_number
from translator.text.numbers.verses import verses_in
from translator.text.placeholders import PLACEHOLDER
from translator.text.rewriting import Rule, RuleTable, read_as
from translator.text.spans import arguments_in

_NUMBER = r"[0-9]+(?:[.,\u00a0\u202f][0-9]+)*"
_CURRENCY = rf"{CURRENCY_SIGN}|(?<![^\W\d_])(?:{CURRENCY_CODES})(?![^\W\d_])"
_START = (
    r"(?<![\w.,:/+$€£¥₹<>~±≈-])(?<![0-9]\s)(?P<compared>(?:[<>≤≥≈±]|~(?!~))\s?)?"
    r"(?:(?<![^\s(\[<>≤≥≈~])(?P<minus>[-−]|(?<=:\s)–|(?<![^(\[])–))?"
)
_END = (
    r"(?!\w|%|[.,:/][0-9]|[-–]\w|\s?(?i:m|mn|b|bn|tn|k|thousand|hundred|tausend|tsd|mio|mrd|mill"
    r"|bio|[mb]illion(?:en|s)?|trillions?|milliarden?)(?!\w))"
)
_PER = r"(?:\s?/\s?(?P<per>[^\W\d_]+)(?:\.(?=\s[^\W\d_A-ZÄÖÜ]|[,;)]))?(?![\w/.]\w|[\w/]))?"
_SIGN_FIRST = re.compile(
    rf"{_START}(?P<sign>{_CURRENCY})(?P<gap>[\s\u00a0]?)(?P<inner>[-−])?(?P<number>{_NUMBER})"
    rf"(?P<scale>[kKMmB]|[bt]n)?(?:(?P<dash>\s?[-–]\s?)(?P<again>(?P=sign)\s?)?(?P<last>{_NUMBER})"
    rf"(?P<last_scale>[kKMmB]|[bt]n)?)?(?P<round>,[-–—]{{1,2}})?{_END}{_PER}"
)
_SIGN_LAST = re.compile(
    rf"{_START}(?:\((?P<bracketed>{_NUMBER})\)|(?P<number>{_NUMBER}))"
    rf"(?:(?P<again>\s?(?:{_CURRENCY}))?(?P<dash>\s?[-–]\s?)(?P<last>{_NUMBER}))?"
    rf"(?P<round>,[-–—]{{1,2}})?\s?(?P<sign>{_CURRENCY})(?!\s?[0-9]){_END}{_PER}"
)
_LARGE = {"Mio.": "million", "Mrd.": "billion", "Bio.": "trillion"} | {
    "Millionen": "million",
    "Milliarden": "billion",
    "Billionen": "trillion",
}
_LARGE_NAMES = r"Mio\.|Mrd\.|Bio\.|Millionen|Milliarden|Billionen"
_PAIR = re.compile(
    rf"(?:\b(?:(?P<from>[Vv]on)|(?P<between>[Zz]wischen))\s)?(?<![\w.,:/+$€£¥₹<>~±≈-])(?<![0-9]\s)"
    rf"(?P<span>(?P<one>{_NUMBER})(?:\s(?P<one_scale>{_LARGE_NAMES}))?\s"
    rf"(?P<word>bis|(?(from)auf|(?(between)und|(?!))))\s"
    rf"(?P<two>{_NUMBER})(?:\s(?P<two_scale>{_LARGE_NAMES}))?\s?(?P<sign>{_CURRENCY}))"
    rf"(?!\w|\s?[0-9]){_PER}"
)
"""Two amounts of money with one sign: `60 bis 80 €`, `von 10 auf 12 Mrd. €`."""

_LOST_LIMITS = {
    "abzüglich": "minus",
    "bis zu": "up to",
    "ca.": "about",
    "circa": "about",
    "etwa": "about",
    "fast": "almost",
    "höchstens": "at most",
    "knapp": "just under",
    "maximal": "at most",
    "mehr als": "more than",
    "mindestens": "at least",
    "minus": "minus",
    "nahezu": "almost",
    "rund": "about",
    "ungefähr": "about",
    "unter": "under",
    "weniger als": "less than",
    "über": "over",
}
_LIMITS = _LOST_LIMITS | {"gut": "just over", "lediglich": "only", "wenigstens": "at least"}
"""Words before an amount that say how exact it is, in English. A model loses most of them."""

_QUALIFIED = re.compile(
    rf"\b(?i:{'|'.join(map(re.escape, _LOST_LIMITS))}|ab|als|annähernd|brutto|einmalig|insgesamt"
    r"|netto|um die|zirka) "
    rf"(?P<span>(?P<number>{_NUMBER})(?: (?P<scale>{_LARGE_NAMES}))?\s?(?P<sign>{_CURRENCY}))"
    r"(?!\w|\s?[0-9/])"
)
"""An amount of money behind a word that a model loses before a sign: `über 70 €`."""

_LEAST_WITHOUT_SCALE, _MOST_TIMES = 1000, 100
"""Before `Mio. €`, a number of which the first is the least is none of millions; nor is one that is
so many times the other."""

_SIGNED = rf"(?:(?<![\w)])[-−–+±])?{_NUMBER}"
_MEASURE = re.compile(
    rf"(?<![\w.,:/+±−–-]){_SIGNED}(?:(?:\s?[-–±]\s?|\s(?P<word>bis|to)\s){_SIGNED})?\s?"
    r"(?P<unit>‰|k?Nm|[kM]?VA|[kMG]b(?:/s)?|[kMG]bit/s|oz|°[CF]|[µμ][glmsAVWFHL](?:/(?:k?g|m?[lL]|[md]?m³))?)"
    r"(?![\w/²³])"
)
_COMPARED = re.compile(rf"(?<![\w.,:/±≈≤≥])(?:{_NUMBER}\s?)?[±≈≤≥]\s?{_NUMBER}(?!\w|[.,:/]\w)")
_ONE_NUMBER = re.compile(_NUMBER)
_TO = {"de": "bis", "en": "to"}
_SIGNS = (*"€$£¥₹", "EUR", "USD", "GBP", "JPY", "CHF")
_BETWEEN = (" bis ", " auf ", " und ")
_ANY_NUMBER = re.compile(rf"(?<![\w.,:/-]){_NUMBER}(?![\w:/-]|[.,][0-9])")
_SCALE_BEFORE = re.compile(r"(?i:illion(?:en|s)?|illiarden?|thousand|tausend|mio\.?|mrd\.?)\s$")
_LOOK_BACK = 12
_ZONES = {"MEZ": "CET", "MESZ": "CEST"}
_TIME_IN_ZONE = re.compile(
    r"(?<![\w.,:/-])(?P<hour>[01]?[0-9]|2[0-3])(?:[:.](?P<minute>[0-5][0-9]))?"
    r"(?:\sUhr|(?<=:[0-5][0-9]))\s(?P<zone>MES?Z)\b"
)
_NAMED_HINTS = ("ME", "ol. ", ". H", ".H")
_VOLUME = re.compile(r"\b[Vv]ol\.\s(?P<number>[0-9]+)(?![\w:/-]|[.,][0-9])")
_ATTENTION = re.compile(r"\b[zZ]\.\s?Hd?\.(?:\svon\b)?")
_HINT = re.compile(
    rf"{_CURRENCY}|[‰±≈≤≥]|[0-9]\s?(?:(?:k?Nm|[kM]?VA|[kMG]b|[kMG]bit|oz)\b|°[CF]|[µμ])|[0-9][.,:][0-9]"
)
_DIGIT = re.compile("[0-9]")
_ABBREVIATION = re.compile(r"\s(?:(?:[a-z]\.\s?){2,4}|[a-z]{2,6}\.)(?!\w)")
_FORMULA = re.compile(r"(?<![0-9])(?<![0-9]\s)\$(?:[^\W\d_]|[\\{(])[^$]*\$")
_ARTICLE = re.compile(r"\b(?i:an?|the|my|your|his|her|our|their)\s$")
_CLAUSE_END = re.compile(r"[.,;:!?)]|$|\s(?:und|oder)\b")
_EACH = re.compile(r"\seach(?=[.,;:!?)]|$|\s(?:and|or)\b)")
_JE = re.compile(r"(?<!\w)(?:je|jeweils)\s$")
_LIMIT = re.compile(rf"(?<![\w-])(?P<limit>{'|'.join(map(re.escape, _LIMITS))})\s$")
_NO_LIMIT = re.compile(r"(?:[A-ZÄÖÜ]\w+|[md]ich|euch|sich|uns)\s$")
"""What stands before an `über` that is none: `eine Rechnung über 80 €`, `sich über 50 € freuen`."""
_HARD = ("bracketed", "dash", "minus", "inner", "per", "compared", "scale", "last_scale")
_SCALES = {"M": "Mio.", "m": "Mio.", "B": "Mrd.", "bn": "Mrd.", "tn": "Bio."}

_GERMAN_PARTS = {
    "hour": "Stunde",
    "day": "Tag",
    "night": "Nacht",
    "week": "Woche",
    "month": "Monat",
    "year": "Jahr",
    "person": "Person",
    "piece": "Stück",
    "minute": "Minute",
}
_PARTS_OF = {
    "de": _GERMAN_PARTS | {"hr": "Stunde"},
    "en": {german: english for english, german in _GERMAN_PARTS.items()} | {"Std": "hour"},
}
"""By the language wanted, of what a price is. Other words are left to the model."""

_UNITS = word_set(
    "kg g mg t l L ml m km cm mm m² m³ km² cm² ft² ha kWh MWh Wh W h min s MB GB TB lb oz"
)
"""Of what a price is in both languages."""


_DIMENSION = r"(?:tall|long|wide|high|deep|thick|across|in diameter)\b"
_FEET_AND_INCHES = re.compile(
    r"(?<![\w.,])(?P<feet>[0-9]{1,3}) ?ft\.? (?P<inches>[0-9]{1,2}(?:\.[0-9]+)?) in"
    rf"(?:\.(?= [a-z])|(?=[.,;:!?)]|$| (?:{_DIMENSION}|and\b|by\b|x\b)))"
)
_INCHES = re.compile(rf"(?<![\w.,/])(?P<inches>[0-9]+(?:[./][0-9]+)?) in(?= {_DIMENSION})")
_INCH_MARK = re.compile(r"(?<![\w.,/'’′])(?P<inches>[0-9]+(?:[./][0-9]+)?)(?:\"|″)(?!\w)")
_FEET_MARK = re.compile(
    rf"(?<![\w.,/'’′])[0-9]{{1,3}}['’′](?= (?:{_DIMENSION}|x [0-9]))"
    r"|(?<=['’′] x )[0-9]{1,3}['’′](?!\w)"
)
_NOUN = re.compile(rf"\s(?!{_DIMENSION}|(?:and|or|by|to|in|on|at|from|is|are|was|x)\b)[^\W\d_]")


def money_as_read(text: str) -> str:
    """Return an English text with `20 pence` for 20p, and `$500 per month` for `$500 p.m.`.

    A model takes both for times of day.
    """
    return read_as(text, _MONEY)


def _pence(found: re.Match[str]) -> str:
    return f"{found['number']} {'penny' if found['number'] == '1' else 'pence'}"


def _stop(found: re.Match[str]) -> str:
    return stop_of(found.string, "en", is_last=found["last"] is not None)


_MONEY = RuleTable(
    Rule(
        re.compile(r"[0-9]p\b"),
        r"(?<![\w.,:/£$€-])(?P<number>[1-9][0-9]?)p\b(?!\.\s?m\b|[./-]\w)",
        _pence,
    ),
    Rule(
        "p.m.|p. m.",
        rf"(?P<amount>[£$€]\s?{_NUMBER}(?:\s?[mk]\b)?|{PLACEHOLDER.pattern}) p\.\s?m\.(?P<last>$)?",
        lambda found: f"{found['amount']} per month{_stop(found)}",
    ),
    Rule(
        " min.",
        rf"(?P<amount>[£$€]\s?{_NUMBER}) min\.(?P<last>$)?",
        lambda found: f"at least {found['amount']}{_stop(found)}",
    ),
)


def with_inches(text: str) -> str:
    """Return an English text with lengths in words: `6 ft 2 in` may be read as a preposition.

    The mark of feet, as in `10' high`, is lost otherwise.

    An inch mark, as in `a 65" TV`, is no quote if all such marks of the text stand behind digits.
    """
    if not _DIGIT.search(text):
        return text  # as mostly
    if " in" in text:
        text = _FEET_AND_INCHES.sub(r"\g<feet> feet \g<inches> inches", text)
        text = _INCHES.sub(r"\g<inches> inches", text)
    if any(mark in text for mark in "'’′"):
        text = _FEET_MARK.sub(lambda mark: f"{mark[0][:-1]} feet", text)
    marks = list(_INCH_MARK.finditer(text))
    if not marks or text.count('"') != sum(mark[0].endswith('"') for mark in marks):
        return text
    return _INCH_MARK.sub(
        lambda mark: mark["inches"] + ("-inch" if _NOUN.match(text, mark.end()) else " inches"),
        text,
    )


class Amount(NamedTuple):
    """A part of a sentence that a model is not to read.

    Attributes:
        start: where it begins.
        end: where it ends.
        written: what stands for it in the translation.
    """

    start: int
    end: int
    written: str


def amounts_in(text: str, languages: tuple[str, str]) -> list[Amount]:
    """Return the amounts and measures of a sentence that a model may get wrong, in order.

    What is not surely written as the sentence's language writes it is left out. So is what the
    check of numbers, which reads amounts in its own way, would find wrong.

    Args:
        text: a sentence.
        languages: codes of the sentence's and of the translation's. There are rules for German and
            English.
    """
    pair = primary_language(languages[0]), primary_language(languages[1])
    has_named = any(hint in text for hint in _NAMED_HINTS)
    may_have = has_named or (_DIGIT.search(text) and _HINT.search(text))
    if {*pair} != {"de", "en"} or not may_have:
        return []
    verses = [Amount(*verse) for verse in verses_in(text, pair[1])]
    whole, found = [*verses, *_german_money(text, languages)], list[Amount]()
    others = (*_measures(text, pair), *_signs_told_apart(text), *_named(text, pair[1]))
    taken = {place for one in whole for place in range(one.start, one.end)}
    for amount in (*_money(text, pair), *others):
        places = range(amount.start, amount.end)
        if amount.written and taken.isdisjoint(places):
            found.append(amount)
            taken.update(places)
    agreed = [
        amount
        for amount in found
        if disagreement(text[amount.start : amount.end], amount.written, languages) == AGREED
    ]
    return sorted([*agreed, *whole])


def _german_money(text: str, languages: tuple[str, str]) -> list[Amount]:
    """Return the German amounts that a model takes apart even if they are alone in a sentence."""
    if primary_language(languages[0]) != "de" or not any(sign in text for sign in _SIGNS):
        return []
    found = list(_money_in_pairs(text, languages))
    for money in _QUALIFIED.finditer(text):
        number = _rewritten(money["number"], ("de", "en"))
        written = _with_sign(number or "", money["scale"], money["sign"])
        if number and disagreement(money["span"], written, languages) == AGREED:
            found.append(_with_limit(Amount(*money.span("span"), written), text, "en"))
    return found


def _with_sign(number: str, scale: str | None, sign: str) -> str:
    """Return an amount in English: `€3 million`."""
    gap = " " if sign.isalpha() else ""
    return f"{sign}{gap}{number}" + (f" {_LARGE[scale]}" if scale else "")


def _money_in_pairs(text: str, languages: tuple[str, str]) -> Iterator[Amount]:
    """Yield German amounts that share a sign, with one each: `€60 to €80` for `60 bis 80 €`.

    Behind `von` or `zwischen` they are two, and the model reads the words around them.
    """
    for found in _PAIR.finditer(text) if any(word in text for word in _BETWEEN) else ():
        one, two = _each_with_sign(found)
        end = found.end("span")
        if found["per"] and (per := _per(found, "en")):
            two, end = two + per, found.end()
        start, written = found.start("span"), f"{one} {'and' if found['between'] else 'to'} {two}"
        if not one or disagreement(text[start:end], written, languages) != AGREED:
            continue
        if not (found["from"] or found["between"]):
            yield Amount(start, end, written)
            continue
        behind_one = found.end("one_scale" if found["one_scale"] else "one")
        if _ONE_NUMBER.findall(text).count(found["one"]) == 1:  # what is written is found by it
            yield Amount(start, behind_one, one)
            yield Amount(found.start("two"), end, two)


def _each_with_sign(found: re.Match[str]) -> tuple[str, str]:
    """Return two amounts in English, each with the sign and the factor; empty if one is unsure."""
    one, two = (_rewritten(found[name], ("de", "en")) for name in ("one", "two"))
    if not (one and two):
        return "", ""
    one_scale, two_scale = found["one_scale"], found["two_scale"]
    if two_scale and not one_scale:
        values = [float(number.replace(",", "")) for number in (one, two)]
        if values[0] >= _LEAST_WITHOUT_SCALE or values[0] > _MOST_TIMES * values[1]:
            return "", ""
        one_scale = two_scale
    if one_scale and not two_scale:
        return "", ""
    return _with_sign(one, one_scale, found["sign"]), _with_sign(two, two_scale, found["sign"])


def _money(text: str, pair: tuple[str, str]) -> list[Amount]:
    """Return the amounts of money in a sentence that a model may get wrong.

    That is a range, or one with a sign besides its currency, an abbreviation behind it or an
    article before it. It is every one if the sentence has other numbers, or one of them is not
    written as its language usually writes it.
    """
    found, hard = list[Amount](), list[Amount]()
    taken, is_usual = set[int](), True
    for pattern in (_SIGN_FIRST, _SIGN_LAST):
        for money in pattern.finditer(text):
            if not taken.isdisjoint(range(*money.span())):
                continue
            written = _written(money, pair)
            if written is None:
                continue
            amount = Amount(money.start(), _end(money, pair), written)
            found.append(_with_limit(_with_each(amount, text, pair[1]), text, pair[1]))
            taken.update(range(found[-1].start, found[-1].end))
            named = money.groupdict()
            before = text[max(0, amount.start - _LOOK_BACK) : amount.start]
            is_hard = found[-1] != amount or any(named.get(mark) for mark in _HARD)
            if is_hard or _ABBREVIATION.match(text, amount.end) or _ARTICLE.search(before):
                hard.append(found[-1])
            is_usual &= _is_usual(money, pair[0])
    found.sort()
    rest = text
    for one in reversed(found):
        rest = rest[: one.start] + rest[one.end :]
    is_alone = len(found) < 2 and not _DIGIT.search(rest)
    return hard if is_usual and is_alone else found


def _with_each(amount: Amount, text: str, target: str) -> Amount:
    """Return an amount with the word that says that it is for each: `je 5 €` is `€5 each`."""
    if target == "de":
        each = _EACH.match(text, amount.end)
        return Amount(amount.start, each.end(), f"je {amount.written}") if each else amount
    each = _JE.search(text, max(0, amount.start - _LOOK_BACK), amount.start)
    if each is None or not _CLAUSE_END.match(text, amount.end):
        return amount
    return Amount(each.start(), amount.end, f"{amount.written} each")


def _with_limit(amount: Amount, text: str, target: str) -> Amount:
    """Return a German amount with the word before it that says how exact it is: `unter 60 €`.

    A model that moves the sign to the front of the number loses the word there.
    """
    limit = _LIMIT.search(text, max(0, amount.start - _LOOK_BACK), amount.start)
    if target != "en" or limit is None:
        return amount
    if limit["limit"] == "über" and _NO_LIMIT.search(text, 0, limit.start()):
        return amount
    return Amount(limit.start(), amount.end, f"{_LIMITS[limit['limit']]} {amount.written}")


def _is_usual(money: re.Match[str], language: str) -> bool:
    """Return whether the currency stands where its language mostly has it: `€5`, `5 €`, `5 EUR`."""
    is_first, is_code = money.re is _SIGN_FIRST, money["sign"].isalpha()
    if language == "de" or is_code:
        return not is_first
    return is_first and not money["gap"]


def _written(money: re.Match[str], pair: tuple[str, str]) -> str | None:
    """Return an amount as the language wanted writes it; None if it may be something else."""
    named = money.groupdict()
    if money["sign"] == "$" and (_FORMULA.search(money.string) or arguments_in(money.string)):
        return None
    if money["again"] and money["again"].strip() != money["sign"]:
        return None
    if _SCALE_BEFORE.search(money.string, max(0, money.start() - _LOOK_BACK), money.start()):
        return None  # the sign belongs to what stands before it
    numbers = [named.get("bracketed") or money["number"], money["last"]]
    written = [_rewritten(number, pair) or "" for number in numbers if number]
    quantity = _with_scale(written, money, pair[1]) if all(written) else ""
    if not quantity:
        return None
    sign, minus = money["sign"], money["minus"] or named.get("inner") or ""
    gap = " " if sign.isalpha() else ""
    amount = f"{quantity} {sign}" if pair[1] == "de" else f"{sign}{gap}{quantity}"
    amount = f"({amount})" if named.get("bracketed") else minus + amount
    return (money["compared"] or "") + amount + _per(money, pair[1])


def _with_scale(numbers: Sequence[str], money: re.Match[str], target: str) -> str:
    """Return the numbers of an amount with what multiplies them: `300.000` for `300k`.

    Empty if the two numbers of a range are not multiplied alike, or a fraction is.
    """
    one, last = (money.groupdict().get(name) for name in ("scale", "last_scale"))
    scale, dash = last or one or "", money["dash"] or ""
    if len(numbers) > 1 and (last or one) and (last is None or one not in (None, last)):
        return ""
    if target != "de" or not scale:
        return dash.join(numbers) + scale
    if scale not in "kK":
        return f"{dash.join(numbers)} {_SCALES[scale]}"
    is_whole = not any("," in number for number in numbers)
    return dash.join(f"{number}.000" for number in numbers) if is_whole else ""


def _per(money: re.Match[str], target: str) -> str:
    """Return what stands behind an amount, such as `/Stunde`; empty if the model is to read it."""
    unit = money["per"] or ""
    unit = unit if unit in _UNITS else _PARTS_OF[target].get(unit, "")
    return f"/{unit}" if unit else ""


def _end(money: re.Match[str], pair: tuple[str, str]) -> int:
    """Return where an amount ends: with its unit only if that is known."""
    if money["per"] and not _per(money, pair[1]):
        return money.end() - len(money[0]) + len(money[0].partition("/")[0].rstrip())
    return money.end()


def _measures(text: str, pair: tuple[str, str]) -> Iterator[Amount]:
    """Yield measures whose unit or sign a model misplaces, or writes in small letters: `25 Nm`."""
    for measure in _MEASURE.finditer(text):
        if pair[0] == "en" and measure["unit"][0] in "°µμ":
            continue  # the model gets these right
        written = _with_numbers_of(measure[0], pair)
        if measure["unit"] == "‰":
            written = written[:-1].rstrip() + (" ‰" if pair[1] == "de" else "‰")
        if measure["word"]:
            written = written.replace(measure["word"], _TO[pair[1]])
        yield Amount(*measure.span(), written)
    for compared in _COMPARED.finditer(text) if not text.isascii() else ():
        yield Amount(*compared.span(), _with_numbers_of(compared[0], pair))


def _with_numbers_of(text: str, pair: tuple[str, str]) -> str:
    """Return a text with its numbers as the language wanted writes them; empty if one is unsure."""
    written = [_rewritten(number, pair) or "" for number in _ONE_NUMBER.findall(text)]
    return _ONE_NUMBER.sub(lambda _: written.pop(0), text) if all(written) else ""


def _named(text: str, target: str) -> Iterator[Amount]:
    """Yield times with the Central European zone, volumes, and `z. Hd.`, which a model misreads."""
    if target == "de":
        for volume in _VOLUME.finditer(text):
            yield Amount(*volume.span(), f"Bd. {volume['number']}")
        return
    yield from (Amount(*found.span(), "Attn:") for found in _ATTENTION.finditer(text))
    for time in _TIME_IN_ZONE.finditer(text):
        shown = f"{int(time['hour'])}:{time['minute'] or '00'}"
        yield Amount(*time.span(), f"{shown} {_ZONES[time['zone']]}")


def _signs_told_apart(text: str) -> Iterator[Amount]:
    """Yield numbers that differ only in their signs, as in `3,5 instead of 3.5`: they stay."""
    by_digits = defaultdict[str, list[re.Match[str]]](list)
    for number in _ANY_NUMBER.finditer(text):
        by_digits[digits_of(number[0])].append(number)
    for numbers in by_digits.values():
        signs = {re.sub("[0-9]", "", number[0]) for number in numbers}
        if {".", ","} <= signs:
            yield from (Amount(*number.span(), number[0]) for number in numbers)


def _rewritten(number: str, pair: tuple[str, str]) -> str | None:
    """Return a number with the signs of the language wanted; None if it is not surely one."""
    theirs, ours = map(number_signs, pair)
    parts = parts_of_number(number, theirs) if theirs else None
    if parts is None or ours is None:
        return None
    groups, fraction = parts
    if len(groups) == 1 and len(fraction) == len("000"):
        return None  # thousands, if another language has written it
    return ours.thousands.join(groups) + (ours.decimal + fraction if fraction else "")
