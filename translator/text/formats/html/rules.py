"""What HTML's elements and attributes mean to a translation."""

from __future__ import annotations

RAW_TEXT = frozenset("iframe noembed noframes script style textarea xmp".split())
"""Their content is not markup, and nothing to translate."""

TEXT_ONLY = frozenset({"title"})
"""Their content is text without tags."""

VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input link meta param source track wbr".split()
)
"""They have no end tag."""

BLOCKS = frozenset(
    "address article aside audio blockquote body button canvas caption center col colgroup datalist"
    " dd details dialog dir div dl dt embed fieldset figcaption figure footer form frame frameset"
    " h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe label legend li main map menu nav"
    " noframes noscript object ol optgroup option p pre search section select summary table"
    " tbody td template textarea tfoot th thead title tr ul video xmp".split()
)
"""They end the paragraph before them; all other elements, unknown ones too, stand inside one."""

UNTRANSLATED = frozenset("code kbd math pre samp svg tt var".split()) | RAW_TEXT
"""Their content comes back as it is, unless an element inside has `translate="yes"`."""

UNREAD = frozenset("link meta script style svg".split())
"""Nobody reads them as part of a sentence."""

UNTRANSLATED_CLASSES = frozenset("notranslate mention hashtag hashtag-cooked u-url".split())
"""Names of people and topics have them: Mastodon's and Discourse's, and Google's mark."""

UNTRANSLATED_IN_LINKS = frozenset({"invisible", "ellipsis"})
"""Parts of an address that Mastodon shows shortened."""

TRANSLATED_ATTRIBUTES = frozenset({"alt", "aria-label", "placeholder", "title"})

TRANSLATED_META = frozenset(
    {"description", "og:title", "og:description", "twitter:title", "twitter:description"}
)
"""`<meta>` whose `content` is translated, by `name` or `property`."""

_CELLS = frozenset({"td", "th"})
_TERMS = frozenset({"dd", "dt"})
_IN_PARAGRAPH = frozenset({"p"})

ENDED_BY = {
    **dict.fromkeys(BLOCKS, _IN_PARAGRAPH),
    "li": frozenset({"li", "p"}),
    **dict.fromkeys(_TERMS, _TERMS | _IN_PARAGRAPH),
    **dict.fromkeys(_CELLS, _CELLS | _IN_PARAGRAPH),
    "tr": _CELLS | {"tr"},
    "option": frozenset({"option"}),
}
"""By start tag, which elements it ends if they are the innermost, since they need no end tag."""
