"""What elements and attributes mean to a translation: HTML's, and those of any other markup."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field

from translator.text.characters import word_set

RAW_TEXT = word_set("iframe noembed noframes script style textarea xmp")
"""Their content is not markup, and nothing to translate."""

TEXT_ONLY = word_set("title")
"""Their content is text without tags."""

VOID = word_set(
    "area base basefont bgsound br col embed frame hr img input link meta param source track wbr"
)
"""They have no end tag."""

BLOCKS = word_set(
    "address article aside audio blockquote body button canvas caption center col colgroup datalist"
    " dd details dialog dir div dl dt embed fieldset figcaption figure footer form frame frameset"
    " h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe label legend li main map menu nav"
    " noframes noscript object ol optgroup option p pre search section select summary table"
    " tbody td template textarea tfoot th thead title tr ul video xmp"
)
"""They end the paragraph before them; all other elements, unknown ones too, stand inside one."""

UNTRANSLATED = word_set("code kbd math pre rp rt samp svg tt var") | RAW_TEXT
"""Their content comes back as it is, unless an element inside has `translate="yes"`."""

UNREAD = word_set("link meta rp rt script style svg")
"""Nobody reads them as part of a sentence."""

RAISED = word_set("sub sup")
"""What they raise or lower may be no word, but a mark of a note."""

ITALIC = word_set("em i")
"""What they slant may be the name of a variable."""

UNTRANSLATED_CLASSES = word_set("notranslate mention hashtag hashtag-cooked u-url")
"""Names of people and topics have them: Mastodon's and Discourse's, and Google's mark."""

UNTRANSLATED_IN_LINKS = word_set("invisible ellipsis")
"""Parts of an address that Mastodon shows shortened."""

TRANSLATED_ATTRIBUTES = word_set("alt aria-label placeholder title")

TRANSLATED_META = word_set("description og:title og:description twitter:title twitter:description")
"""`<meta>` whose `content` is translated, by `name` or `property`."""

BUTTONS = word_set("button reset submit")
"""Types of `<input>` whose `value` is what stands on the button."""

LABELLED = word_set("optgroup option track")
"""Elements whose `label` is shown."""

_CELLS, _TERMS, _PARAGRAPH = word_set("td th"), word_set("dd dt"), word_set("p")

ENDED_BY = {
    **dict.fromkeys(BLOCKS, _PARAGRAPH),
    "li": _PARAGRAPH | {"li"},
    **dict.fromkeys(_TERMS, _TERMS | _PARAGRAPH),
    **dict.fromkeys(_CELLS, _CELLS | _PARAGRAPH),
    "tr": _CELLS | {"tr"},
    "option": word_set("option"),
}
"""By start tag, which elements it ends if they are the innermost, since they need no end tag."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TagWishes:
    """What someone says of tags by their names; case does not matter.

    Attributes:
        ignored: their content comes back as it is.
        splitting: they end the paragraph before them.
        joining: they stand inside a paragraph.
        finds_outline: whether, in XML, all other tags that enclose whole texts split too.
    """

    ignored: frozenset[str] = frozenset()
    splitting: frozenset[str] = frozenset()
    joining: frozenset[str] = frozenset()
    finds_outline: bool = True

    def __post_init__(self) -> None:
        """Write all names in small letters."""
        for name in ("ignored", "splitting", "joining"):
            names = frozenset(tag.lower() for tag in getattr(self, name))
            object.__setattr__(self, name, names)


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """How one kind of markup is read. The defaults are XML's, of which only names are known.

    Attributes:
        is_xml: whether `<a/>` has no content, and names may have any letters.
        raw_text: see RAW_TEXT; and so on.
        has_attributes: whether attributes say or hold something to translate.
        line_breaks: elements that end a line.
    """

    is_xml: bool = True
    raw_text: frozenset[str] = frozenset()
    text_only: frozenset[str] = frozenset()
    void: frozenset[str] = frozenset()
    blocks: frozenset[str] = frozenset()
    untranslated: frozenset[str] = frozenset()
    unread: frozenset[str] = frozenset()
    ended_by: Mapping[str, frozenset[str]] = field(default_factory=dict)
    has_attributes: bool = False
    line_breaks: frozenset[str] = frozenset()

    def with_wishes(self, wishes: TagWishes) -> Rules:
        """Return rules that follow what someone says of tags."""
        return dataclasses.replace(
            self,
            blocks=(self.blocks - wishes.joining) | wishes.splitting,
            untranslated=self.untranslated | wishes.ignored,
        )


HTML = Rules(
    is_xml=False,
    raw_text=RAW_TEXT,
    text_only=TEXT_ONLY,
    void=VOID,
    blocks=BLOCKS,
    untranslated=UNTRANSLATED,
    unread=UNREAD,
    ended_by=ENDED_BY,
    has_attributes=True,
    line_breaks=word_set("br"),
)

XHTML = dataclasses.replace(HTML, is_xml=True, ended_by={})
"""HTML written as XML."""
