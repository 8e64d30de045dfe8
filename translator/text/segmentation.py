r"""The step `segment`: sentences and the separators between them, rejoined byte for byte.

Only offsets into the text are computed here; sentences and separators are then slices of it, so
nothing can be lost or changed. Three steps find the offsets:

1. what comes back as it is and may have layout in it, such as `{{ name | upper }}`, is found first;
   then line breaks (but not those that only wrap prose: see `wrapping.py`), tabs, both also written
   as `\n` and `\t`, runs of two or more white-space characters, bars that stand alone (as between
   the cells of a table), fenced blocks of code, paragraphs that are formulas, statements of
   templates (`{% else %}`), and marks that begin a block (`:::tip`) are layout and end a field;
2. sentencex finds the sentence ends in a field; some are added (`_FURTHER_ENDS`), some are taken
   back (`_is_false_end`);
3. white space, marks of lists, emoji, arrows and what cannot be seen at the edges of a sentence go
   to the separators, and so do sentences without a letter, and names that sign a letter. A number
   that stands alone is a sentence if another language may write it with other signs.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sentencex

from translator.text.characters import (
    EMOJI,
    SPACES,
    blank_unseen,
    has_emoji,
    has_letters,
    has_spaces,
    primary_language,
    trim,
)
from translator.text.lone_numbers import UNITS, stands_alone
from translator.text.span_kinds import CODE_IN_A_LINE, STATEMENT
from translator.text.spans import Span, span_at, spans_with_layout
from translator.text.wrapping import BREAK, lines_that_stay, soft_breaks

_MAX_FIELD = 2_000  # characters given to sentencex at once: unclosed quotes cost it quadratic time
_LOOK_BACK = 64  # characters before a sentence end that can tell whether it is a false one

_FENCED_CODE = (
    r"(?:(?m:^)|\s*\n)(?m:[ \t>]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(?P<fence>`{3,})[^`\n]*\n"
    r"(?s:.*?)(?:^[ \t>]*(?P=fence)`*[ \t\r]*$|\Z))|```[^`\n]+```"
)
_CONTAINER = (
    r"(?m:"
    r":{3,}[ \t]*(?:[\w-]+\[|\{[^{}\n]*\}[ \t]*)(?P<title>[^\n\[\]]*)\]?(?:\{[^{}\n]*\})?"
    r"[ \t\r]*(?:\n[ \t>]*:[\w-]+:[^\n]*)*$"
    r"|:{3,}[ \t]*(?:[\w-]+|\{[^{}\n]*\})(?:\{[^{}\n]*\})?(?:[ \t]+|\r?$)"
    r"|(?:!!!|\?\?\?\+?)[ \t]+[\w-]+(?:[ \t]+|\r?$)|\[![A-Z]+\][+-]?(?:[ \t]+|\r?$))"
)
"""The first line of a block of Docusaurus, VitePress, MyST, Pandoc, MkDocs or GitHub; in some the
title is behind it, and translated."""

_FORMULA = r"(?m:\$\$[^$]{1,2000}\$\$[ \t\r]*$)"
_BREAK = (  # written in letters, at an end of a line that is no word: not in paths
    r"(?<=[^\s\"'`(\[{<=/\\:])(?:\\[nrt])+(?![a-z\"'`)\]}])"
    r"|(?:(?<!\S)|(?<=[.!?,;]))(?:\\[nrt])+(?=[^\W\d_])(?![a-z]{1,20}\*?[\[{])"
    r"(?!(?<=n)(?:ew(?:line|page)|oindent)|(?<=t)ableofcontents)"
)
_CHOICE = "☐☑☒□■◻◼❏❑❒\u2b1c\u2b1b○◯●◉"
"""Boxes and circles before what a form offers."""

_GAP = rf"(?<!\S)[|{_CHOICE}](?!\S)|\s{{2,}}|[\t\n\r\v\f\x1c-\x1f\x85\u2028\u2029]"
_BLOCK = rf"{_FENCED_CODE}|(?:(?m:^)|\s*\n)[ \t>]*(?:{_CONTAINER}|{_FORMULA})"
_LAYOUT = re.compile(f"{_BLOCK}|{STATEMENT}|{_BREAK}|{_GAP}")
_LAYOUT_OR_CODE = re.compile(f"{_BLOCK}|(?P<code>{CODE_IN_A_LINE})|{STATEMENT}|{_BREAK}|{_GAP}")
_LAYOUT_SIGN = re.compile(
    rf"[\t-\r\x1c-\x1f\x85\u2028\u2029{SPACES}`|{_CHOICE}\\$:!?\[{{<]"
    r"(?:(?<![$:!?\[{<])|(?<=\$)\$|(?<=:)::|(?<=!)!!|(?<=\?)\?\?|(?<=\[)!|(?<=\{)[{%#a-z/]|(?<=<)[%?#/])"
)
"""What is found in any text with layout or inline code, if it has no two spaces in a row."""

_GAP_SIGN = re.compile(r"\s{2,}|[\t\n\r\v\f\x1c-\x1f\x85\u2028\u2029]")

_TAG = re.compile(r"</?(?P<name>[^<>=/]+)/?>")
_TAGS = re.compile(rf"(?:{_TAG.pattern})+".replace("(?P<name>", "(?:"))

# Short codes of WordPress that enclose or divide paragraphs.
_BLOCK_CODE = (
    r"\[/?[a-z]{1,20}_[\w-]*(?:\s[^\[\]]{0,500})?\]|\[[a-z][\w-]*\s+[\w-]+=[\"'“”″][^\[\]]{0,500}\]"
)
_MOST_CODES = 100  # at the end of a sentence, so that no text takes long
_CODES_BEFORE = re.compile(rf"(?:(?:{_BLOCK_CODE})\s*)+")
_CODE_BEHIND = re.compile(rf"(?:{_BLOCK_CODE}|\[/(?P<name>[A-Za-z][\w-]*)\])\Z")
_CITATIONS_BEHIND = re.compile(r"(?:(?<=[.!?…])|(?<=[.!?…][\"'“”’»]))(?:\[[0-9]{1,3}\]){1,20}\Z")
"""Behind a sentence, as in `It is so.[1][2]`: a model moves them before the full stop."""
_LONGEST_CITATIONS = 100

# What hardly ever ends a sentence although the library takes it for an end, by language: some
# abbreviations, and in German ordinal numbers (`im 19. Jahrhundert`).
_DAY = re.compile(r"(?<!\d)\d{1,2}\.\s$")  # `4. OKTOBER`
_LAST_DAY = re.compile(r"\b(?i:am|bis|de[mnr]|vom|zum)\s\d{1,2}\.\s$")
_NEXT_BEHIND_DAY = re.compile(
    r"(?:Bitte|Dann|Danach|Das|Dem|Den|Der|Die|Dies|Diese[mnrs]?|Ein|Eine|Er|Es|Ich|Man|Sie|Wenn|Wir)\b"
    r"(?!-)"
)
"""Begins a sentence behind the number of a day: `Die Frist endet am 15. Der Antrag …`."""

_SHORT_MONTH = re.compile(
    r"JAN|FEB|MÄR|APR|MAI|JUN|JUL|AUG|SEP|OKT|NOV|DEZ"
    r"|(?:Jan|Feb|Mrz|Apr|Jun|Jul|Aug|Sept?|Okt|Nov|Dez)\b"
)
_GOES_ON = {
    "de": re.compile(
        r"(?<![\w-])(?:Abb|Abs|Art|Az|Bd|Buchst|Dipl\.-Ing|Dr|Fa|Fr|Hr|Hrn|Hrsg|Inkl|Prof|Tel|Tsd|Zzgl|abzgl|allg"
        r"|amerik|angebl|ausschl|bes|bspw|bzgl|dt|einschl|engl|entspr|evtl|exkl|franz|geb|gem|ggf"
        r"|ggü|inkl|insb|jährl|lit|[Ll]t|max|mind|resp|sog|spez|staatl|stellv|urspr|vorauss|wg|Rn|Rz|Ziff|zzgl|zzt"
        r"|i\.\s?d\.\s?R|u\.\s?a|v\.\s?a|z\.\s?T|z\.\s?Zt?|z\.\s?Hd"
        r"|(?i:[ai]m|beim|vom|zu[mr]|[ai]ns|d(?:er|ie|as|en|em|es)"
        r"|(?:[dms]?ein|ihr|unser|jed|dies)(?:e[mnrs]?)?|\d{1,3}\.\s(?:und|oder|bis))\s\d{1,3}"
        r"|\d\s(?:Mill|Mio|Mrd)"
        r"|^\d{1,3}"  # an ordinal, since no mark of a list
        r")\.\s*$"
    ),
    "en": re.compile(
        r"(?<![\w-])(?:Ch|Dr|Eqs?|Figs|Mrs?|Ms|Prof|Secs?|[Tt]el|Vols?|approx|avg|cf|ch|chap|eqs?|excl|figs"
        r"|incl|max|paras?|pp|resp|secs?|vols?)\.\s*$"
    ),
}

# Ends that the library does not know, each behind what is matched. Khmer has marks of its own. Thai
# has none: a sentence ends at a space behind a polite particle, or when it has become long.
_FURTHER_ENDS = {
    "km": re.compile(r"[^។៕]{1,2000}[។៕]{1,9}[”»)\s]*"),
    "th": re.compile(
        r".{0,120}?(?:ครับ|ค่ะ|คะ|จ้ะ)\s+(?=[ก-๎])|.{120,2000}?(?<=[ก-๎])\s+(?=[ก-๎])", re.DOTALL
    ),
}

# Ends behind a dot that the library takes for one of an abbreviation, or of an ordinal number, by
# language: what stands behind it, and before it.
_AFTER_DOTS = {
    "de": (
        (
            re.compile(
                r"\.\s(?=(?:Bitte|Dann|Danach|Das|Der|Die|Ein|Eine|Er|Es|Ich|Man|Sie|Wir)\b(?!-))"
            ),
            re.compile(
                r"(?<![\w-])(?:Sek|Min|Std|Mon|Wo|Mill|Mio|Mrd|Tsd|Pers|Stk|Mo|Di|Mi|Do|Sa|So|Jan|Feb"
                r"|Aug|Sept|Okt|Nov|Dez|[vn]\.\s?Chr|Jh|Jhd|MwSt|usw|etc)$"
            ),
        ),
        (
            re.compile(r"\.\s(?=[0-9]{1,5}(?:[.,][0-9]{2,3})?\s?(?:€|EUR\b|Euro\b))"),
            re.compile(
                r"[^\W\d_][a-zäöüß]{2}(?:[aeiou]|e[lmnrst]|[ai]ch|ig|ung|and|haft|los|bar)$"
            ),
        ),
    ),
    "en": (
        (
            re.compile(
                r"\.\s(?=(?:(?:[#@]\w\S{0,60}|https?://\S{1,200}|[xX]{1,5}|[:;]-?[()DP])\s?){1,9}$)"
            ),
            re.compile(r"[0-9]\s?[ap]\.m$"),
        ),
    ),
}
"""`Es dauert 5 Min. Dann wenden.`, `Siehe Foto. 20 € VB`, `at 7 p.m. #weekend`."""

_BEFORE_DOT = 12  # characters

_NUMERO = re.compile(r"\b(?:[Nn]os?|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.\s*$")
"""Before digits, it ends no sentence: `No. 5`, `Nov. 5`."""

_HALF_DAY = re.compile(r"\d\s?[ap]\.\s?m\.\s*$")
_TIME_ZONE = re.compile(r"(?:UTC|GMT|BST|IST|[CEMPW]E?[SD]?T)\b")
"""Behind `4 p.m.`, its sentence goes on."""

_OPENERS = (
    "Ab|Aber|Alles|Also|Auf|Bald|Bin|Bis|Bitte|Danke|Dann|Das|Dein|Deine|Denk|Der|Die|Diese|Dieser|Doch|Du|Ein"
    "|Eine|Endlich|Er|Es|Gute|Guten|Gerade|Ganz|Hab|Habe|Habt|Hat|Heute|Hier|Ich|Ihr|Immer|Ist|Jetzt|Kann"
    "|Kein|Keine|Komm|Kommt|Man|Mein|Meine|Mit|Morgen|Nach|Nicht|Noch|Nur|Ohne|Schon|Sehr|Sie|So|Und"
    "|Unser|Unsere|Viel|Viele|Vielen|Von|Wann|War|Warum|Was|Wenn|Wer|Wie|Wir|Wird|Wo|Zu|Zum|Zur"
    "|All|Always|And|Any|Are|At|But|By|Can|Check|Come|Congrats|Did|Do|Don|Enjoy|Every|Feeling|Finally|For|From"
    "|Get|Go|Good|Got|Great|Happy|Have|He|Here|Hope|How|I|If|In|Is|It|Just|Keep|Let|Look|Love"
    "|Make|Maybe|Miss|My|Need|Never|No|Not|Now|On|Only|Our|Please|See|She|Sorry|Still|Such|Thank|Thanks"
    "|That|The|Then|There|These|They|This|Those|Time|To|Today|Tomorrow|Very|Was|We|What|When|Where"
    "|Who|Why|Will|With|You|Your"
)
_EMOJI_END = re.compile(
    rf"(?<=[^\W\d_])[.!?…]*\s?{EMOJI.pattern}(?:\s+{EMOJI.pattern})*\s+(?=(?:{_OPENERS})\b)"
)
"""Emoji at the end of a sentence, before a word that hardly stands in the middle with a capital."""

_LISTED = re.compile(r"(?<!\S)\(?(?P<mark>[A-Ha-h]|[1-9])\)\s(?=\S)")
_BEFORE_LISTED = re.compile(r"(?:^|[.:?!]\s*)$")
_GOES_ON_TO_LISTED = re.compile(r"(?:[,;]|\b(?:and|or|und|oder))\s*$")

_TWO_SPACES = "  "
_AROUND = 100
"""Characters before and behind two spaces that tell whether they stand inside a sentence."""
_GOES_ON_BEFORE = re.compile(r"[^\W\d_A-ZÄÖÜ]+[,)\"”]?$")
_GOES_ON_AFTER = re.compile(r"[(\"„“]?[^\W\d_A-ZÄÖÜ]")
_SMALL_WORD = re.compile(
    r"(?i:\b(?:a|an|and|at|by|for|from|in|of|on|or|our|the|their|this|to|with|your"
    r"|auf|aus|bei|das|de[mnrs]|die|diese[mnrs]?|eine?[mnrs]?|für|[ai]m|mit|nach|oder|und|vo[mn]"
    r"|zu[mr]?))$"
)
_GAPS = re.compile(r"\s{2,}|\t|\s\|\s")
_COLUMNS = re.compile(r"\S[ \t]{2,}\S|\t")
_LEAST_WORDS = 3
"""Of a line, for each part between two spaces: rows of a table have fewer."""

_OF_SPREAD, _OF_COLUMNS = re.compile(r"\S  [^\W\d_A-ZÄÖÜ]"), re.compile(r"  [-/<\[{|]")
_ENDS_SENTENCE = re.compile(r"[.!?…][\"'“”’)]?$")
_LEAST_SPREAD = 2
"""Gaps of a sentence that has two spaces between most of its words."""

_QUOTED_ON = re.compile(r"と(?!ころ|ても|にかく|きどき|もあれ|りあえず)|って|、|など")
"""What follows a Japanese quotation that is only part of its sentence."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Segments:
    """A text taken apart: `separators[0] + sentences[0] + separators[1] + ... + separators[n]`.

    Attributes:
        sentences: what to translate; each has a letter, or is a number whose signs another language
            may write otherwise. None has white space at either end.
        separators: what passes through untouched; one more than `sentences`, may be empty strings.
    """

    sentences: tuple[str, ...]
    separators: tuple[str, ...]

    def join(self, translations: Sequence[str]) -> str:
        """Put `translations` in the places of the sentences.

        Returns:
            the text with every separator as it was.

        Raises:
            ValueError: if there are not as many translations as sentences.
        """
        if len(translations) != len(self.sentences):
            raise ValueError(
                f"expected one translation per sentence: {len(self.sentences)} sentences, "
                f"got {len(translations)} translations"
            )
        pairs = zip(self.separators, translations, strict=False)
        return "".join(itertools.chain.from_iterable(pairs)) + self.separators[-1]

    def space_behind(self, number: int, target: str) -> str:
        """Return what the translation of a sentence needs behind it.

        That is a space if nothing separates the sentence from the next one, as in Chinese, and the
        language of the translation has spaces.
        """
        touches = number + 1 < len(self.sentences) and not self.separators[number + 1]
        return " " if touches and has_spaces(target) else ""

    def stop_behind(self, number: int, translation: str) -> str:
        """Return the full stop that the translation of a sentence has lost, or none.

        Another sentence follows in its line, so that both would run together. Mostly an
        abbreviation ended the sentence, as in `Frei ab 1.9. Keine Haustiere.`
        """
        is_followed = number + 1 < len(self.sentences) and self.separators[number + 1].isspace()
        if not is_followed or not self.sentences[number].endswith("."):
            return ""
        is_open = translation[-1:].isalnum() or translation.endswith(("%", "€", ")"))
        return "." if is_open and not _GAP_SIGN.search(self.separators[number + 1]) else ""

    def spans_within(self, known: Sequence[Span]) -> list[list[Span]]:
        """Return for each sentence those spans of the text that lie in it, from its own start."""
        found, start = [], 0
        for separator, sentence in zip(self.separators, self.sentences, strict=False):
            start += len(separator)
            own = known[bisect_left(known, (start,)) : bisect_left(known, (start + len(sentence),))]
            found.append([(first - start, last - start) for first, last in own])
            start += len(sentence)
        return found


def split(
    text: str,
    language: str,
    keeps_code: bool = False,
    known: Sequence[Span] = (),
    is_markdown: bool = False,
) -> Segments:
    """Split `text` into sentences and the separators between them.

    Args:
        text: any text.
        language: code of its language, such as `de`; an unknown one is split by general rules.
        keeps_code: whether inline code may stay in one piece with its sentence, since it will come
            back as it is.
        known: spans that will come back as they are, such as tags: in order, without overlaps. No
            sentence starts or ends inside one.
        is_markdown: see `MarkedText`.

    Returns:
        the segments; `segments.join(segments.sentences)` is `text` exactly.
    """
    sentences, separators, previous = [], [], 0
    known = spans_with_layout(text, known)
    for start, end in _sentence_places(text, language, keeps_code, known, is_markdown):
        separators.append(text[previous:start])
        sentences.append(text[start:end])
        previous = end
    return Segments(sentences=tuple(sentences), separators=(*separators, text[previous:]))


def _sentence_places(
    text: str, language: str, keeps_code: bool, known: Sequence[Span], is_markdown: bool
) -> Iterator[Span]:
    shown = _without_tags(text, known)
    staying = lines_that_stay(text)
    for field_start, field_end in _field_places(text, keeps_code, known, is_markdown):
        if not has_letters(text[field_start:field_end]):
            start, end = _trim(text, field_start, field_end, known)
            if stands_alone(text[start:end], language):
                yield start, end
            continue  # else there is nothing to translate
        start, end = _trim(text, field_start, field_end, known)
        if (start, end) in staying:
            continue
        words = behind_marks(text, start, field_end, language)
        start = start if _is_inside(words, known) else words
        if text.startswith("[", start) and (codes := _CODES_BEFORE.match(text, start, field_end)):
            start = start if _is_inside(codes.end(), known) else codes.end()
        for end in _sentence_ends(shown, start, field_end, language):
            end = _before_opening(text, shown, end, known) if end < field_end else end
            if _is_inside(end, known) or end <= start:
                continue
            first, last = _without_outer_tags(text, *_trim(text, start, end, known), known)
            if (quoted := _QUOTED.match(text, first, last)) and not _is_inside(quoted.end(), known):
                first = quoted.end()
            if _IN_BRACKETS.fullmatch(text, first, last) and not (
                _is_inside(first + 1, known) or _is_inside(last - 1, known)
            ):
                first, last = first + 1, last - 1
            if has_letters(text[first:last]):
                yield first, last
            start = end


_QUOTED = re.compile(r"(?:>[ \t]?)+")
"""Before a sentence that begins a line of a quoted mail."""

_IN_BRACKETS = re.compile(r"\([^\W\d_]{2}[^()\[\]{}]*(?<!\s)\)")
"""Brackets around a whole sentence, such as `(large)`: a model reads better without them."""


def _field_places(
    text: str, keeps_code: bool, known: Sequence[Span], is_markdown: bool
) -> Iterator[Span]:
    for start, end in _lines(text, keeps_code, known, is_markdown):
        marks = _listed(text, start, end) if ")" in text else []
        for first, last in itertools.pairwise((start, *marks, end)):
            if first < last:
                yield first, last


def _listed(text: str, start: int, end: int) -> list[int]:
    """Return where the items of a list begin that stands in one line: `a) apples b) pears`."""
    marks = list(_LISTED.finditer(text, start, end))
    if len(marks) < 2 or marks[0]["mark"] not in ("1", "a", "A"):
        return []  # as nearly always
    codes = [ord(mark["mark"]) - ord(marks[0]["mark"]) for mark in marks]
    is_first = _BEFORE_LISTED.search(text[start : marks[0].start()])
    is_list = is_first and codes == [*range(len(codes))]
    befores = itertools.pairwise(mark.start() for mark in marks)
    if not is_list or any(_GOES_ON_TO_LISTED.search(text[one:two]) for one, two in befores):
        return []
    return [mark.start() for mark in marks]


def _lines(text: str, keeps_code: bool, known: Sequence[Span], is_markdown: bool) -> Iterator[Span]:
    if "  " not in text and not _LAYOUT_SIGN.search(text):
        if text:
            yield 0, len(text)
        return
    start, soft = 0, soft_breaks(text, is_markdown)
    for gap in (_LAYOUT_OR_CODE if keeps_code else _LAYOUT).finditer(text):
        if (keeps_code and gap["code"]) or (known and span_at(gap.start(), known)):
            continue  # what is in it is no layout
        if gap[0] == _TWO_SPACES and _is_inside_sentence(text, *gap.span()):
            continue
        if not gap[0].strip(" \t\r\n") and text.find("\n", *gap.span()) in soft:
            continue
        if start < gap.start():
            yield start, gap.start()
        if gap["title"]:
            yield gap.span("title")
        start = gap.end()
    if start < len(text):
        yield start, len(text)


def _is_inside_sentence(text: str, start: int, end: int) -> bool:
    """Return whether two spaces stand between words of one sentence, and not between columns.

    The sentence goes on in small letters, or behind a word that ends none. All gaps of the line are
    of two spaces, and there are several words to each; or it goes on in small letters, the line
    ends as sentences do, and no line beside it has a gap. So are all gaps of a line that has two
    spaces between most of its words.
    """
    line_before, _, before = text[max(0, start - _AROUND) : start].rpartition("\n")
    after, _, line_after = text[end : end + _AROUND].partition("\n")
    if _is_spread(before, after):
        return True
    if not _GOES_ON_BEFORE.search(before):
        return False
    if not (_GOES_ON_AFTER.match(after) or _SMALL_WORD.search(before)):
        return False
    line = f"{before.lstrip()}{_TWO_SPACES}{after.rstrip()}"
    gaps = _GAPS.findall(line)
    has_more = any(gap != _TWO_SPACES for gap in gaps)
    if has_more or len(words := line.split()) < _LEAST_WORDS:
        return False
    if len(words) >= _LEAST_WORDS * (len(gaps) + 1):
        return True
    is_sentence = _GOES_ON_AFTER.match(after) and line.endswith((".", "!", "?"))
    return bool(is_sentence and not _COLUMNS.search(line_before + "\n" + line_after))


def _is_spread(before: str, after: str) -> bool:
    """Return whether a line is a sentence with two spaces between most of its words.

    Args:
        before: what stands in it before two spaces, as much as was looked at.
        after: what stands behind them.
    """
    line = f"{before.strip()}{_TWO_SPACES}{after.rstrip()}"
    num_gaps = line.count(_TWO_SPACES)
    if num_gaps < _LEAST_SPREAD or 2 * num_gaps < len(line.split()):
        return False
    if _OF_COLUMNS.search(line) or any(gap != _TWO_SPACES for gap in _GAPS.findall(line)):
        return False
    begins, ends = line[0].isupper(), _ENDS_SENTENCE.search(line)
    is_whole = (begins or len(before) == _AROUND) and (ends or len(after) == _AROUND)
    return bool(is_whole and _OF_SPREAD.search(line))


def _without_tags(text: str, known: Sequence[Span]) -> str:
    """Return `text` with spaces, as many, for known tags: a sentence may end before one."""
    pieces, done = list[str](), 0
    for start, end in known:
        if _TAGS.fullmatch(text, start, end):
            pieces += [text[done:start], " " * (end - start)]
            done = end
    return "".join([*pieces, text[done:]])


def _before_opening(text: str, shown: str, end: int, known: Sequence[Span]) -> int:
    """Return the end of a sentence, moved before the first tag that opens something behind it."""
    after = bisect_left(known, (len(shown[:end].rstrip()),))
    for start, stop in known[after : bisect_left(known, (end,))]:
        if not text.startswith("</", start) and not text.endswith("/>", start, stop):
            return start
    return end


def _without_outer_tags(text: str, first: int, last: int, known: Sequence[Span]) -> Span:
    """Return a sentence's place without the tags at its edges that enclose or precede all of it."""
    while known and first < last:
        before, after = span_at(first, known), span_at(last - 1, known)
        opening, start = _tag_names(text, before), before[1] if before else first
        closing, end = _tag_names(text, after), after[0] if after else last
        if before == after:
            break
        inside = {found["name"] for found in _TAG.finditer(text, start, end)}
        if opening and not opening & (inside | closing):
            first, last = _trim(text, start, last, known)
        elif closing and not closing & (inside | opening):
            first, last = _trim(text, first, end, known)
        elif opening and closing and not (opening | closing) & inside:
            first, last = _trim(text, start, end, known)
        else:
            break
    return first, last


def _tag_names(text: str, span: Span | None) -> set[str]:
    if span is None or not _TAGS.fullmatch(text, *span):
        return set()
    return {found["name"] for found in _TAG.finditer(text, *span)}


def _is_inside(place: int, known: Sequence[Span]) -> bool:
    """Return whether a known span begins before `place` and ends behind it."""
    around = span_at(place, known) if known else None
    return around is not None and around[0] < place


def _trim(text: str, start: int, end: int, known: Sequence[Span]) -> Span:
    """Return `start` and `end` moved inwards as by `trim`, but not into a known span."""
    first, last = trim(text, start, end)
    if text.endswith("]", first, last):
        citations = _CITATIONS_BEHIND.search(text, max(first, last - _LONGEST_CITATIONS), last)
        last = citations.start() if citations else last
    for _ in range(_MOST_CODES):
        begin = _code_behind(text, first, last) if text.endswith("]", first, last) else first
        if begin == first:
            break
        first, last = trim(text, first, begin)
    if known and first < last:
        before, after = span_at(first, known), span_at(last - 1, known)
        first, last = before[0] if before else first, after[1] if after else last
    return first, last


def _code_behind(text: str, start: int, end: int) -> int:
    """Return where the short code at the end of a sentence begins.

    That is `start` if there is none, or if one that opens stands in the sentence as well.
    """
    begin = text.rfind("[", start, end)
    code = _CODE_BEHIND.match(text, begin, end) if begin >= 0 else None
    if code is None or (code["name"] and text.find(f"[{code['name']}", start, begin) >= 0):
        return start
    return begin


def _sentence_ends(text: str, start: int, stop: int, language: str) -> Iterator[int]:
    """Yield the offsets in `text[start:stop]` at which sentences end; the last one is `stop`."""
    while stop - start > _MAX_FIELD:
        window_end = start + _MAX_FIELD  # not itself the end of a sentence
        *ends, _ = [start + end for end in _ends_in_field(text[start:window_end], language)]
        yield from ends
        in_second_half = ends and ends[-1] > start + _MAX_FIELD // 2
        start = ends[-1] if in_second_half else window_end
    for end in _ends_in_field(text[start:stop], language):
        yield start + end


def _ends_in_field(field: str, language: str) -> list[int]:
    """Return the offsets in `field` at which sentences end; the last one is its length."""
    line = BREAK.sub(lambda gap: " " * len(gap[0]), blank_unseen(field))
    try:
        parts = list(sentencex.segment(language, line))
    except UnicodeEncodeError:  # a lone surrogate, as JSON can carry
        parts = [line]
    if "".join(parts) != line:
        parts = [line]
    language = primary_language(language)
    behind_dots = set(_ends_behind_dots(line, language)) if ". " in line else set[int]()
    emoji = set[int]()
    if has_emoji(field):
        emoji = {found.end() for found in _EMOJI_END.finditer(field)}
    if len(parts) == 1 and language not in _FURTHER_ENDS and not (emoji or behind_dots):
        return [len(field)]
    ends = set(itertools.accumulate(map(len, parts[:-1]))) | emoji
    if language in _FURTHER_ENDS:
        ends |= {found.end() for found in _FURTHER_ENDS[language].finditer(field)} - {len(field)}
    if ">" in field:  # an end between the signs of quoted lines is before them
        for gap in BREAK.finditer(field):
            ends = {gap.start() if gap.start() < end <= gap.end() else end for end in ends}
    true_ends = (
        end
        for end in sorted(ends)
        if not _is_false_end(field[max(0, end - _LOOK_BACK) : end], field[end : end + 8], language)
    )
    return sorted({*true_ends, *behind_dots, len(field)})


def _ends_behind_dots(line: str, language: str) -> Iterator[int]:
    """Yield ends of sentences behind an abbreviation, a price or a time of day."""
    for after, before in _AFTER_DOTS.get(language, ()):
        for dot in after.finditer(line):
            if before.search(line, max(0, dot.start() - _BEFORE_DOT), dot.start()):
                yield dot.end()


def _is_false_end(before: str, after: str, language: str) -> bool:
    """Return whether no sentence ends between `before` and `behind`, although one seems to.

    That is after `.`, `?` or `!` without white space (`os.Path`, `b?Query`), unless a script
    without capitals follows a question or a shout; and after what goes on in the given language.
    """
    if before.endswith((".", "?", "!")):
        return before.endswith(".") or unicodedata.category(after[:1] or " ") != "Lo"
    if language == "ja" and before.endswith(("」", "』", "”")) and _QUOTED_ON.match(after):
        return True
    goes_on = _GOES_ON.get(language)
    if language == "en" and (
        (after[:1].isdigit() and _NUMERO.search(before))
        or (_TIME_ZONE.match(after) and _HALF_DAY.search(before))
    ):
        return True
    if language == "de" and _NEXT_BEHIND_DAY.match(after) and _LAST_DAY.search(before):
        return False
    is_date = _DAY.search(before) and _SHORT_MONTH.match(after)
    return bool(is_date or (goes_on and goes_on.search(before)))


_ROMAN = r"(?=[ivx]{2}|i)x{0,3}(?:ix|iv|v?i{0,3})|(?=[IVX])X{0,3}(?:IX|IV|V?I{0,3})"
_LETTER_OR_ROMAN = rf"(?:[^\W\d_]|{_ROMAN})"
_NO_ABBREVIATION = r"(?![^\W\d_]\.)"
"""Behind `Z.` of `Z. B.`, there is another letter with a dot."""

_PARTS = r"[0-9]{1,3}(?:\.[0-9]{1,2}){1,5}\.?"
_DATE = r"(?:[12]?[0-9]|3[01])\.(?:1[0-2]|0?[1-9])\.[0-9]{2}"
_QUANTITY = rf"(?i:(?:{UNITS}|EUR|USD|GBP|CHF|JPY|uhr|stars?|sterne?n?)(?![^\W\d_]))"

_MONTH = (
    "(?:Jän(?:ner)?|Jan(?:uar)?|Feb(?:ruar)?|März|Apr(?:il)?|Mai|Juni?|Juli?|Aug(?:ust)?"
    "|Sept?(?:ember)?|Okt(?:ober)?|Nov(?:ember)?|Dez(?:ember)?)"
)
_COUNTED = (
    "(?:(?:Welt|Golf)krieg|Jahrhundert|Jahrtausend|Geburtstag|Todestag|Jahrestag|Hochzeitstag"
    "|Lebensjahr|Halbzeit|Bundesliga|Spieltag|Advent|Obergescho(?:ss|ß)|Stockwerk|Etage|Quartal"
    "|Halbjahr|Auflage)(?:e?s|en?)?"
)
_COUNTED_AT_AN_END = (
    r"(?:Akt|Durchgang|Etappe|Folge|Halbfinale|Instanz|Klasse|Lesung|Liga|Platz|Reihe"
    r"|Runde|Schuljahr|Semester|Staffel|Stock|Strophe|Teil|Vorsitzende[rn]?|Wahlgang)(?=\s*(?:$|[\n.,:;()–-]|(?:in|im|bei|der|des|von|für)\s))"
)
_GERMAN_ORDINAL = (
    r"(?:1\.\sHilfe|[0-9]{1,3}\.\s(?:und|oder|bis)\s[0-9]{1,3}\.\s[A-ZÄÖÜ][a-zäöüß]+)(?![\w-])|"
    rf"(?:[0-9]{{1,3}}|(?!\.)(?:{_ROMAN}))\.\s(?:{_MONTH}|{_COUNTED}|{_COUNTED_AT_AN_END})(?![\w-])"
)
"""`3. Oktober` and `2. Weltkrieg` are a day and a war, and no third and second item."""

_ANY_MARK = (
    # bullets, quotes, headings, boxes, numbers
    r"(?:[-*+•·‣◦–—]|>+|\#{1,6}|[0-9]{1,3}\.|\[[ xX]\])\s|>+"
    # a) (a) iii) 1.) 2a)
    rf"|\(?(?:[0-9]{{1,3}}[a-z]?|{_LETTER_OR_ROMAN})\.?\)\s"
    # A. IV. before a capital, and a. ii. before any letter
    rf"|(?:[A-Z]|{_ROMAN})\.\s+{_NO_ABBREVIATION}(?=[„“\"'(]?[^\W\d_a-zà-öø-ÿß])"
    rf"|(?:[a-h]|{_ROMAN})\.\s+{_NO_ABBREVIATION}(?=[„“\"'(]?[^\W\d_])"
    # 2.3 and 1.2.3 before a word that is no unit and begins with a capital
    rf"|(?!{_DATE}\s){_PARTS}\s+(?!{_QUANTITY})(?=[„“\"'(]?(?:[^\W\d_a-zà-öø-ÿß][^\W\d_]))"
)
_MARK, _GERMAN_MARK = (
    re.compile(f"(?:{but}(?:{_ANY_MARK}))+") for but in ("", f"(?!{_GERMAN_ORDINAL})")
)
_HINT = re.compile(r"[^\w\s]|\w{1,6}[.)]")
"""What every line with a mark begins with."""

_ALONE = re.compile(
    rf"(?:\(?(?:[0-9]{{1,3}}[a-z]?|{_LETTER_OR_ROMAN})\.?\)|(?:[A-Z]|{_ROMAN})\.)\s*"
)


def behind_marks(text: str, start: int, end: int, language: str = "") -> int:
    """Return where the words of a line begin, behind its marks; `end` if it is only a mark.

    Args:
        text: any text.
        start: of the line or of what is left of it, behind white space.
        end: of it.
        language: code of its language; German has ordinals that look like marks.
    """
    if not _HINT.match(text, start, end):
        return start  # as mostly
    if _ALONE.fullmatch(text, start, end):
        return end
    is_german = primary_language(language) == "de"
    marks = (_GERMAN_MARK if is_german else _MARK).match(text, start, end)
    return marks.end() if marks else start
