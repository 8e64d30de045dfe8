"""What HTML's elements and attributes mean to a translation."""

from __future__ import annotations


def _names(names: str) -> frozenset[str]:
    return frozenset(names.split())


RAW_TEXT = _names("iframe noembed noframes script style textarea xmp")
"""Their content is not markup, and nothing to translate."""

TEXT_ONLY = _names("title")
"""Their content is text without tags."""

VOID = _names(
    "area base basefont bgsound br col embed frame hr img input link meta param source track wbr"
)
"""They have no end tag."""

BLOCKS = _names(
    "address article aside audio blockquote body button canvas caption center col colgroup datalist"
    " dd details dialog dir div dl dt embed fieldset figcaption figure footer form frame frameset"
    " h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe label legend li main map menu nav"
    " noframes noscript object ol optgroup option p pre search section select summary table"
    " tbody td template textarea tfoot th thead title tr ul video xmp"
)
"""They end the paragraph before them; all other elements, unknown ones too, stand inside one."""

UNTRANSLATED = _names("code kbd math pre samp svg tt var") | RAW_TEXT
"""Their content comes back as it is, unless an element inside has `translate="yes"`."""

UNREAD = _names("link meta script style svg")
"""Nobody reads them as part of a sentence."""

UNTRANSLATED_CLASSES = _names("notranslate mention hashtag hashtag-cooked u-url")
"""Names of people and topics have them: Mastodon's and Discourse's, and Google's mark."""

UNTRANSLATED_IN_LINKS = _names("invisible ellipsis")
"""Parts of an address that Mastodon shows shortened."""

TRANSLATED_ATTRIBUTES = _names("alt aria-label placeholder title")

TRANSLATED_META = _names("description og:title og:description twitter:title twitter:description")
"""`<meta>` whose `content` is translated, by `name` or `property`."""

_CELLS, _TERMS, _PARAGRAPH = _names("td th"), _names("dd dt"), _names("p")

ENDED_BY = {
    **dict.fromkeys(BLOCKS, _PARAGRAPH),
    "li": _PARAGRAPH | {"li"},
    **dict.fromkeys(_TERMS, _TERMS | _PARAGRAPH),
    **dict.fromkeys(_CELLS, _CELLS | _PARAGRAPH),
    "tr": _CELLS | {"tr"},
    "option": _names("option"),
}
"""By start tag, which elements it ends if they are the innermost, since they need no end tag."""
