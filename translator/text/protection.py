"""The step `protect`: spans that are not language become placeholders; `restore` puts them back.

Each span of a sentence is replaced by one of N characters that the vocabulary has as pieces of
their own. Afterwards each span comes back where the model has put its placeholder. So the model
never spells one out, and none is lost.
"""

from __future__ import annotations

import bisect
import dataclasses
import html
import html.entities
import itertools
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from translator.text.brackets import (
    with_spaces_behind_marks,
    with_spaces_in_brackets,
    without_spaces_behind_marks,
    without_spaces_in_brackets,
)
from translator.text.characters import (
    EMOJI,
    PLACEHOLDER,
    TYPED_ENTITY,
    TYPED_SIGNS,
    Alphabet,
    LogProb,
    primary_language,
    symbols,
)
from translator.text.span_cuts import cuts_by_spans
from translator.text.spans import Span, find_spans

_EMPHASIS = re.compile(r"(?:\*+|~{1,2}|={1,2}|_{1,2}|'{2,3}|/|[‹›]|\\\")$")
_OPENING = re.compile(
    r"\\[a-z]+\*?(?:\[.*\])?\{$|'\{'$|!?\[\"?$|`$|(?:<[^<>]*>)*<[^/!?<>][^<>]*(?<!/)>$|\[\[[^\[\]]*\|$"
    r"|(?:\[[^\[\]]*\]\s*)*\[[^\[\]/%0-9][^\[\]]*(?<!/)\]$"
    r"|&lt;[^/](?:[^&]|&(?![lg]t;))*(?<!/)&gt;$|[\"'][^\"']*[\"']\s?:\s?[\"']$|.*,\"?$|\"$"
)
_WITH_HYPHENS = re.compile(
    r"--|[^<\s]*/|[•·→⇒➔➜▶▸]|(?:%(?:\d+\$)?[sdiu@]|%arg|@@\d+@@|\#\#\d+\#\#|%\d{1,2}|\$?\{\d{0,2}\})$"
    r"|[$%\#]?\{{1,2}\s?(?:\w+[._])?(?:n|nb|num|number|total|amount|quantity|qty|anzahl|zahl|count"
    r"|num[A-Z_]\w*|n[A-Z]\w*|\w+(?:Count|_count|Number|_number|Total|_total))\s?\}{1,2}$"
)
"""Variables that count among them: German puts a hyphen behind names, and none behind numbers."""
_TYPED = re.compile(TYPED_ENTITY)
_NAMED = {code: f"&{name};" for code, name in html.entities.codepoint2name.items() if code > 127}
_ACCELERATOR = re.compile(r"(?P<before>[^\W\d_]*)&(?P<after>[^\W\d_]+)(?!;)")
_FIRST_LETTER = re.compile(r"[^\W\d_]")
_LONGEST_LABEL = 80
_MORE_PROBABLE = 3.2
"""A word with an `&` in it is one word if it is more probable than its parts by so many nats. Of 43
labels of menus 39 are, and of 50 pairs such as `drag&drop`, `drum&bass` and `at&t` none."""

_ORDINAL = re.compile(r"(?<=\})(?:st|nd|rd|th)$")
_UNIT = re.compile(r"[^\W\d_]+|[×·]\s?10\S*")
_NUMBER = re.compile(r"([0-9][0-9.,/]*)(\s?)$")
_NAME_WITH_S = re.compile(r"[^\W\d_]{2}s$")
_CLOSING = re.compile(r"\}$|'\}'$|\"?\][(\[\]]|[\"'],?$|\"?,|\s<|</|&lt;/|\[/")


@dataclass(frozen=True, slots=True)
class Protected:
    """A sentence, or a piece of one, whose spans have been replaced.

    Attributes:
        text: with placeholders.
        spans: what each placeholder stands for, in the order of the sentence.
        placeholders: the characters, in the same order.
        trailing: white space behind `text`; `restore` leaves it out.
        entities: how the sentence wrote characters as HTML does, such as `ü` as `&uuml;`. `text`
            has the characters, and the translation is written in the same way: see
            `_entities_of`.
        accelerator: `&` if the sentence is a label with one, which `text` lacks. It comes back
            before the first letter.
    """

    text: str
    spans: tuple[str, ...] = ()
    placeholders: tuple[str, ...] = ()
    trailing: str = ""
    entities: Mapping[int, str] = field(default_factory=dict)
    accelerator: str = ""

    def within(self, part: str) -> Protected:
        """Return a part of `text`, with the spans that lie in it."""
        if part == self.text:
            return self
        pairs = zip(self.placeholders, self.spans, strict=True)
        inside = [(name, span) for name, span in pairs if name in part]
        names, spans = zip(*inside, strict=True) if inside else ((), ())
        return dataclasses.replace(self, text=part, spans=spans, placeholders=names, trailing="")

    def apart(self, part: str, language: str, log_prob: LogProb) -> str:
        """Return a part of `text` as the model reads it: a space behind what may open something.

        A word there is split into the pieces that it has elsewhere, and so are a few words in
        brackets or a short quotation. Emoji between two words have spaces on both sides, and so has
        a slash.
        """
        part = with_spaces_behind_marks(with_spaces_in_brackets(part), language, log_prob)
        for name, span in zip(self.placeholders, self.spans, strict=True):
            if _OPENING.match(span) or _EMPHASIS.match(span):
                part = re.sub(rf"{name}(?=\w)", f"{name} ", part)
            elif EMOJI.match(span):
                part = re.sub(rf"(?<=\w){name}(?=\w)", f" {name} ", part)
        return part

    def joined(self, translation: str) -> str:
        """Return a translation without the spaces that `apart` has put in."""
        translation = without_spaces_behind_marks(translation, self.text)
        return without_spaces_in_brackets(translation, self.text)

    def with_ordinals(self, target: str) -> Protected:
        """Return this with ordinals of variables, such as `{{n}}st`, as German writes them."""
        if primary_language(target) != "de" or not any(map(_ORDINAL.search, self.spans)):
            return self  # as nearly always
        return dataclasses.replace(self, spans=tuple(_ORDINAL.sub(".", one) for one in self.spans))

    def original(self) -> str:
        """Return `text` with the spans in their places."""
        names = map(ord, self.placeholders)
        return self.text.translate(dict(zip(names, self.spans, strict=True)))

    def sentence(self) -> str:
        """Return `text` with the spans in their places, without tags around words.

        So `<b>1,250</b> people` is 1,250 people. A tag between two characters of a word stays.
        """
        if not self.spans:
            return self.text
        roles = zip(self.placeholders, self._roles(), strict=True)
        names = "".join(name for name, role in roles if any(role))
        bare = re.sub(rf"(?<!\w)[{names}]+|[{names}]+(?!\w)", "", self.text) if names else self.text
        return dataclasses.replace(self, text=bare).original()

    def _roles(self) -> list[tuple[bool, bool]]:
        """Return for each span whether it opens something, and whether it closes something.

        Where a mark of emphasis could do both, every other one of its kind opens.
        """
        roles, is_open = list[tuple[bool, bool]](), dict[str, bool]()
        for name, span in zip(self.placeholders, self.spans, strict=True):
            opens, closes = _OPENING.match(span) is not None, _CLOSING.match(span) is not None
            if _EMPHASIS.match(span):
                before, after = self.text.partition(name)[::2]
                opens, closes = _flanks(before[-1:], after[:1])
                if opens and closes:
                    closes = is_open.get(span, False)
                    opens = not closes
                is_open[span] = opens
            roles.append((opens, closes))
        return roles

    def restore(self, translation: str) -> str:
        """Return the translation of `text` with the spans put back, each exactly once.

        A placeholder that the model has repeated counts once; spans whose placeholders it has left
        out follow at the end, those that close something without a space. What opens or closes
        something (`**`, tags, links) stays without a space on its inner side, and does not touch a
        word on its outer side if it did not before; a unit does not touch digits behind it
        (`mAh3`); options, paths, addresses, arrows and variables without a name are not made longer
        by a hyphen (`--all-Option`, `%s-Dateien`), and none follows what opens (`**-Handbuch**`).
        """
        roles, touching = self._roles() if self.spans else (), set[str]()
        for name, span, (opens, closes) in zip(self.placeholders, self.spans, roles, strict=True):
            before, after = self.text.partition(name)[::2]
            if closes and before[-1:].strip():
                touching.add(name)
                translation = re.sub(rf"\s+{name}", name, translation)
                if not after[:1].isalnum():
                    translation = re.sub(rf"{name}(?=\w)", f"{name} ", translation)
                if _EMPHASIS.match(span) and after[:1].strip():
                    translation = re.sub(rf"{name}\s+(?=[.,;:!?)\]}}»”“…])", name, translation)
            if opens and after[:1].strip():
                translation = re.sub(rf"{name}\s+", name, translation)
                if not after.startswith("-"):
                    translation = re.sub(rf"{name}-\s*(?=\w)", name, translation)
                if not before[-1:].isalnum():
                    translation = re.sub(rf"(?<=\w){name}", f" {name}", translation)
            if _UNIT.fullmatch(span) and (number := _NUMBER.search(before)):
                translation = _behind_number(translation, name, number)
            if span[-1:].isalnum() and not after[:1].isdigit():
                translation = re.sub(rf"{name}(?=[0-9])", f"{name} ", translation)
            if _WITH_HYPHENS.match(span) and not after.startswith("-"):
                translation = translation.replace(f"{name}-", f"{name} ")
        if self.accelerator and (letter := _FIRST_LETTER.search(translation)):
            place = letter.start()
            translation = translation[:place] + self.accelerator + translation[place:]
        if self.entities:
            translation = translation.translate(self.entities)
        if not (self.spans or PLACEHOLDER.search(translation)):
            return translation  # as mostly
        missing = dict(zip(self.placeholders, self.spans, strict=True))
        own = {*PLACEHOLDER.findall(self.text)} - {*self.placeholders}
        restored = PLACEHOLDER.sub(
            lambda found: missing.pop(found[0], found[0] if found[0] in own else ""), translation
        )
        for name, span in missing.items():
            restored += span if name in touching else f" {span}"
        return restored


def _behind_number(translation: str, name: str, number: re.Match[str]) -> str:
    """Return a translation in which a unit stands behind its number, as in the source."""
    digits = re.sub("[^0-9]", "", number[1])
    found = re.search(rf"(?<![0-9]){name}\s?([0-9](?:[0-9.,/]*[0-9])?)(?![0-9])", translation)
    if found is None or re.sub("[^0-9]", "", found[1]) != digits:
        return translation
    after = f"{found[1]}{number[2]}{name}"
    return translation[: found.start()] + after + translation[found.end() :]


def _flanks(before: str, after: str) -> tuple[bool, bool]:
    """Return whether a mark of emphasis between two characters may open, and whether it may close.

    Source: CommonMark 0.31, §6.2, left-flanking and right-flanking delimiter runs.
    """
    is_word_before, is_word_after = before.isalnum(), after.isalnum()
    is_text_before, is_text_after = bool(before.strip()), bool(after.strip())
    return (
        is_word_after or (is_text_after and not is_word_before),
        is_word_before or (is_text_before and not is_word_after),
    )


def protect(
    sentence: str,
    count: int,
    known: Sequence[Span] = (),
    alphabet: Alphabet | None = None,
    language: str = "",
) -> list[Protected]:
    """Replace all spans of a sentence that are not language, or cannot be read.

    Args:
        sentence: one line.
        count: how many placeholders the vocabulary has; without any, nothing is replaced.
        known: spans that somebody else has found; see `find_spans`.
        alphabet: what can be read; None for all.
        language: code of the sentence's language, if it is known.

    Returns:
        the whole sentence, or its pieces if it has more than `count` spans; see `span_cuts`.
    """
    spans = find_spans(sentence, known, alphabet) if count else []
    if alphabet is not None and primary_language(language) == "de":
        spans = [
            (start, end - 1)
            if (start, end) not in known and _may_be_genitive(sentence[start:end], alphabet)
            else (start, end)
            for start, end in spans
        ]
    if len(spans) <= count:
        return [_replace(sentence, spans, symbols(len(spans)))]
    cuts = cuts_by_spans(sentence, spans, count)
    protected = []
    for start, end in itertools.pairwise((0, *cuts, len(sentence))):
        own = spans[bisect.bisect_left(spans, (start,)) : bisect.bisect_left(spans, (end,))]
        moved = [(first - start, last - start) for first, last in own]
        protected.append(_replace(sentence[start:end], moved, symbols(len(own))))
    return protected


def without_accelerator(label: Protected, log_prob: LogProb) -> Protected:
    """Return a label of a menu or a button without the `&` before the letter of its key.

    Labels are short and have one `&`. It begins the text (`&File`), or a word of a text that ends
    with dots (`Save &As…`), or stands in a word that is known (`B&eenden`). Elsewhere it is a word
    (`R&D`, `Müller&Sohn`, `Tom &Jerry`).
    """
    text, found = label.text, _ACCELERATOR.search(label.text)
    if found is None or len(text) > _LONGEST_LABEL or text.count("&") != 1:
        return label
    before, after = found.groups()
    if not before:
        is_first = not _FIRST_LETTER.search(text, 0, found.start())
        is_accelerator = text[found.start() - 1 : found.start()].strip() in ("", *"([\"'„“”‚‘«»")
        is_accelerator &= after not in html.entities.html5  # `&amp` needs no semicolon
        is_accelerator &= is_first or text.endswith(("…", "..."))
    else:
        joined = log_prob(before + after) - log_prob(before) - log_prob(after)
        is_long = len(before + after) > 2
        is_accelerator = after[0].islower() and is_long and joined > _MORE_PROBABLE
    if not is_accelerator:
        return label
    place = found.start("after")
    return dataclasses.replace(label, text=text[: place - 1] + text[place:], accelerator="&")


def _may_be_genitive(span: str, alphabet: Alphabet) -> bool:
    """Return whether a span is a name that ends with an s, as in `Wałęsas Rede`.

    The model reads that s. It knows by the sentence whether to write an apostrophe before it.
    """
    return _NAME_WITH_S.search(span) is not None and not alphabet.reads(span)


def protect_pair(
    source: str, target: str, count: int, alphabet: Alphabet | None = None
) -> tuple[str, str]:
    """Replace the spans that a sentence and its translation have in common, for training.

    Their numbers start anywhere, so that the model comes to know all placeholders. Training gives
    no `alphabet`: it protects pairs before there is a vocabulary, which is to learn what letters
    they have.
    """
    theirs: dict[str, list[Span]] = {}
    for span in find_spans(target, (), alphabet) if count else ():
        theirs.setdefault(target[slice(*span)], []).append(span)
    found = find_spans(source, (), alphabet) if theirs else []
    twins = (theirs.get(source[slice(*span)]) for span in found)
    both = [(mine, same.pop(0)) for mine, same in zip(found, twins, strict=True) if same][:count]
    first = zlib.crc32(source.encode()) % max(count, 1)
    free = [name for name in symbols(count) if name not in source + target]
    names = dict(zip(both, [*free[first:], *free[:first]], strict=False))
    by_target = sorted(names, key=lambda pair: pair[1])
    return (
        _replace(source, [mine for mine, _ in names], list(names.values())).text,
        _replace(target, [twin for _, twin in by_target], [names[t] for t in by_target]).text,
    )


def _replace(text: str, spans: Sequence[Span], names: Sequence[str]) -> Protected:
    pieces, done = [], 0
    for (start, end), name in zip(spans, names, strict=True):
        pieces += [text[done:start], name]
        done = end
    pieces.append(text[done:])
    replaced = "".join(pieces)
    inner = replaced.rstrip()
    trailing = replaced[len(inner) :]
    originals = tuple(text[start:end] for start, end in spans)
    entities = _entities_of(inner) if "&" in inner else {}
    inner = _TYPED.sub(lambda entity: html.unescape(entity[0]), inner) if entities else inner
    return Protected(inner, originals, tuple(names), trailing, entities)


def _entities_of(text: str) -> dict[int, str]:
    """Return how a sentence writes characters as entities, and how its translation may others.

    Others are all that are not ASCII's if the sentence has no such character itself. Otherwise they
    are quotes and dashes, which differ between languages, if it writes one as an entity and does
    not write them otherwise.
    """
    own = {ord(html.unescape(entity)): entity for entity in _TYPED.findall(text)}
    beyond = {code: entity for code, entity in own.items() if code > 127}
    if not beyond:
        return own  # `&quot;` and `&#39;` say nothing of other characters
    others = _NAMED
    if all(entity.startswith("&#") for entity in beyond.values()):
        others = {code: f"&#{code};" for code in _NAMED}
    if not PLACEHOLDER.sub("", text).isascii():
        may_be = TYPED_SIGNS - {*map(ord, text)} if TYPED_SIGNS & {*beyond} else set[int]()
        others = {code: entity for code, entity in others.items() if code in may_be}
    return {**others, **own}
