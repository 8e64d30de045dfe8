"""Resources of .NET keep their names, their types and their schema."""

from __future__ import annotations

from tests.documents import shouted, texts, unchanged
from translator.documents.catalogues.resx import read_resx

FILE = """<?xml version="1.0" encoding="utf-8"?>
<root>
  <!-- Some words -->
  <xsd:schema id="root" xmlns="" xmlns:xsd="http://www.w3.org/2001/XMLSchema">
    <xsd:element name="data"><xsd:documentation>A word</xsd:documentation></xsd:element>
  </xsd:schema>
  <resheader name="version"><value>two</value></resheader>
  <data name="$this.Text" xml:space="preserve">
    <value>&amp;Open {0} "files"</value>
    <comment>A comment</comment>
  </data>
  <data name="&gt;&gt;a.Name" xml:space="preserve"><value>a button</value></data>
  <data name="Icon" type="System.Drawing.Icon, System.Drawing"><value>icon file</value></data>
  <data name="Image" mimetype="application/x-microsoft.net.object.bytearray.base64">
    <value>AAEAAAD</value>
  </data>
  <data name="Plain" type="System.String, mscorlib"><value>A word</value></data>
  <data name="Html" xml:space="preserve"><value><![CDATA[<b>Two</b> & more]]></value></data>
  <data name="Number" xml:space="preserve"><value>12</value></data>
  <data name="Empty" xml:space="preserve"><value /></data>
</root>
"""


def test_texts_without_a_type_are_units() -> None:
    document = read_resx("a.resx", FILE.encode())
    assert texts(document) == ['Open {0} "files"', "A word", "<b>Two</b> & more"]
    assert unchanged(document) == FILE.encode()
    for codec in ("utf-8-sig", "utf-16"):
        data = (
            FILE.replace('"utf-8"', f'"{codec[:6].rstrip("-")}"')
            .replace("\n", "\r\n")
            .encode(codec)
        )
        assert unchanged(read_resx("a.resx", data)) == data


def test_all_but_the_texts_stays() -> None:
    written = shouted(read_resx("a.resx", FILE.encode())).decode()
    expected = FILE.replace('&amp;Open {0} "files', '&amp;OPEN {0} "FILES')
    expected = expected.replace("<value>A word", "<value>A WORD")
    assert written == expected.replace("<b>Two</b> & more", "<b>TWO</b> & MORE")
