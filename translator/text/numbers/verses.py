"""Places in the Bible: `Joh 3,16` is `John 3:16`.

A model reads the comma as that of a decimal number, and leaves the names of most books as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_BOOKS = """
Genesis=1. Mose|Genesis|Gen, Exodus=2. Mose|Exodus, Leviticus=3. Mose|Lev, Deuteronomy=5. Mose|Dtn,
Joshua=Josua|Jos, Judges=Richter, Ruth=Rut|Ruth, Samuel=Samuel|Sam, Kings=Könige|Kön,
Chronicles=Chronik|Chr, Ezra=Esra|Esr, Nehemiah=Nehemia|Neh, Esther=Ester|Esther|Est,
Job=Hiob|Ijob, Psalm=Psalm|Ps, Proverbs=Sprüche|Spr, Ecclesiastes=Prediger|Kohelet|Koh,
Isaiah=Jesaja|Jes, Jeremiah=Jeremia|Jer, Lamentations=Klagelieder|Klgl,
Ezekiel=Hesekiel|Ezechiel|Hes, Daniel=Daniel|Dan, Hosea=Hosea|Hos, Joel=Joel, Amos=Amos,
Jonah=Jona, Micah=Micha, Habakkuk=Habakuk|Hab, Zechariah=Sacharja|Sach, Malachi=Maleachi|Mal,
Matthew=Matthäus|Matth|Mt, Mark=Markus|Mk, Luke=Lukas|Lk, John=Johannes|Joh,
Acts=Apostelgeschichte|Apg, Romans=Römer|Röm, Corinthians=Korinther|Kor, Galatians=Galater|Gal,
Ephesians=Epheser|Eph, Philippians=Philipper|Phil, Colossians=Kolosser|Kol,
Thessalonians=Thessalonicher|Thess, Timothy=Timotheus|Tim, Titus=Titus|Tit,
Philemon=Philemon|Phlm, Hebrews=Hebräer|Hebr, James=Jakobus|Jak, Peter=Petrus|Petr, Jude=Judas,
Revelation=Offenbarung|Offb, Numbers=4. Mose|Num
"""
"""In English, and in German: what a book is called first, and its other names."""

_PAIRS = [entry.split("=") for entry in re.split(r",\s", _BOOKS.strip())]
_IN_ENGLISH = {name: book for book, names in _PAIRS for name in names.split("|")}
_IN_GERMAN = {book: names.split("|")[0] for book, names in _PAIRS} | {"Psalms": "Psalm"}

_REST = r"(?P<rest>[-–][0-9]{1,3}(?:[,:][0-9]{1,3})?)?(?![\w:]|[.,–-][0-9]|\s?[€$%°]|\s[A-ZÄÖÜ]"
_GERMAN = re.compile(
    r"\b(?:(?P<number>[1-5])\.\s?)?(?P<book>"
    + "|".join(sorted({*map(re.escape, _IN_ENGLISH), "Mose"}, key=len, reverse=True))
    + r")\.?\s(?P<chapter>[1-9][0-9]{0,2}),\s?(?P<verse>[1-9][0-9]{0,2})"
    + _REST
    + r"|\s(?:[kcm]?m|[km]?g|[mc]?l|mal|bis)\b)"
)
_ENGLISH = re.compile(
    r"\b(?:(?P<number>[1-3])\s)?(?P<book>"
    + "|".join(_IN_GERMAN)
    + r")\s(?P<chapter>[1-9][0-9]{0,2}):(?P<verse>[1-9][0-9]{0,2})"
    + _REST
    + r"|\s?[ap]\.?m\b)"
)
_HINT = re.compile(r"[a-zäöü.] [1-9][0-9]{0,2}[,:] ?[1-9]")


def verses_in(text: str, target: str) -> Iterator[tuple[int, int, str]]:
    """Yield the places in the Bible that a sentence names, and how the language wanted writes them.

    Args:
        text: a sentence, in English if German is wanted, and in German otherwise.
        target: `de` or `en`.
    """
    if not _HINT.search(text):
        return  # as nearly always
    for found in (_ENGLISH if target == "de" else _GERMAN).finditer(text):
        number, book, rest = found["number"], found["book"], found["rest"] or ""
        chapter, verse = found["chapter"], found["verse"]
        if target == "de":
            before = f"{number}. " if number else ""
            yield (
                *found.span(),
                f"{before}{_IN_GERMAN[book]} {chapter},{verse}{rest.replace(':', ',')}",
            )
            continue
        written = _IN_ENGLISH.get(f"{number}. {book}") or _IN_ENGLISH.get(book)
        if written:
            before = f"{number} " if number and book != "Mose" else ""
            yield *found.span(), f"{before}{written} {chapter}:{verse}{rest.replace(',', ':')}"
