"""HTML: tokens of a page or a fragment, which elements mean what, and the reader made of them."""

from translator.text.formats.html.reader import read_html

__all__ = ["read_html"]
