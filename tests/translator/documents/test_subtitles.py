"""Subtitles keep their numbers and times; sentences are broken where they were."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents import A, shouted, texts, unchanged
from translator.documents.subtitles import read_ass, read_srt, read_vtt

SRT = """\ufeff1
00:00:01,000 --> 00:00:02,500
<i>This is a sentence that</i>

2
00:00:02,600 --> 00:00:04,500 X1:10
<i>ends in the next
of these cues.</i>

3
00:00:05,600 --> 00:00:06,500
- What do <b>you</b> say?
- {\\an8}I say nothing
at all!

4
00:00:07,000 --> 00:00:08,000
♪ 123 ♪
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_subtitles_are_translated(newline: str) -> None:
    data = SRT.replace("\n", newline).encode()
    document = read_srt("a.srt", data)
    assert texts(document)[0] == "This is a sentence that ends in the next of these cues."
    assert unchanged(document) == data
    written = shouted(document).decode()
    assert written.replace(newline, "\n").lower() == SRT.lower()
    assert f"<i>ENDS IN THE NEXT{newline}OF THESE CUES.</i>" in written


def cues(*spoken: str, pause: str = "000") -> bytes:
    return "\n\n".join(
        f"{n}\n00:00:0{n},{pause} --> 00:00:0{n + 1},000\n{text}" for n, text in enumerate(spoken)
    ).encode()


@pytest.mark.parametrize(
    ("spoken", "expected"),
    [
        (["He went", "and came."], ["He went and came."]),
        (["He went.", "and came."], ["He went.", "and came."]),
        (["He went", "And came."], ["He went", "And came."]),
        (["He went", "- and came."], ["He went", "- and came."]),
        (["He went", "<i>and</i> came."], 2),
        (["He <i>went</i>", "and came."], 2),
        (["a b", "c d", "e f", "g h", "i j"], ["a b c d e f g h", "i j"]),
    ],
)
def test_cues_are_joined_only_where_it_is_safe(spoken: list[str], expected: object) -> None:
    found = texts(read_srt("a.srt", cues(*spoken)))
    assert found == expected or len(found) == expected


@pytest.mark.parametrize(
    ("spoken", "units"),
    [
        ("TOM: Who's there?\nANNA: It's me.", ["TOM: Who's there?", "ANNA: It's me."]),
        ("[DOOR OPENS]\nWho is it?", ["[DOOR OPENS]", "Who is it?"]),
        (
            "MR. O'NEIL: Stay\nwhere you are.\n(gunshot)",
            ["MR. O'NEIL: Stay where you are.", "(gunshot)"],
        ),
        (
            "<i>[MUSIC]</i>\nDR. ÖZ: Now (or never)\nit is.",
            ["[MUSIC]", "DR. ÖZ: Now (or never) it is."],
        ),
        ("It is so: one\nThing: two", ["It is so: one Thing: two"]),
        ("(laughs) TOM: That\nis funny.", ["(laughs)", "TOM: That is funny."]),
        ("<i>♪ La\nla ♪</i>\nI love\nit.", ["♪ La la ♪", "I love it."]),
        ("# La la #\nI love\n[door\ncloses]", ["# La la #", "I love [door closes]"]),
        ("[door\ncloses]\nI love\nit.", ["[door closes]", "I love it."]),
        ("（ドアが閉まる）\n誰だ", ["（ドアが閉まる）", "誰だ"]),
    ],
)
def test_each_speaker_and_each_sound_has_lines_of_its_own(spoken: str, units: list[str]) -> None:
    for read in (read_srt, read_vtt):
        data = cues(spoken).replace(b",000", b".000") if read is read_vtt else cues(spoken)
        document = read("a", b"WEBVTT\n\n" + data if read is read_vtt else data)
        assert [re.sub("<[^<>]*>", "", text) for text in texts(document)] == ["\n".join(units)]


def test_a_sound_stays_in_the_line_of_its_speaker() -> None:
    document = read_srt("a.srt", cues("[SIGHS] TOM: Yes.\n(laughs) ANNA: No."))
    translation = "[SEUFZT]\nTOM: Ja.\n(lacht)\nANNA: Nein."
    assert document.rebuild([translation]) == cues("[SEUFZT] TOM: Ja.\n(lacht) ANNA: Nein.")


def test_cues_with_a_pause_between_are_not_joined() -> None:
    data = cues("He went", "and came.").replace(b"1,000 --> 00:00:02", b"8,000 --> 00:00:09")
    assert len(read_srt("a.srt", data).units) == 2


@pytest.mark.parametrize(
    ("translation", "first", "second"),
    [("Er ging weg und kam wieder", "Er ging weg", "und kam wieder"), ("Weg", "Weg", "…")],
)
def test_each_of_joined_cues_has_a_line(translation: str, first: str, second: str) -> None:
    document = read_srt("a.srt", cues("He went out", "and came back"))
    assert document.rebuild([translation]) == cues(first, second)


def test_a_cue_without_a_translation_is_never_empty() -> None:
    assert read_srt("a.srt", cues("Hm.")).rebuild([""]) == cues("…")


def test_tags_around_each_line_are_put_around_each_line() -> None:
    document = read_srt("a.srt", cues("<i>He went out and</i>\n<i>came back.</i>"))
    assert texts(document) == ["He went out and came back."]
    lines = "<i>HE WENT OUT AND</i>\n<i>CAME BACK.</i>"
    assert shouted(document) == cues(lines)


def test_tags_inside_are_marks() -> None:
    document = read_srt("a.srt", cues("He <b>went</b> out."))
    assert texts(document) == [f"He <{A}>went</{A}> out."]
    assert document.rebuild([f"<{A}>Raus</{A}> ging er."]) == cues("<b>Raus</b> ging er.")


def test_cues_without_blank_lines_and_a_cut_end_are_read() -> None:
    data = b"1\n00:00:01,000 --> 00:00:02,000\nOne.\n2\n00:00:02,000 --> 00:00:03,000\nTwo."
    document = read_srt("a.srt", data)
    assert texts(document) == ["One.", "Two."]
    assert shouted(document) == data.replace(b"One", b"ONE").replace(b"Two", b"TWO")
    cut = data + b"\n\n3\n00:00:0"
    assert unchanged(read_srt("a.srt", cut)) == cut


@pytest.mark.parametrize(
    "text", ["</b>" * 50_000 + "x", "<" + "a" * 200_000, "{\\" * 50_000 + "x", "x\n" * 50_000]
)
def test_long_cues_that_make_no_sense_are_kept(text: str) -> None:
    data = cues(text)
    assert unchanged(read_srt("a.srt", data)) == data


def test_windows_encoding_is_kept() -> None:
    data = cues("Où est-elle ?").decode().encode("cp1252")
    assert shouted(read_srt("a.srt", data)) == cues("OÙ EST-ELLE ?").decode().encode("cp1252")


VTT = """WEBVTT - title

NOTE
not this

STYLE
::cue(b) { color: red }

intro
00:01.000 --> 00:02.000 align:start
<v Roger Bingham>Tom &amp; <c.loud>Jerry</c> are
&lt;here&gt;.
"""


def test_web_subtitles_keep_notes_styles_and_entities() -> None:
    document = read_vtt("a.vtt", VTT.encode())
    assert texts(document) == [f"Tom & <{A}>Jerry</{A}> are <here>."]
    assert unchanged(document) == VTT.encode()
    written = shouted(document).decode()
    assert written.startswith(VTT[: VTT.index("Tom")])
    assert "TOM &amp; <c.loud>JERRY</c> ARE" in written
    assert "&lt;HERE&gt;." in written


HEAD = r"""[Script Info]
Title: Some film
[V4+ Styles]
Format: Name, Fontname
Style: Default,Arial
[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
"""


def line(text: str, kind: str = "Dialogue") -> str:
    return f"{kind}: 0,0:00:01.00,0:00:03.00,Default,Ann,0,0,0,,{text}"


@pytest.mark.parametrize(
    ("text", "found", "written"),
    [
        ("Hello, dog", ["Hello, dog"], "HELLO, DOG"),
        (r"{\an8\pos(1,2)}Up here", ["Up here"], r"{\an8\pos(1,2)}UP HERE"),
        (r"A {\i1}big{\i0} dog", [f"A <{A}>big</{A}> dog"], r"A {\i1}BIG{\i0} DOG"),
        (r"{\b1}Up{\b0}{\fad(1,2)}", ["Up"], r"{\b1}UP{\b0}{\fad(1,2)}"),
        (r"One line\Nand two", ["One line and two"], r"ONE LINE\NAND TWO"),
        (r"- Hello\N- Yes", ["- Hello\n- Yes"], r"- HELLO\N- YES"),
        (
            r"{\i1}[door closes]{\i0}\NOne\Ndog",
            [f"<{A}>[door closes]</{A}>\nOne dog"],
            r"{\i1}[DOOR CLOSES]{\i0}\NONE\NDOG",
        ),
        (r"{\p1}m 0 0 l 100 0{\p0}", [], r"{\p1}m 0 0 l 100 0{\p0}"),
        ("12:00", [], "12:00"),
    ],
)
def test_what_is_said_is_translated(text: str, found: list[str], written: str) -> None:
    data = f"{HEAD}{line(text)}\r\n".encode()
    document = read_ass("a.ass", data)
    assert texts(document) == found
    assert unchanged(document) == data
    assert shouted(document).decode() == f"{HEAD}{line(written)}\r\n"


ALONE = ("♪ La la ♪", "[door closes]", "(laughs)", "♫")


@given(st.lists(st.sampled_from([*ALONE, "I love", "this dog.", "- No,"]), max_size=5))
def test_what_is_wholly_sung_or_a_sound_stays_in_its_line(lines: list[str]) -> None:
    lines = ["Hello", *lines]
    plain = read_srt("a.srt", cues("\n".join(lines)))
    styled = read_ass("a.ass", (HEAD + line(r"\N".join(lines))).encode())
    for document in (plain, styled):
        told = [one for one in texts(document)[0].split("\n") if one in ALONE]
        assert told == [one for one in lines if one in ALONE]
    loud = [one.upper() for one in lines]
    assert shouted(plain) == cues("\n".join(loud))
    assert shouted(styled).decode() == HEAD + line(r"\N".join(loud))


def test_comments_and_other_sections_stay() -> None:
    comment = line("A note", "Comment")
    data = f"{HEAD}{comment}\n{line('A dog')}\n[Fonts]\nDialogue: x\n".encode()
    assert texts(read_ass("a.ssa", data)) == ["A dog"]


KARAOKE = st.lists(
    st.sampled_from(["I", "have", "never", "seen", "the dog.", "&amp;"]), min_size=2, max_size=8
)


@given(KARAOKE, st.sampled_from(["%s ", "<c>%s</c> ", "<c.red> %s</c>"]), st.integers(1, 12))
def test_times_in_a_cue_rise_whatever_a_translation_says(
    words: list[str], around: str, count: int
) -> None:
    timed = "".join(
        f"<00:00:01.{number}00>{around % word}" for number, word in enumerate(words[1:], 1)
    )
    cue = f"{words[0]} {timed}".strip()
    document = read_vtt("a.vtt", f"WEBVTT\n\n00:01.000 --> 00:02.000\n{cue}\n".encode())
    assert texts(document) == [" ".join(words).replace("&amp;", "&")]
    said = [f"w{number}" for number in range(count)]
    written = document.rebuild([" ".join(said)]).decode()
    times = re.findall(r"<([\d:.]+)>", written)
    assert times == sorted(times)
    assert re.findall(r"w\d+", written) == said
    assert not re.search(r"<c[^>]*>\s*</c>|<[\d:.]+>\s*(?:<\d|\Z)", written)
    if count >= len(words):
        assert len(times) == len(words) - 1


def test_ruby_is_no_word_to_translate() -> None:
    cue = "WEBVTT\n\n00:01.000 --> 00:02.000\nThe <ruby>漢字<rt>kanji</rt></ruby> is old.\n"
    document = read_vtt("a.vtt", cue.encode())
    assert "kanji" not in texts(document)[0]
    assert shouted(document).decode().endswith("\nTHE <ruby>漢字<rt>kanji</rt></ruby> IS OLD.\n")


@pytest.mark.parametrize("codec", ["cp1250", "utf-16", "utf-16-le", "utf-8-sig"])
def test_subtitles_of_central_europe_keep_their_encoding(codec: str) -> None:
    data = cues("Das ist Jiří Dvořák.").decode()
    written = shouted(read_srt("a.srt", data.encode(codec)))
    assert written == data.replace("Das ist Jiří Dvořák", "DAS IST JIŘÍ DVOŘÁK").encode(codec)
