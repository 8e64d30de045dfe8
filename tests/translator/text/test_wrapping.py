"""Lines that only wrap prose: where they are seen, and how they come back."""

from __future__ import annotations

import pytest

from translator.text.segmentation import split
from translator.text.wrapping import lines_that_stay, rewrap, soft_breaks, unwrap

PARAGRAPH = """\
The list of hosts is read when the service starts, and again whenever the file in
which it is kept has been changed. If that fails, the old list stays in force, and
a warning is written."""


def marked(text: str) -> str:
    """Show soft breaks as `~`."""
    soft = soft_breaks(text)
    return "".join("~" if place in soft else sign for place, sign in enumerate(text))


@pytest.mark.parametrize(
    "text",
    [
        PARAGRAPH,
        PARAGRAPH.replace("\n", "\r\n"),
        "- " + PARAGRAPH.replace("\n", "\n  "),
        "- " + PARAGRAPH.replace("\n", "\n    "),
        "    " + PARAGRAPH.replace("\n", "\n    "),
        "12. " + PARAGRAPH.replace("\n", "\n    "),
        "> " + PARAGRAPH.replace("\n", "\n> "),
        ">> " + PARAGRAPH.replace("\n", "\n>> "),
        PARAGRAPH.replace("changed.", "https://example.org/a/very/long/address/with/many/parts"),
    ],
)
def test_wrapped_paragraphs_are_seen(text: str) -> None:
    assert marked(text).count("~") == text.count("\n") == 2


LINE = "Die Liste der Rechner wird gelesen, wenn der Dienst gestartet wird, und"


@pytest.mark.parametrize(
    "text",
    [
        "Eine Überschrift\nund ein Satz.",
        "apples\noranges\npears and plums",
        "A heading that is long enough to look like a line that was wrapped\nThe text of it.",
        f"{LINE}\n\ndanach wieder.",
        f"{LINE}  \ndanach wieder.",
        f"{LINE}\\\ndanach wieder.",
        f"{LINE}:\ndanach wieder.",
        f"{LINE}<br>\ndanach wieder.",
        f"{LINE} Dienst-\nanbieter danach wieder.",
        f"# {LINE}\ndanach wieder.",
        f"- {LINE}\n- danach wieder.",
        f"- {LINE}\n> danach wieder.",
        f"| {LINE} | a |\n| danach | wieder |",
        f"{LINE}   und   da\ndanach   wieder   da",
        "x" * 300 + " ohne Punkt\nund danach",
        f"Anna: {LINE}\nBob: {LINE}\nAnna: {LINE}",
        f"name: {LINE}\nport: {LINE}\nuser: {LINE}",
        f"path = {LINE}\nport = {LINE}\nuser = {LINE}",
        f"(a) {LINE}\n(b) {LINE}\n(c) {LINE}",
        f"[1] {LINE}\n[2] {LINE}",
        f"[a]: {LINE}\n[b]: {LINE}",
        f"<li>{LINE}</li>\n<li>{LINE}</li>",
        f"- ```sh title\n  {LINE.lower()}\n  {LINE.lower()}\n  ```",
        f"2026-11-22 INFO {LINE}\n2026-11-22 INFO {LINE}",
        "Install the package on the host that is to be the first of the servers\n"
        "Start the service on the host that is to be the first of the servers\n"
        "Remove the service from the host that was the first of the servers",
        "shall i compare thee to a day of summer that is full of light\n"
        "thou art more lovely and far more temperate than any of them",
        "Firma Mustermann und Söhne Verwaltungsgesellschaft mbH & Co. KG\n"
        "Abteilung Einkauf und Lager der Verwaltung und der Netze\nMusterstraße 5",
    ],
)
def test_other_line_breaks_are_left_alone(text: str) -> None:
    assert "~" not in marked(text)


LETTER = PARAGRAPH[0].lower() + PARAGRAPH[1:]


def test_a_letter_goes_on_small_below_its_salutation() -> None:
    assert marked(f"Hallo Anna,\n\n{LETTER}").count("~") == 2
    assert "~" not in marked(f"Hallo Anna\n\n{LETTER}")
    quoted = "> Hallo Anna,\n>\n> " + LETTER.replace("\n", "\n> ")
    assert marked(quoted).count("~") == 2


def test_a_quoted_mail_has_its_signs_before_each_line_again() -> None:
    quoted = "> " + PARAGRAPH.replace("\n", "\n> ")
    segments = split(quoted, "en")
    assert [one.replace("\n> ", " ") for one in segments.sentences] == list(
        split(PARAGRAPH.replace("\n", " "), "en").sentences
    )
    lines = [unwrap(one)[0] for one in segments.sentences]
    assert not any(">" in line for line in lines)
    rewrapped = map(rewrap, lines, segments.sentences)
    assert segments.join([*rewrapped]) == quoted


def test_a_sentence_goes_on_in_the_next_line() -> None:
    segments = split(PARAGRAPH, "en")
    assert segments.join(segments.sentences) == PARAGRAPH
    first, second = segments.sentences
    assert first.endswith("whenever the file in\nwhich it is kept has been changed.")
    assert unwrap(second)[0].endswith("the old list stays in force, and a warning is written.")
    assert segments.separators == ("", " ", "")


def test_breaks_come_back_near_their_places() -> None:
    sentence = "one two three four\n    five six seven eight\n    nine ten"
    assert unwrap(sentence)[0] == "one two three four five six seven eight nine ten"
    assert rewrap(unwrap(sentence)[0], sentence) == sentence
    longer = rewrap("eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf", sentence)
    assert longer.split("\n    ") == [
        "eins zwei drei vier fünf",
        "sechs sieben acht neun zehn",
        "elf zwölf",
    ]
    assert rewrap("abcdefghijklmnop q r", sentence) == "abcdefghijklmnop\n    q\n    r"
    assert rewrap("zwei Wörter", sentence) == "zwei\n    Wörter", "no lines without words"
    assert rewrap("kurz", sentence) == "kurz"
    assert rewrap("ohne Umbruch", "no break") == "ohne Umbruch"


def test_no_break_makes_a_list() -> None:
    sentence = "this goes on and on and on\nand on and ends"
    assert rewrap("das geht - und - geht - und geht", sentence).count("\n") == 1
    assert "\n-" not in rewrap("das geht - und - geht - und geht", sentence)


def test_no_break_falls_into_code() -> None:
    sentence = "run this to see\nwhat there is"
    assert rewrap("a `b c d e f g h i` jklm", sentence) in (
        "a\n`b c d e f g h i` jklm",
        "a `b c d e f g h i`\njklm",
    )


def test_known_spans_move_with_their_line_and_keep_their_own_breaks() -> None:
    sentence = "der <a\n  href> Hund\n    und <b> die\nKatze"
    known = [(4, 14), (28, 31)]
    line, moved = unwrap(sentence, known)
    assert line == "der <a\n  href> Hund und <b> die Katze"
    assert [line[start:end] for start, end in moved] == ["<a\n  href>", "<b>"]
    assert unwrap("der <b> Hund", [(4, 7)]) == ("der <b> Hund", [(4, 7)])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Thank you.\n\nCheers,\nMark", "Mark"),
        ("Kind regards,\nGrant\nHead of Sales", "Grant"),
        ("See you then. Love,\nJoy", "Joy"),
        ("Yours faithfully,\n\nDr. J. Carpenter-King", "Dr. J. Carpenter-King"),
        ("Viele Grüße\nMarie Kurz\n", "Marie Kurz"),
        ("Mit freundlichem Gruß\r\nPetra von der Jung\r\n", "Petra von der Jung"),
        ("Gruß\nWolf", "Wolf"),
        ("Cheers,\nDad", ""),
        ("Mit freundlichen Grüßen\nGeschäftsführung", ""),
        ("Mit freundlichen Grüßen\nIhr Jan", ""),
        ("Kind regards,\nThe Sales Team", ""),
        ("Many thanks,\nthe key is here", ""),
        ("Kind regards,\nMark told me all of it.", ""),
        ("Thanks\nSave\nOpen", ""),
        ("He is the best\nMark", ""),
    ],
)
def test_lines_that_stay(text: str, name: str) -> None:
    found = [text[start:end] for start, end in lines_that_stay(text)]
    assert found == ([name] if name else [])


@pytest.mark.parametrize(
    "text", ["Regards,\n" + "A" * 50_000 + "!", "Best,\nA" + " " * 50_000 + "!"]
)
def test_a_long_line_below_a_closing_takes_no_time(text: str) -> None:
    assert lines_that_stay(text) == []


def test_lines_of_a_german_address_stay() -> None:
    text = "Marie Kurz\nAn der Alten Mühle 2a\nD-37073 Göttingen\nPostfach 12 34\n10117 Berlin\n"
    found = [text[start:end] for start, end in lines_that_stay(text)]
    assert found == ["An der Alten Mühle 2a", "D-37073 Göttingen", "10117 Berlin"]
    assert lines_that_stay("Im Jahr\n20000 Menschen") == []


def test_a_name_that_signs_is_no_sentence() -> None:
    segments = split("Thank you.\n\nCheers,\nMark\nHead of Sales", "en")
    assert segments.sentences == ("Thank you.", "Cheers,", "Head of Sales")
    assert segments.separators[2] == "\nMark\n"


@pytest.mark.parametrize(
    "lines",
    [
        ("Das Programm speichert alle Ergebnisse des Laufs in einer neuen", "Datei."),
        ("The tool can be used together with a PC and our special", "[USB adapter](a.md)."),
        ("Wir verstehen darunter eine Menge von Regeln für Daten (z. B.", "Programme)."),
    ],
)
def test_any_line_of_a_paragraph_of_markdown_goes_on(lines: tuple[str, str]) -> None:
    text = "\n".join(lines)
    assert not soft_breaks(text)
    assert soft_breaks(text, is_markdown=True) == {len(lines[0])}


@pytest.mark.parametrize(
    "text",
    [
        "Rosen sind rot,\nVeilchen sind blau",
        "- The first of the items in this list, which is long enough\n- The second",
        "The line that ends with two spaces is a break in Markdown  \nSo it stays",
    ],
)
def test_lines_that_end_also_in_markdown(text: str) -> None:
    assert not soft_breaks(text, is_markdown=True)
