"""Words that are shouted inside a sentence."""

from __future__ import annotations

import pytest

from translator.text.emphasis import kinds_of, read_emphasis, shout
from translator.text.marked import MarkedText

KNOWN = {**dict.fromkeys(("sehr", "very", "Katze", "katze"), -9.0), "Katze": -8.0, "NATO": -9.0}


def known_log_prob(text: str) -> float:
    """Take all other words for rare ones, most of all in capitals."""
    return KNOWN.get(text, -40.0 if text.isupper() else -35.0)


def read(text: str, language: str = "de", spans: tuple[tuple[int, int], ...] = ()) -> str:
    found = read_emphasis(MarkedText(text, spans), language, known_log_prob, keeps_code=True)
    assert len(found.text.text) == len(text)
    assert found.text.spans == spans
    shown = found.text.text
    for start, end in reversed(found.places):
        assert text[start:end].isupper()
        shown = f"{shown[:start]}*{shown[start:end]}*{shown[end:]}"
    return shown


@pytest.mark.parametrize(
    ("text", "ordinary"),
    [
        ("Das ist SEHR wichtig. Die KATZE!", "Das ist *sehr* wichtig. Die *Katze*!"),
        ("SEHR gut.\n\nUnd NICHT gut", "*Sehr* gut.\n\nUnd *nicht* gut"),
        ("Die NATO und BASF und EU", "Die NATO und BASF und EU"),
        ("DAS IST SEHR GUT.", "DAS IST SEHR GUT."),
        ("Das SEHR-Wort, SEHR_GUT, `SEHR` und SEHR2", "Das SEHR-Wort, SEHR_GUT, `SEHR` und SEHR2"),
        ("Die Variable SEHR ist leer.", "Die Variable SEHR ist leer."),
        ("Drücken Sie SEHR.", "Drücken Sie SEHR."),
        ("Das ist SEHR=gut und x=SEHR", "Das ist SEHR=gut und x=SEHR"),
        ("Click SEHR to go on", "Click SEHR to go on"),
        ("nichts davon und SEHR(gut)", "nichts davon und SEHR(gut)"),
    ],
)
def test_shouted_words_are_read_as_others(text: str, ordinary: str) -> None:
    assert read(text) == ordinary


def test_what_comes_back_verbatim_is_left_alone() -> None:
    assert read("Das SEHR gut SEHR", spans=((4, 8),)) == "Das SEHR gut *sehr*"


def test_small_words_are_of_a_language() -> None:
    assert read("This is VERY good, NICHT?", "en") == "This is *very* good, NICHT?"


@pytest.mark.parametrize(
    ("text", "ordinary"),
    [
        ("The value MUST NOT be empty.", "The value *must* *not* be empty."),
        (
            "A client SHOULD send the key, but MAY omit it.",
            "A client *should* send the key, but *may* omit it.",
        ),
        ("The key is NOT set, the NOT operator is.", "The key is *not* set, the NOT operator is."),
        ("The key word “MUST” is a value.",) * 2,
        ("MUST is a flag.", "MUST is a flag."),
        ("Users MAY NOT do this.", "Users *mustn't* do this."),
        ("Please DON'T, I'M here, IT'S me.", "Please *don't*, *I'm* here, *it's* me."),
        ("The FBI'S value", "The FBI'S value"),
    ],
)
def test_what_specifications_require_is_shouted(text: str, ordinary: str) -> None:
    assert read(text, "en") == ordinary


@pytest.mark.parametrize(
    ("text", "ordinary"),
    [
        ("Das Feld DARF NICHT leer sein.", "Das Feld *darf* *nicht* leer sein."),
        ("Der Wert, MUSS der Server", "Der Wert, *muss* der Server"),
        ("Das logische NICHT hat einen Wert.", "Das logische NICHT hat einen Wert."),
    ],
)
def test_german_specifications(text: str, ordinary: str) -> None:
    assert read(text) == ordinary


def test_kinds_of_words() -> None:
    assert kinds_of("MAY NOT") == kinds_of("can’t") == kinds_of("cannot") == {"modal", "negation"}
    assert kinds_of("KEINE") == kinds_of("don't") == {"negation"}
    assert kinds_of("DARF") == kinds_of("solltest") == {"modal"}
    assert not kinds_of("haus")


def test_shouting_keeps_the_length() -> None:
    assert shout("groß ﬁn") == "GRO\u1e9e ﬁN"
