"""Translation memories get translations where they have none."""

from __future__ import annotations

from tests.documents import A, B, shouted, texts, unchanged
from translator.documents.catalogues.tmx import read_tmx

FILE = """<?xml version="1.0"?>
<tmx version="1.4">
  <header srclang="en-US" datatype="xml" segtype="sentence" adminlang="en" o-tmf="x"/>
  <body>
    <tu tuid="1">
      <tuv xml:lang="fr"><seg>Le chien</seg></tuv>
      <tuv xml:lang="en-GB"><seg>The <bpt i="1">&lt;b&gt;</bpt>dog<ept i="1">&lt;/b&gt;</ept> &amp; <ph x="2"/></seg></tuv>
    </tu>
    <tu><tuv xml:lang="en"><seg>Done</seg></tuv><tuv xml:lang="de-AT"><seg>Fertig</seg></tuv></tu>
    <tu><tuv xml:lang="en"><seg>A <hi>cat</hi></seg></tuv></tu>
    <tu><tuv xml:lang="en"><seg>12</seg></tuv></tu>
  </body>
</tmx>
"""  # noqa: E501


def test_what_is_missing_is_filled_in_and_nothing_else() -> None:
    document = read_tmx("a.tmx", FILE.encode(), "de")
    assert texts(document) == [f"The <{A}>dog</{A}> & <{B}=2/>", f"A <{A}>cat</{A}>"]
    first = (
        '\n      <tuv xml:lang="de"><seg>THE <bpt i="1">&lt;b&gt;</bpt>DOG<ept i="1">&lt;/b&gt;'
        '</ept> &amp; <ph x="2"/></seg></tuv>'
    )
    second = '<tuv xml:lang="de"><seg>A <hi>CAT</hi></seg></tuv>'
    assert shouted(document).decode() == FILE.replace(
        '<ph x="2"/></seg></tuv>', '<ph x="2"/></seg></tuv>' + first
    ).replace("</hi></seg></tuv>", "</hi></seg></tuv>" + second)


def test_without_a_target_nothing_changes() -> None:
    document = read_tmx("a.tmx", FILE.encode())
    assert texts(document) == []
    assert unchanged(document) == FILE.encode()


def test_the_first_text_is_translated_where_no_language_is_the_source() -> None:
    data = FILE.replace('srclang="en-US"', 'srclang="*all*"').encode()
    assert texts(read_tmx("a.tmx", data, "de"))[0] == "Le chien"
