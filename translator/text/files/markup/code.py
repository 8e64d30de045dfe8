"""Which formats are for code: their text is no language, so it comes back as it is."""

from __future__ import annotations

import re

_CODE = re.compile(
    r"Code|(?<![A-Za-z])code|(?i:source[ _]?(?:20_)?text|verbatim|preformatted|teletype|typewriter"
    r"|(?:inline|block)_?literal|literalblock|codeblock|courier|consolas|menlo|monaco)|Mono(?![a-z])"
    r"|(?<![A-Za-z])monospace"
)


def is_for_code(format_of_text: str) -> bool:
    """Return whether a style or a font is for code, by its name.

    Args:
        format_of_text: a name, or markup with some.
    """
    return _CODE.search(format_of_text) is not None
