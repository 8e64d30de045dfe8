"""What is not language passes through: URLs, code, tags and symbols become placeholders.

Before translation each such span of a sentence is replaced by one of N characters of the private
use area, which the vocabulary has as pieces of their own; afterwards the spans are put back where
the model has put their placeholders. So none is ever spelled out by the model, and none is lost.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from translator.text.characters import EMOJI, ESCAPE, SYMBOLS, SYMBOLS_HINT

_FIRST = 0xE001
MAX_PLACEHOLDERS = 64

_ANY = re.compile(f"[{chr(_FIRST)}-{chr(_FIRST + MAX_PLACEHOLDERS - 1)}]")

# Repetitions that could start again at every word are bounded, so that no text takes long.
_ATTRIBUTE = r"""\s+[\w:.-]+=(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+)"""
_LINK = r'\](?:\((?:[^()\s]|\([^()\s]*\))+(?:\s+"[^"()]*")?\)|\[[^\[\]]*\])'
_ENDINGS = (
    "bat|cfg|com|conf|cpp|cs|css|csv|db|de|dll|edu|eu|exe|gif|gov|gz|h|html?|ini|io|java|jpe?g|js"
    "|json|log|md|net|org|pdf|php|png|py|rb|rs|rst|sh|sql|svg|tar|toml|ts|txt|xml|ya?ml|zip"
)
_WORD_ENDINGS = "uml|acute|grave|circ|tilde|cedil|ring|slash|lig|caron"  # of `f&uuml;r`
_KINDS = {
    "placeholders of the text itself": _ANY.pattern,
    "directives, targets and fields of reStructuredText": (
        r"^\.\.\s(?:_`[^`]{1,100}`:|_[^:`]{1,100}:|[\w:-]{1,50}::)(?!\S)"
        r"|^(?:\.\.\s)?\|[^|]{1,100}\|\s[\w:-]{1,50}::(?!\S)"
        r"|^_(?:`[^`]{1,100}`|[^:`]{1,100}):(?=\s+\w+://)"
        r"|^:[\w-]{1,50}(?:\s\w{1,50}){0,2}:(?!\S)"
    ),
    "around the text of a reStructuredText link": (
        r"`(?=[^`<>]{1,100}\s<[^<>`]{1,300}>`_)|(?<=\S)\s<[^<>`\s]{1,300}>`_{1,2}"
    ),
    "inline code": (
        r"(?::[\w.-]+:)?(?:``(?!\s)(?:[^`]|`(?!`)){1,200}(?<!\s)``"
        r"|(?<![\w`])`(?:(?!\s)[^`]{1,100}(?<![\s(\[„“/])|[^`\s]{0,99}[\w.~:$>}*-]/)`)(?:_{1,2}|(?!\w))"
    ),
    "emphasis": r"(?<!\w)\*{1,3}(?=[\w`\[(„“\"<])|(?<=[^\s*])\*{1,3}(?!\w)",
    "comments, targets of links, footnotes": (
        r"<!--.{0,300}?-->|\[\^[\w-]{1,50}\]:?|^\[[^\[\]]+\]:|:::[\w-]+\([^():]{1,100}\):::"
    ),
    "around the text of a Markdown link": rf"!?\[(?=[^\[\]]*{_LINK})|{_LINK}",
    "addresses": (
        r"(?:https?|ftp|ssh|file)://[^\s<>\"”“»«)\]}]*[^\s<>\"”“»«)\]}.,;:!?'’…]"
        r"|\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}\b"
    ),
    "tags": rf"</?[A-Za-z][\w:.-]*(?:{_ATTRIBUTE})*\s*/?>|<[%?].{{1,200}}?[%?]>",
    "entities": (
        rf"&(?!\w+(?:{_WORD_ENDINGS});)(?:[A-Za-z][A-Za-z0-9]{{1,7}}|\#\d{{2,6}}|\#[xX][0-9A-Fa-f]{{2,5}});"
    ),
    "templates": (r"\$?\{\{[^{}]*\}\}|\$\{[^{}]*\}|\{[^{}\s]*\}|\{\w+,\s*\w+\}|\{%.{1,200}?%\}"),
    "formats": (
        r"%(?:\([^()\s]+\))?(?:\d+\$)?[-+#0]*\d*(?:\.\d+)?(?:hh|ll|[hlzjt])?[sdiufgeExXcpn@](?!\w)"
        r"|%\d+(?![\d\w])|%%|\\[nrt](?![a-z])"
    ),
    "variables": r"%[A-Za-z_]+%|(?<![\w$])\$[A-Za-z_]\w*",
    "options": r"(?<![\w-])--(?![\w ]{1,40}--(?:\W|$))[a-z][\w-]+",
    "paths": (
        rf"\b(?:[\w.-]{{1,64}}/){{1,12}}[\w-]+\.(?:{_ENDINGS})\b"
        r"|(?<![^\s(\[{<>\"'„“»›‚`=:|])(?:(?:~|\.{1,2})?(?:/[\w.+@-]*\w){2,12}|(?:~|\.{1,2})/[\w.+@-]*\w)/?"
        r"|\b[A-Za-z]:\\(?:[^\s\"<>|]|\s\w+(?=[\w ]{0,40}\\))*[\w\\]|\\\\[\w.$-]+(?:\\[\w.$-]+)+"
    ),
    "calls": r"\b\w+(?:(?:\.|::|->)\w+){0,8}\(\)",
    "names with dots": (
        r"\b(?:[A-Za-z][\w-]{1,63}\.){2,8}[A-Za-z]\w+\b"
        rf"|(?<![\w-])[\w-]{{2,99}}\.(?:{_ENDINGS})\b"
    ),
    "versions, addresses of machines": r"\bv\d+(?:\.\d+)+[\w+-]*\b|\b\d+(?:\.\d+){3}(?::\d+)?\b",
    "identifiers": (
        r"\b\w+(?:::\w+)+|\b[a-z_]\w*(?:->[a-z_]\w*)+|\b(?!\w*_in(?:nen)?\b)(?:__[A-Za-z0-9]+__"
        r"|[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+|(?<!\\)[a-z]+[A-Z]\w+|0x[0-9A-Fa-f]+)\b"
    ),
    "colours of a terminal": ESCAPE,
    "symbols": SYMBOLS,
}
_SPANS = re.compile("|".join(_KINDS.values()))

_HINT = re.compile(
    r"^:|[`@<&{%$/*\\_]|\w\.\w|::|--|->|\(\)|\][(:\[]|\[\^|[a-z][A-Z]|\b0x|"
    rf"\x1b|{SYMBOLS_HINT}|{_ANY.pattern}"
)
"""What is found in any text that has a span; most sentences are done with after this search."""


_OPENING = re.compile(r"\*+$|!?\[$|`$|<[^/!?][^<>]*(?<!/)>$")
_WITH_HYPHENS = re.compile(r"--|[^<\s]*/|[•·→⇒➔➜▶▸]")
_CLOSING = re.compile(r"\*+$|\][(\[]|\s<|</")


@dataclass(frozen=True, slots=True)
class Protected:
    """A sentence whose spans have been replaced.

    Attributes:
        text: with placeholders.
        spans: what each placeholder stands for, in the order of the sentence.
        placeholders: the characters, in the same order.
    """

    text: str
    spans: tuple[str, ...] = ()
    placeholders: tuple[str, ...] = ()

    def within(self, part: str) -> Protected:
        """Return a part of `text`, with the spans that lie in it."""
        pairs = zip(self.placeholders, self.spans, strict=True)
        inside = [(name, span) for name, span in pairs if name in part]
        names, spans = zip(*inside, strict=True) if inside else ((), ())
        return Protected(part, spans, names)

    def apart(self, part: str) -> str:
        """Return a part of `text` as the model reads it: a space behind what opens something.

        A word there is split into the pieces that it has elsewhere. Emoji between two words have
        spaces on both sides.
        """
        for name, span in zip(self.placeholders, self.spans, strict=True):
            if _OPENING.match(span):
                part = re.sub(rf"{name}(?=\w)", f"{name} ", part)
            elif EMOJI.match(span):
                part = re.sub(rf"(?<=\w){name}(?=\w)", f" {name} ", part)
        return part

    def restore(self, translation: str) -> str:
        """Return the translation of `text` with the spans put back, each exactly once.

        A placeholder that the model has repeated counts once; spans whose placeholders it has left
        out follow at the end. What opens or closes something (`**`, tags, links) stays without a
        space on its inner side, and does not touch a word on its outer side if it did not before;
        options, paths, addresses and arrows are not made longer by a hyphen (`--all-Option`), and
        none follows what opens (`the **-Handbuch**`).
        """
        for name, span in zip(self.placeholders, self.spans, strict=True):
            before, after = self.text.partition(name)[::2]
            if _CLOSING.match(span) and before[-1:].strip():
                translation = re.sub(rf"\s+{name}", name, translation)
                if not after[:1].isalnum():
                    translation = re.sub(rf"{name}(?=\w)", f"{name} ", translation)
            if _OPENING.match(span) and after[:1].strip():
                translation = re.sub(rf"{name}\s+", name, translation)
                if not after.startswith("-"):
                    translation = re.sub(rf"{name}-\s*(?=\w)", name, translation)
                if not before[-1:].isalnum():
                    translation = re.sub(rf"(?<=\w){name}", f" {name}", translation)
            if _WITH_HYPHENS.match(span) and not after.startswith("-"):
                translation = translation.replace(f"{name}-", f"{name} ")
        missing = dict(zip(self.placeholders, self.spans, strict=True))
        own = {*_ANY.findall(self.text)} - {*self.placeholders}
        restored = _ANY.sub(
            lambda found: missing.pop(found[0], found[0] if found[0] in own else ""), translation
        )
        return " ".join((restored, *missing.values())) if missing else restored


def symbols(count: int) -> list[str]:
    """Return the first `count` placeholders."""
    return [chr(_FIRST + number) for number in range(count)]


def placeholders_in(text: str) -> list[str]:
    """Return all placeholders in a text, sorted."""
    return sorted(_ANY.findall(text))


def span_places(text: str) -> list[tuple[int, int]]:
    """Return start and end of every span of a text that is not language."""
    return [found.span() for found in find_spans(text)]


def protect(sentence: str, count: int, spans: Sequence[re.Match[str]] | None = None) -> Protected:
    """Replace the first `count` spans of a sentence that are not language.

    Args:
        sentence: any text.
        count: of placeholders.
        spans: all of the sentence, if they have been found already.
    """
    spans, names = find_spans(sentence) if spans is None else spans, symbols(count)
    if len(spans) > count:  # some stay in the text, and must not be taken for a placeholder
        names = [name for name in names if name not in sentence]
    spans = spans[: len(names)]
    return _replace(sentence, spans, names[: len(spans)])


def protect_pair(source: str, target: str, count: int) -> tuple[str, str]:
    """Replace the spans that a sentence and its translation have in common, for training.

    Their numbers start anywhere, so that the model comes to know all placeholders.
    """
    theirs: dict[str, list[re.Match[str]]] = {}
    for span in find_spans(target) if count else ():
        theirs.setdefault(span[0], []).append(span)
    found = find_spans(source) if theirs else []
    both = [(mine, theirs[mine[0]].pop(0)) for mine in found if theirs.get(mine[0])][:count]
    first = zlib.crc32(source.encode()) % max(count, 1)
    free = [name for name in symbols(count) if name not in source + target]
    names = dict(zip(both, [*free[first:], *free[:first]], strict=False))
    by_target = sorted(names, key=lambda twins: twins[1].start())
    return (
        _replace(source, [mine for mine, _ in names], list(names.values())).text,
        _replace(target, [twin for _, twin in by_target], [names[t] for t in by_target]).text,
    )


def find_spans(text: str) -> list[re.Match[str]]:
    """Return every span of a text that is not language."""
    return list(_SPANS.finditer(text)) if _HINT.search(text) else []


def _replace(text: str, spans: Sequence[re.Match[str]], names: Sequence[str]) -> Protected:
    parts, end = [], 0
    for span, name in zip(spans, names, strict=True):
        parts += [text[end : span.start()], name]
        end = span.end()
    return Protected("".join([*parts, text[end:]]), tuple(s[0] for s in spans), tuple(names))
