"""What is not language passes through: URLs, code, tags and variables become placeholders.

Before translation each such span of a sentence is replaced by one of N characters of the private
use area, which the vocabulary has as pieces of their own; afterwards the spans are put back where
the model has put their placeholders. So none is ever spelled out by the model, and none is lost.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

_FIRST = 0xE001
MAX_PLACEHOLDERS = 64

_ANY = re.compile(f"[{chr(_FIRST)}-{chr(_FIRST + MAX_PLACEHOLDERS - 1)}]")

_ATTRIBUTE = r"""\s+[\w:.-]+(?:=(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+))?"""
_URL = r"(?:https?|ftp)://[^\s<>\"”“»«)\]}]*[^\s<>\"”“»«)\]}.,;:!?'’…]"
# Repetitions that could start again at every word are bounded, so that no text takes long.
_LINK = r"\](?:\([^()\s]+\)|\[[^\[\]]*\])"
_SPANS = re.compile(
    "|".join(
        (
            _ANY.pattern,
            r"(?::[\w.-]+:)?(?:``.+?``|`(?!\s)[^`]{1,100}(?<!\s)`)_{0,2}",  # inline code
            r"(?<!\w)\*{1,3}(?=[\w`\[])|(?<=[^\s*])\*{1,3}(?!\w)",  # emphasis
            r"<!--.{0,300}?-->|^\[[^\[\]]+\]:",  # a comment, the target of a link
            rf"!?\[(?=[^\[\]]*{_LINK})|{_LINK}",  # around the text of a Markdown link
            _URL,
            r"\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}\b",  # an e-mail address
            rf"</?[A-Za-z][\w:.-]*(?:{_ATTRIBUTE})*\s*/?>",  # a tag
            r"&(?:[A-Za-z]{2,8}|\#\d{2,6});",  # an entity
            r"\$?\{\{[^{}]*\}\}|\$\{[^{}]*\}|\{[^{}\s]*\}",  # templates
            r"%(?:\([^()\s]+\))?(?:\d+\$)?[-+#0]*\d*(?:\.\d+)?(?:hh|ll|[hlzjt])?[sdiufgeExXcp@](?!\w)",
            r"%\d+(?![\d\w])|%[A-Za-z_]+%|(?<![\w$])\$[A-Za-z_]\w*",  # variables
            r"(?<![\w-])--[A-Za-z][\w-]+",  # an option
            # a path
            r"(?<![\w/.-])(?:~|\.{1,2})?(?:/[\w.+@-]*\w)+/?|\b[A-Za-z]:\\[^\s\"<>|]*[\w\\]",
            r"\b\w+(?:(?:\.|::|->)\w+){0,8}\(\)",  # a call
            r"\b\w+(?:(?:::|->)\w+)+",
            r"\b(?:\w{2,}\.){1,8}[a-z]\w+\b",  # a file, a dotted name
            # an identifier
            r"\b(?:\w*[A-Za-z0-9]_\w+|__?[A-Za-z]\w*|[a-z]+[A-Z]\w+|0x[0-9A-Fa-f]+)\b",
            r":::[^:]+:::",
        )
    )
)

_HINT = re.compile(rf"[`@<&{{%$/*\\_]|\w\.\w|::|--|->|\(\)|\][(:\[]|[a-z][A-Z]|\b0x|{_ANY.pattern}")
"""What is found in any text that has a span; most sentences are done with after this search."""


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

    def restore(self, translation: str) -> str:
        """Return the translation of `text` with the spans put back, each exactly once.

        A placeholder that the model has repeated counts once; spans whose placeholders it has left
        out follow at the end.
        """
        missing = dict(zip(self.placeholders, self.spans, strict=True))
        restored = _ANY.sub(lambda found: missing.pop(found[0], ""), translation)
        return " ".join((restored, *missing.values())) if missing else restored


def symbols(count: int) -> list[str]:
    """Return the first `count` placeholders."""
    return [chr(_FIRST + number) for number in range(count)]


def placeholders_in(text: str) -> list[str]:
    """Return all placeholders in a text, sorted."""
    return sorted(_ANY.findall(text))


def protect(sentence: str, count: int) -> Protected:
    """Replace the first `count` spans of a sentence that are not language."""
    if not count:
        return Protected(sentence)
    spans = _find(sentence)[:count]
    return _replace(sentence, spans, symbols(count)[: len(spans)])


def protect_pair(source: str, target: str, count: int) -> tuple[str, str]:
    """Replace the spans that a sentence and its translation have in common, for training.

    Their numbers start anywhere, so that the model comes to know all placeholders.
    """
    theirs = _find(target) if count else []
    if not theirs:
        return source, target
    both: list[tuple[re.Match[str], re.Match[str]]] = []
    for mine in _find(source):
        twin = next((span for span in theirs if span[0] == mine[0]), None)
        if twin is not None and len(both) < count:
            theirs.remove(twin)
            both.append((mine, twin))
    first = zlib.crc32(source.encode()) % count
    names = dict(zip(both, [*symbols(count)[first:], *symbols(count)[:first]], strict=False))
    by_target = sorted(both, key=lambda twins: twins[1].start())
    return (
        _replace(source, [mine for mine, _ in both], [names[twins] for twins in both]).text,
        _replace(target, [twin for _, twin in by_target], [names[t] for t in by_target]).text,
    )


def _find(text: str) -> list[re.Match[str]]:
    return list(_SPANS.finditer(text)) if _HINT.search(text) else []


def _replace(text: str, spans: Sequence[re.Match[str]], names: Sequence[str]) -> Protected:
    parts, end = [], 0
    for span, name in zip(spans, names, strict=True):
        parts += [text[end : span.start()], name]
        end = span.end()
    return Protected("".join([*parts, text[end:]]), tuple(s[0] for s in spans), tuple(names))
