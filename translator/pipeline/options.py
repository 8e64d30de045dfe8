"""How texts are translated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

from translator.config import DecodingOptions
from translator.detection.sources import SourceFinder
from translator.documents.markup.html_tokens import TagOptions
from translator.pipeline.translation import Translation
from translator.rules.formality import Formality
from translator.text.glossary import Glossary
from translator.text.marked import MarkedText

TextFormat = Literal["text", "html", "markdown", "xml"]
MarkMethod = Literal["placeholders", "attention"]
OnStep = Callable[[str, Sequence[str]], None]


class SearchOptions(NamedTuple):
    """What the model is asked for; all that a translation of a prepared text depends on.

    The fields are those of `TextOptions`.
    """

    source: str
    target: str
    decoding: DecodingOptions | None = None
    formality: Formality | None = None
    num_alternatives: int | None = None


class Key(NamedTuple):
    """All that a translation by a model depends on.

    Formats, glossaries and the like are in the text and its spans by the time that it is decoded.
    """

    fingerprint: str
    text: MarkedText
    options: SearchOptions


class Cache(Protocol):
    """Keeps translations; safe to use from many threads."""

    def get(self, key: Key) -> Translation | None:
        """Return a translation; None if it is not there."""
        ...

    def put(self, key: Key, source: str, translation: Translation) -> None:
        """Keep the translation of a text, or not."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class TextOptions:
    """How texts are translated.

    Attributes:
        source: language code of all texts, or of most of them if there is a `finder`.
        is_file: whether they are texts of a file; a heading or a cell keeps a capital at its
            beginning there, as it does in all formats but plain text.
        tags: what to do with some tags of HTML or XML.
        glossary: terms whose translation is given.
        decoding: how to search; as the model says by default.
        formality: how to address the reader; as the model does if None.
        num_alternatives: further translations of each text; by default as many as `decoding` says,
            and none by two models. There are none in other formats, nor in a stream.
        prefixes: what each translation begins with, or None; empty if there are none. See
            `TextTranslator.translate`.
        has_words: whether to say of each word where it comes from and how sure it is.
        finder: finds sentences that are in another language than `source`, which are translated
            from that, or stay if it is the one wanted; none if it is None.
        marks: how tags inside a paragraph follow their words. By attention the model reads plain
            sentences, and translates them better. Placeholders take less time, if it has any.
        cache: keeps translations that are given again; nothing does if None.
        on_step: is told of each step of the pipeline, by its name, and of the texts below it.
    """

    source: str
    target: str
    text_format: TextFormat = "text"
    is_file: bool = False
    tags: TagOptions | None = None
    glossary: Glossary | None = None
    decoding: DecodingOptions | None = None
    formality: Formality | None = None
    num_alternatives: int | None = None
    prefixes: Sequence[str | None] = ()
    has_words: bool = False
    finder: SourceFinder | None = None
    marks: MarkMethod = "attention"
    cache: Cache | None = field(default=None, compare=False)
    on_step: OnStep | None = field(default=None, compare=False)

    @property
    def search(self) -> SearchOptions:
        """What the model is asked for."""
        return SearchOptions(
            self.source, self.target, self.decoding, self.formality, self.num_alternatives
        )
