"""A text of which more is known than its characters, such as which spans come back verbatim."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from translator.text.spans import Span


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A text, and the spans of it that a translation must repeat as they are.

    Those are tags that a reader of HTML has found, or terms of a glossary. Addresses and other
    spans that can be told by their looks need no mark.

    Attributes:
        text: any text.
        spans: in order, not empty and without overlaps.
        prefix: what the translation of the first sentence begins with; None leaves that to the
            model.
        is_markdown: whether the lines of a paragraph go on in each other, as in Markdown.
    """

    text: str
    spans: tuple[Span, ...] = ()
    prefix: str | None = None
    is_markdown: bool = False

    def __post_init__(self) -> None:
        """Refuse spans that are not in order or not in the text.

        Raises:
            ValueError: naming the span.
        """
        for before, (start, end) in itertools.pairwise(((0, 0), *self.spans)):
            if not before[1] <= start < end <= len(self.text):
                raise ValueError(
                    f"spans: ({start}, {end}) must come behind {before[1]}, not be empty, and end "
                    f"within the {len(self.text)} characters of the text"
                )


def after(separator: str, prefix: str) -> str:
    """Return a prefix of a text without what stands before its first sentence: `- ` or `1. `."""
    return prefix.lstrip().removeprefix(separator.lstrip())
