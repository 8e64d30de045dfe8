"""Small documents of Word and OpenDocument, written by hand."""

from __future__ import annotations

import re

from tests.documents import archive

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_OASIS = "urn:oasis:names:tc:opendocument:xmlns"


def docx(body: str, **others: str) -> bytes:
    """Return a document of Word with a body, and with parts such as `header1`."""
    kinds = {"document": "document.main", **{name: name.rstrip("0123456789") for name in others}}
    types = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{_TYPE}.{kind}+xml"/>'
        for name, kind in kinds.items()
    )
    package = "http://schemas.openxmlformats.org/package/2006/content-types"
    parts = {name: part(content, "hdr") for name, content in others.items()}
    return archive(
        {
            "[Content_Types].xml": f'<Types xmlns="{package}">{types}</Types>',
            "word/styles.xml": "<not><read/></not>",
            "word/document.xml": part(f"<w:body>{body}</w:body>", "document"),
            **{f"word/{name}.xml": content for name, content in parts.items()},
        }
    )


def part(content: str, root: str) -> str:
    """Return a member of a document of Word."""
    names = f'xmlns:w="{W}" xmlns:r="urn:r" xmlns:wp="urn:wp" xmlns:mc="urn:mc" xmlns:v="urn:v"'
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'
    return f"{head}<w:{root} {names}>{content}</w:{root}>"


def in_runs(text: str) -> str:
    """Return a content of Word in which `«text»` and `«text|properties»` are runs."""
    return re.sub("«([^«»|]*)(?:[|]([^«»]*))?»", lambda one: run(one[1], one[2] or ""), text)


def run(text: str, properties: str = "") -> str:
    """Return a run as this project writes it."""
    style = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{style}<w:t xml:space="preserve">{text}</w:t></w:r>'


def field(code: str, shown: str) -> str:
    """Return a field with what it shows."""
    chars = [
        f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end")
    ]
    return f"{chars[0]}<w:r><w:instrText> {code} </w:instrText></w:r>{chars[1]}{shown}{chars[2]}"


def odt(text: str, styles: str = "") -> bytes:
    """Return a text of OpenDocument."""
    spaces = " ".join(
        f'xmlns:{name}="{_OASIS}:{uri or name}:1.0"'
        for name, uri in {"office": "", "text": "", "style": "", "svg": "svg-compatible"}.items()
    )
    spaces += ' xmlns:draw="urn:d" xmlns:officeooo="http://openoffice.org/2009/office"'
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<office:document-content {spaces}>'
        f"<office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{text}</office:text></office:body></office:document-content>"
    )
    return archive({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content})
