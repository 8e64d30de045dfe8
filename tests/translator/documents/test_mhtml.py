"""Saved pages come back with their pictures, in the encodings of their parts."""

from __future__ import annotations

import base64
import email
import email.policy
import quopri
import re
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents import shouted, texts, unchanged
from translator.documents.mhtml import read_mhtml
from translator.documents.plain import read_page
from translator.errors import InputError

HEAD = (
    "From: <Saved by Blink>\r\nSubject: Some words\r\nMIME-Version: 1.0\r\n"
    'Content-Type: multipart/related;\r\n\ttype="text/html";\r\n\tboundary="--A--x"\r\n\r\n\r\n'
)
PAGE = '<html lang="en"><head><meta charset="utf-8"></head><p title="a dog">One {}</p></html>'
PICTURE = "Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\naVZCT1J3MEtHZ28=\r\n"
FRAME = "Content-Type: text/html; charset=windows-1252\r\n\r\n<p>Two</p>"


def saved(*parts: str, codec: str = "utf-8") -> bytes:
    return (HEAD + "".join(f"----A--x\r\n{part}\r\n" for part in parts) + "----A--x--\r\n").encode(
        codec
    )


def in_quotes(page: str) -> str:
    encoded = page.replace("=", "=3D").replace("ä", "=C3=A4").replace("|", "=\r\n")
    return (
        f"Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n{encoded}"
    )


def parts(data: bytes) -> list[tuple[str, Any]]:
    message = email.message_from_bytes(data, policy=email.policy.default)
    leaves = (part for part in message.walk() if not part.is_multipart())
    return [(one.get_content_type(), one.get_payload(decode=True)) for one in leaves]


def test_pages_are_units_and_nothing_else() -> None:
    data = saved(in_quotes(PAGE.format("<b>ä</b>|ig")), PICTURE, FRAME)
    document = read_mhtml("a.mhtml", data, "de")
    assert [text[:3] for text in texts(document)] == ["a d", "One", "Two"]
    assert unchanged(read_mhtml("a.mhtml", data)) == data
    written = shouted(document)
    assert written.startswith(HEAD.encode())
    assert PICTURE.encode() in written
    [page, picture, frame] = parts(written)
    assert page[1].decode() == (
        '<html lang="de"><head><meta charset="utf-8"></head><p title="A DOG">ONE <b>Ä</b>IG</p>'
        "</html>"
    )
    assert (picture[1], frame[1]) == (b"iVBORw0KGgo", b"<p>TWO</p>")
    assert max(map(len, written.splitlines())) < 80


@pytest.mark.parametrize(
    ("transfer", "body", "expected"),
    [
        ("8bit", "<p>ä</p>", "<p>Ž€</p>"),
        ("BINARY", "<p>ä</p>", "<p>Ž€</p>"),
        ("7bit", "<p>a</p>", "<p>&#381;&#8364;</p>"),
        ("base64", "PHA+w6Q8L3A+", "PHA+xb3igqw8L3A+\r\n"),
        ("quoted-printable", "<p>=C3=A4</p>", "<p>=C5=BD=E2=82=AC</p>"),
    ],
)
def test_a_part_keeps_its_encoding(transfer: str, body: str, expected: str) -> None:
    head = (
        f"Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: {transfer}\r\n\r\n"
    )
    document = read_mhtml("a.mht", saved(head + body))
    assert document.rebuild(["Ž€"]) == saved(head + expected)


def test_what_the_charset_of_a_part_lacks_is_a_reference() -> None:
    document = read_mhtml("a.mht", saved(FRAME, codec="cp1252"))
    assert document.rebuild(["Žä Ж"]) == saved(FRAME.replace("Two", "Žä &#1046;"), codec="cp1252")


def test_a_page_may_stand_alone_or_among_alternatives() -> None:
    alone = b"Content-Type: text/html\n\n<p>One</p>\n"
    assert shouted(read_mhtml("a.mht", alone)) == alone.replace(b"One", b"ONE")
    message = EmailMessage()
    message.set_content("Not this")
    message.add_alternative("<p>One</p>", subtype="html")
    message.make_mixed()
    data = message.as_bytes()
    assert shouted(read_mhtml("a.mht", data)) == data.replace(b"One", b"ONE")


@pytest.mark.parametrize("cut", ["----A--x--", "Content-Type: multipart", "----A--x\r\nContent"])
def test_damage_is_named_in_one_line(cut: str) -> None:
    data = saved(in_quotes(PAGE), PICTURE).partition(cut.encode())[0]
    with pytest.raises(InputError, match=r"^a\.mht: (is cut off|has no page).*save") as raised:
        read_mhtml("a.mht", data)
    assert "\n" not in str(raised.value)


WHOLE = saved(in_quotes(PAGE), PICTURE, FRAME)
JUNK = (
    b"",
    b"\xff",
    b"\0",
    b"\r\n",
    b"--",
    b"=",
    b'"',
    b";",
    b"charset=\xff",
    b"charset*=a'b'c",
    b"=?q?",
)


@given(st.integers(0, len(WHOLE)), st.integers(0, 40), st.sampled_from(JUNK))
def test_drawn_damage_is_read_or_named_in_one_line(start: int, count: int, junk: bytes) -> None:
    data = WHOLE[:start] + junk + WHOLE[start + count :]
    told = "a.mht: is read"
    try:
        assert unchanged(read_mhtml("a.mht", data)) == data
    except InputError as error:
        told = str(error)
    assert re.fullmatch(r"a\.mht(?:, line \d+)?: .+", told)


DRAWN = st.lists(
    st.sampled_from(
        [
            "dog ",
            "<b>",
            "</b>",
            "<p>",
            "\r\n",
            "\n",
            "\r",
            " ",
            "\t",
            "=",
            "=20",
            ".",
            "ä",
            "--",
            "x" * 90,
        ]
    ),
    max_size=15,
).map("".join)


Convert = Callable[[bytes], bytes]
CODECS: Mapping[str, tuple[Convert, Convert]] = {
    "quoted-printable": (quopri.encodestring, quopri.decodestring),
    "base64": (base64.encodebytes, base64.decodebytes),
    "8bit": (bytes, bytes),
}


@given(DRAWN, st.sampled_from([*CODECS]), st.sampled_from([b"\n", b"\r\n"]))
def test_drawn_pages_come_back(body: str, transfer: str, newline: bytes) -> None:
    encode, decode = CODECS[transfer]
    raw = encode(f"<meta charset=utf-8><p>{body}</p>".encode())
    head = f"Content-Type: text/html\r\nContent-Transfer-Encoding: {transfer}\r\n\r\n"
    before, _, after = saved(head + "\0", PICTURE).replace(b"\r\n", newline).partition(b"\0")
    assert unchanged(read_mhtml("a.mhtml", before + raw + after)) == before + raw + after
    written = shouted(read_mhtml("a.mhtml", before + raw + after))
    inside = written.removeprefix(before).removesuffix(after)
    assert decode(inside) == shouted(read_page("a.html", decode(raw)))
