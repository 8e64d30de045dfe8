"""What belongs to the program in its messages is marked."""

from __future__ import annotations

import pytest

from translator.documents.markup.program import label, marked_message


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("%s of %d files, %1$s and %(name)s", ["%s", "%d", "%1$s", "%(name)s"]),
        ("%5.2f%% of %lu, %*d", ["%5.2f", "%%", "%lu", "%*d"]),
        ("Hello {{ name }} and {0}, {user.name}, ${x}, #{y}, %{z}", None),
        ("See $t(other.key) or @:common.ok now", ["$t(other.key)", "@:common.ok"]),
        ("Copy %1 to %L2", ["%1", "%L2"]),
        ("Dear :name, welcome", [":name"]),
        ("<0>Click <b>here</b></0>&nbsp;now", ["<0>", "<b>", "</b>", "</0>", "&nbsp;"]),
        ("Sent to $USER$ at 10:30: done", ["$USER$"]),
        ("100 % sure, 5% off", []),
        ("&quot;Gr&uuml;&szlig;e&quot;&nbsp;&lt;b&gt; M&#252;ll", ["&nbsp;", "&lt;b&gt;"]),
    ],
)
def test_placeholders_are_marked(text: str, spans: list[str] | None) -> None:
    found = [text[slice(*span)] for span in marked_message(text).spans]
    if spans is None:
        spans = ["{{ name }}", "{0}", "{user.name}", "${x}", "#{y}", "%{z}"]
    assert found == spans


@pytest.mark.parametrize(
    "text", ["%" + "0" * 200_000, "{" * 200_000, "<a" * 100_000, "%(" * 99_999]
)
def test_long_messages_that_make_no_sense_have_no_placeholders(text: str) -> None:
    assert marked_message(text).spans == ()


@pytest.mark.parametrize(
    ("text", "bare", "translation", "finished"),
    [
        ("_Open", "Open", "Öffnen", "_Öffnen"),
        ("Save &As…", "Save As…", "Speichern unter…", "&Speichern unter…"),
        ("E&xit", "Exit", "%s Beenden", "%s &Beenden"),
        ("_Quit %s", "Quit %s", "%s", "%s"),
        ("E_xit", "Exit", "Beenden", "_Beenden"),
        ("Select A_ll", "Select All", "Alles auswählen", "_Alles auswählen"),
        ("Set My_var to 3", "Set My_var to 3", "My_var auf 3 setzen", "My_var auf 3 setzen"),
        ("snake_case", "snake_case", "snake_case", "snake_case"),
        ("Q&amp;A", "Q&amp;A", "F&amp;A", "F&amp;A"),
        ("R & D", "R & D", "F & E", "F & E"),
        ("_a _b", "_a _b", "_a _b", "_a _b"),
        ("R&D and _more", "R&D and more", "F&E und mehr", "_F&E und mehr"),
        ("AT&T", "AT&T", "AT&T", "AT&T"),
        ("Müller&Sohn", "Müller&Sohn", "Müller&Sohn", "Müller&Sohn"),
        ("Gr&uuml;n", "Gr&uuml;n", "Gr&uuml;n", "Gr&uuml;n"),
    ],
)
def test_accelerators_move_to_the_first_letter(
    text: str, bare: str, translation: str, finished: str
) -> None:
    message = label(text)
    assert message.marked.text == bare
    assert message.finished(translation) == finished


def test_only_marks_that_may_be_accelerators_are_taken_out() -> None:
    assert label("_Open", "&").marked.text == "_Open"
    assert label("&Open", "&").finished("Öffnen") == "&Öffnen"
