"""The shipped models are whole, and as good as their cards say."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from translator.pipeline.translator import DEFAULT_MODEL, PRETRAINED, Translator
from translator.store.model_directory import load_model_directory

CAPTIONS, INTO_GERMAN = PRETRAINED / "multi30k-de-en", PRETRAINED / "multi30k-en-de"


@pytest.fixture(scope="module")
def default() -> Iterator[Translator]:
    with Translator.load(threads=1) as translator:
        yield translator


@pytest.fixture(scope="module")
def translator() -> Iterator[Translator]:
    with Translator.load(CAPTIONS, threads=1) as translator:
        yield translator


@pytest.mark.parametrize(
    ("source", "target", "text", "expected"),
    [
        ("de", "en", "Zwei Hunde spielen im Schnee.", "Two dogs play in the snow."),
        ("en", "de", "A man is sitting on a bench.", "Ein Mann sitzt auf einer Bank."),
    ],
)
def test_it_translates(
    translator: Translator, source: str, target: str, text: str, expected: str
) -> None:
    [answer] = translator.translate([text], source=source, target=target)
    assert answer.text == expected
    assert answer.finish_reasons == ("eos",)


@pytest.mark.parametrize(
    ("source", "target", "text", "expected"),
    [
        ("de", "en", "Ich bin müde.", "I'm tired."),
        ("de", "en", "Ich habe die Schluessel verloren.", "I lost the keys."),
        ("de", "en", "Guten Appetit!", "Enjoy your meal!"),
        ("de", "en", "HALLO WELT", "HELLO WORLD"),
        ("de", "en", "Ich heiße Anna.", "My name is Anna."),
        ("en", "de", "Happy birthday", "Alles Gute zum Geburtstag"),
        ("en", "de", "You're welcome!", "Gern geschehen!"),
        ("de", "en", "Bitte die Fenster schliessen.", "Please close the windows."),
        ("de", "en", "Sa/So geschlossen", "Saturday / Sunday closed"),
        ("en", "de", "The city was founded in AD 79.", "Die Stadt wurde 79 n. Chr. gegründet."),
        ("en", "de", "U.N. officials visited the camp.", "UN-Beamte besuchten das Lager."),
        ("en", "de", "See Part I for details.", "Siehe Teil I für Details."),
        ("de", "en", "Zi. 12 ist frei.", "Room 12 is free."),
        ("en", "de", "The tower is 120 ft high.", "Der Turm ist 120 Fuß hoch."),
        ("de", "en", "***** WICHTIG *****", "***** IMPORTANT *****"),
        ("de", "en", "An: Tom Braun", "To: Tom Braun"),
        ("en", "de", "They arent ready.", "Sie sind nicht bereit."),
        ("en", "de", "It hasnt rained for weeks.", "Es hat seit Wochen nicht geregnet."),
        (*("en", "de", "The server cannot be found."), "Der Server kann nicht gefunden werden."),
        ("de", "en", "Die Kiste (leer) stand in der Ecke.", "The box (empty) stood in the corner."),
        ("en", "de", "The car (red) is parked outside.", "Das Auto (rot) ist draußen geparkt."),
        ("de", "en", "Ein Zimmer kostet 60 bis 80 €.", "A room costs €60 to 80."),
        (
            "en",
            "de",
            "Scientists Discover New Planet",
            "Wissenschaftler entdecken einen neuen Planeten",
        ),
        ("de", "en", "Ein- und Ausgang", "entrance and exit"),
        ("de", "en", "Das kostet über 70 €.", "That costs over €70."),
        ("de", "en", "Der Bus kommt um 5 nach 6.", "The bus comes at 6:05."),
        ("de", "en", "Ich bin gegen acht zurück.", "I'll be back at about eight o'clock."),
    ],
)
def test_the_default_model_translates(
    default: Translator, source: str, target: str, text: str, expected: str
) -> None:
    [answer] = default.translate([text], source=source, target=target)
    assert answer.text == expected
    assert answer.flags == ()


def test_the_default_model_keeps_what_is_not_language(default: Translator) -> None:
    text = "# Setup\n\n1. Run `make test` in /srv/app.\n2. See [this](https://a.b/c) for {name}.\n"
    [answer] = default.translate([text], source="en", target="de")
    for span in ("# ", "\n\n1. ", "`make test`", "/srv/app", "](https://a.b/c)", "{name}"):
        assert answer.text.count(span) == 1, (span, answer.text)
    assert answer.text.count("\n") == text.count("\n")


def test_the_default_model_translates_what_is_emphasised_or_linked(default: Translator) -> None:
    text = "Click **Save** and then **Close the window** to read [the guide](a.md)."
    [answer] = default.translate([text], source="en", target="de")
    for part in ("**Speichern**", "Fenster", "](a.md)"):
        assert answer.text.count(part) == 1, (part, answer.text)
    assert answer.text.count("**") == 4
    assert "guide" not in answer.text


def test_the_default_model_says_what_it_is_good_at() -> None:
    card = load_model_directory(DEFAULT_MODEL).card
    scores = card["scores"]
    for text in ("everyday", "news", "open-source", "vendor-docs"):
        for direction in ("de-en", "en-de"):
            found = [name for name in scores if name.startswith(text) and name.endswith(direction)]
            assert min((scores[name]["bleu"] for name in found), default=0) > 10, text
    assert all(card["data"][name]["licence"] for name in card["data"])


def test_the_card_holds_what_a_user_must_know() -> None:
    card = load_model_directory(CAPTIONS).card
    assert "research use" in card["data"]["multi30k"]["licence"]
    assert len(card["data"]["multi30k"]["sha256"]["de"]) == 64
    assert card["commit"]
    assert card["training"]["hours"] > 0
    assert "[training]" in card["recipe"]
    scores = card["scores"]
    into_german = load_model_directory(INTO_GERMAN).card["scores"]
    part = "multi30k.test_2016_flickr"
    assert scores[f"{part}.en-de"]["lc_tok_bleu"] >= 39.0
    assert scores[f"{part}.de-en"]["lc_tok_bleu"] >= 43.0
    assert into_german[f"{part}.en-de"]["lc_tok_bleu"] >= 42.0
    assert all("version:" in s for score in scores.values() for s in score["signatures"].values())
