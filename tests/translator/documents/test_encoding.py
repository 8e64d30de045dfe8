"""Files come back in the encoding, and with the byte order mark, that they had."""

from __future__ import annotations

import codecs

import pytest

from translator.documents.encoding import TextEncoding, as_utf8, decode
from translator.errors import InputError


@pytest.mark.parametrize(
    "data",
    [
        *("Grüße".encode(), codecs.BOM_UTF8 + "Grüße".encode(), b""),
        codecs.BOM_UTF16_LE + "Grüße".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "Grüße".encode("utf-16-be"),
        codecs.BOM_UTF32_LE + "Grüße".encode("utf-32-le"),
        *(
            text.encode("cp1252")
            for text in (
                "Grüße – „Größe“ kostet 5 €",
                "Rødgrød på øen, Åland är större",
                "São Paulo não é más informações",
                "Õhtul sõidame žürii juurde",
                "L’ŒUVRE naïve déjà",
                "São Paulo, Tromsø, Põltsamaa, Åland",
            )
        ),
        *("Příliš žluťoučký".encode("cp1250"), "Zażółć gęślą jaźń".encode("cp1250")),
        *("Grüße".encode("utf-16-le"), "Grüße".encode("utf-16-be")),
    ],
)
def test_what_was_read_is_written(data: bytes) -> None:
    text, encoding = decode(data, "a.txt")
    assert "\ufeff" not in text
    assert encoding.encode(text) == data


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        *(("Où est-elle ? Ça va.", "cp1252"), ("Jiří Dvořák nešel", "cp1250")),
        *(("Był łoś w dżungli", "cp1250"), ("Az idő múlik, fűt", "cp1250")),
    ],
)
def test_letters_tell_which_part_of_europe_a_text_is_from(text: str, codec: str) -> None:
    assert decode(text.encode(codec), "a.srt") == (text, TextEncoding(codec))


def test_a_declared_encoding_is_used() -> None:
    text, encoding = decode("Žluťoučký".encode("iso-8859-2"), "a.po", "ISO-8859-2")
    assert text == "Žluťoučký"
    assert encoding.encode("ž") == "ž".encode("iso-8859-2")


@pytest.mark.parametrize(
    ("data", "declared", "message"),
    [
        ("ok\nПривет".encode("cp1251"), None, r"a\.srt, line 2: is not UTF-8 \(.*\); save it as"),
        ("да, где ты был".encode("cp1251"), None, r"line 1: is not UTF-8"),
        ("Dağıtım şu".encode("cp1254"), None, r"line 1: is not UTF-8"),
        (b"a\xff", "utf-8", r"line 1: is not UTF-8"),
        (codecs.BOM_UTF16_LE + b"a", None, r"a\.srt, line 1: is not UTF-16-LE"),
        (b"ab\0cd", None, r"a\.srt: has zero bytes, so it is no text file"),
        (b"a", "klingon", r"declares the unknown encoding 'klingon'; save it as UTF-8"),
        (b"a", "rot13", r"declares the unknown encoding 'rot13'"),
        (b"a", "zip", r"declares the unknown encoding 'zip'"),
    ],
)
def test_other_encodings_are_refused(data: bytes, declared: str | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        decode(data, "a.srt", declared)


def test_an_encoding_that_lacks_a_character_gives_way_to_utf_8() -> None:
    assert TextEncoding("cp1252").encode("Ř") == codecs.BOM_UTF8 + "Ř".encode()
    assert TextEncoding("cp1252").encode_markup("Ř<ä>") == b"&#344;<\xe4>"


@pytest.mark.parametrize("codec", ["utf-8", "utf-16", "iso2022_jp", "cp1252"])
def test_a_text_in_parts_has_the_bytes_of_the_whole(codec: str) -> None:
    encoding, parts = TextEncoding(codec), ["<a>", "日本", "ä" * (1 << 18), "€", "</a>"]
    written = b"".join(encoding.encoded_markup(parts))
    assert written == encoding.encode_markup("".join(parts))
    assert b"".join(encoding.encoded_markup([])) == encoding.encode_markup("")


def test_what_is_in_utf8_is_not_copied() -> None:
    data = "<a>ä€😀</a>".encode() * 100_000
    assert as_utf8(data, "a.xml", "UTF-8") == (data, TextEncoding())
    assert as_utf8(data, "a.xml", "utf-8")[0] is data
    marked = b"\xef\xbb\xbf<a/>"
    assert as_utf8(marked, "a.xml", "utf-8") == (b"<a/>", TextEncoding("utf-8", marked[:3]))
    assert as_utf8("ä".encode("cp1252"), "a.xml", "cp1252")[0] == "ä".encode()
    for wrong, message in ((data[:-6], "is not UTF-8"), (b"a\0", "has zero bytes")):
        with pytest.raises(InputError, match=message):
            as_utf8(wrong, "a.xml", "utf-8")
