"""A book as EbookLib makes it."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from ebooklib import epub

from tests.documents import archive, members
from tests.presentations import picture

CHAPTERS = {
    "The dog": '<p>A <b>very</b> old dog &amp; a cat. <a id="here"/> '
    'See <a href="b.xhtml#x">below</a>.</p>'
    '<p><img src="red.png" alt="A red square"/></p><pre>some code</pre>',
    "The cat": '<p id="x">It sleeps<br/>all day.</p><ul><li>One</li><li>Two</li></ul>',
}


@cache
def book() -> bytes:
    """Return a book with two chapters, in the other order in the text than in the contents.

    It has a date of its making, so it is made once.
    """
    made = epub.EpubBook()
    made.set_identifier("book-1")
    made.set_title("Animals & more")
    made.set_language("en")
    made.add_author("Ann Miller")
    made.add_metadata("DC", "description", "A short book.")
    chapters = []
    for name, (title, content) in zip("ab", CHAPTERS.items(), strict=True):
        chapter = epub.EpubHtml(title=title, file_name=f"{name}.xhtml", lang="en")
        chapter.content = f"<h1>{title}</h1>{content}"
        made.add_item(chapter)
        chapters.append(chapter)
    made.add_item(epub.EpubItem("red", "red.png", "image/png", picture()))
    made.toc, made.spine = chapters, ["nav", *chapters[::-1]]
    made.add_item(epub.EpubNcx())
    made.add_item(epub.EpubNav())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "book.epub")
        epub.write_epub(path, made)
        return path.read_bytes()


def with_members(**changed: bytes | str) -> bytes:
    """Return the book with other members; `_` stands for `/` in their names, and `__` for `.`."""
    names = {name.replace("__", ".").replace("_", "/"): one for name, one in changed.items()}
    return archive({**members(book()), **names})
