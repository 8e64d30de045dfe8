"""Terms take their places in the source, whole words only, the longest first."""

from __future__ import annotations

from pathlib import Path

import pytest

from translator.errors import InputError
from translator.text.glossary import MAX_TERMS, Glossary, read_glossary
from translator.text.marked import MarkedText

GLOSSARY = Glossary(
    pairs={"Tasse Tee": "cup of tea", "Tee": "tea", "iPhone": "phone", "C++": "cpp", "fort": "on"},
    keep=("Weblate", ".NET", "knoten"),
)


@pytest.mark.parametrize(
    ("text", "applied", "met"),
    [
        ("Eine Tasse Tee und Tee", "Eine cup of tea und tea", {"Tasse Tee", "Tee"}),
        ("Teekanne, Eistee, tee", "Teekanne, Eistee, tee", set()),
        ("Fort von hier. Fort! Ins Fort.", "On von hier. On! Ins Fort.", {"fort"}),
        ("Mit Weblate und .NET, ASP.NET", "Mit Weblate und .NET, ASP.NET", {"Weblate", ".NET"}),
        ("Das iPhone kann C++.", "Das phone kann cpp.", {"iPhone", "C++"}),
        ("https://a.de/Tee?x=Tee Tee", "https://a.de/Tee?x=Tee tea", {"Tee"}),
        ("Nichts", "Nichts", set()),
    ],
)
def test_terms(text: str, applied: str, met: set[str]) -> None:
    found, entries, _ = GLOSSARY.apply(MarkedText(text))
    assert found.text == applied
    assert entries == met
    assert len(found.spans) >= len(met)


def test_the_spans_are_the_terms() -> None:
    found, *_ = GLOSSARY.apply(MarkedText("Ein Tee mit Weblate"))
    assert [found.text[slice(*span)] for span in found.spans] == ["tea", "Weblate"]


def test_it_is_known_what_stood_there() -> None:
    found = GLOSSARY.apply(MarkedText("Fort mit Tasse Tee"))
    assert found.text.text == "On mit cup of tea"
    assert found.replaced == ((0, 2, "fort", "Fort"), (7, 17, "Tasse Tee", "Tasse Tee"))


def test_known_spans_stay_and_move() -> None:
    found, entries, _ = GLOSSARY.apply(MarkedText("Tasse Tee <Tee> Tee", ((10, 15),)))
    assert found == MarkedText("cup of tea <Tee> tea", ((0, 10), (11, 16), (17, 20)))
    assert entries == {"Tasse Tee", "Tee"}


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ({"": "a"}, "must not be empty"),
        ({"a": "b\nc"}, "no white space but single spaces"),
        ({"a" * 201: "b"}, "has 201 characters, 200 at most"),
        ({str(n): "b" for n in range(MAX_TERMS + 1)}, f"has {MAX_TERMS + 1} terms"),
    ],
)
def test_what_is_refused(pairs: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Glossary(pairs=pairs)


def test_many_terms_in_a_long_text() -> None:
    glossary = Glossary(keep=tuple(f"wort{n}" for n in range(MAX_TERMS)))
    found, entries, _ = glossary.apply(MarkedText("wort17 und " * 10_000))
    assert entries == {"wort17"}
    assert len(found.spans) == 10_000


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "terms.tsv"
    path.write_text("# terms\nTasse Tee\tcup of tea\n\nWeblate\n", encoding="utf-8")
    glossary = read_glossary(path, keep=("x",))
    assert glossary == Glossary(pairs={"Tasse Tee": "cup of tea"}, keep=("x", "Weblate"))
    path.write_text("a\tb\tc\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"terms\.tsv, line 1: must be a term, a tab"):
        read_glossary(path)
