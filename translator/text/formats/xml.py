"""A text with tags of XML, whatever they mean, as units to translate, and the way back.

What is not translated comes back byte for byte, as in HTML: comments, instructions, CDATA sections
and the values of attributes too. A text that is no well-formed XML is read as far as it goes.
"""

from __future__ import annotations

from translator.text.formats.document import THE_TEXT, TextDocument
from translator.text.formats.html.reader import read_markup
from translator.text.formats.html.rules import Rules, TagWishes
from translator.text.formats.html.tokens import tokens

_NAMES = Rules()


def read_xml(
    text: str, name: str = THE_TEXT, wishes: TagWishes | None = None, target: str | None = None
) -> TextDocument:
    """Take apart a document or a fragment; any text is one.

    Args:
        text: any text.
        name: for errors.
        wishes: what to do with some of its tags.
        target: language of the translation; plurals of ICU get its categories.

    Raises:
        InputError: it has too many units.
    """
    wishes = wishes or TagWishes()
    rules = Rules(blocks=outline_of(text)) if wishes.finds_outline else _NAMES
    return read_markup(text, rules.with_wishes(wishes), name, target)


def outline_of(text: str) -> frozenset[str]:
    """Return the names of elements that enclose whole texts, rather than parts of a sentence.

    Such an element never has text beside it: all that stands around it in its parent is white space
    and other elements. In `<p>One <b>or</b> two</p>`, that is `p` and not `b`.
    """
    seen: set[str] = set()
    inline: set[str] = set()
    around: list[tuple[str, set[str], bool]] = []  # each open element, its children, has it text
    children, has_text, name = set[str](), False, ""
    for token in tokens(text, _NAMES):
        if token.kind == "text":
            has_text = has_text or not text[token.start : token.end].isspace()
        elif token.kind == "start":
            children.add(token.name)
            seen.add(token.name)
            if not text.endswith("/>", token.start, token.end):
                around.append((name, children, has_text))
                name, children, has_text = token.name, set(), False
        elif token.kind == "end" and token.name == name and around:
            inline |= children if has_text else set()
            name, children, has_text = around.pop()
    for own, is_beside in ((children, has_text), *((own, text) for _, own, text in around)):
        inline |= own if is_beside else set()
    return frozenset(seen - inline)
