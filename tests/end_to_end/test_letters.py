"""Names keep their letters, whatever their alphabet, with placeholders and without."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Iterator

import pytest

from tests.fidelity.vocabulary import without_placeholders
from translator.pipeline.translator import DEFAULT_MODEL, Translator
from translator.store.model_directory import load_model_directory

NUM_DRAWN = {True: 200, False: 100}
"""Sentences of each direction, for a model with placeholders and without."""

BLOCKS = {
    "Latin-1": (0xC0, 0xFF),
    "Latin Extended-A": (0x100, 0x17F),
    "Latin Extended-B": (0x180, 0x24F),
    "IPA": (0x250, 0x2AF),
    "Greek": (0x370, 0x3FF),
    "Cyrillic": (0x400, 0x4FF),
    "Phonetic": (0x1D00, 0x1DBF),
    "Latin Extended Additional": (0x1E00, 0x1EFF),
    "Latin Extended-C": (0x2C60, 0x2C7F),
    "Latin Extended-D": (0xA722, 0xA787),
    "mathematical": (0x1D400, 0x1D7CB),
}
DIGITS = [
    char
    for code in range(0x80, 0x1E000)
    if unicodedata.category(char := chr(code)) == "Nd"
    and not unicodedata.name(char).startswith(("FULLWIDTH", "MATHEMATICAL"))
]
COMMON = {*"ÄÖÜßäöüáéèíñóĀāăčīšṅ"}
"""Letters that the shipped vocabulary has in plenty: words with them are translated."""

FRAMES = {
    ("de", "en"): (
        "Frau {} ist heute nicht da.",
        "Gestern trafen wir {} in Berlin.",
        "Das Buch von {} ist sehr gut.",
        "Heißt das auf der Karte {}?",
        "{} und {} kommen aus {}.",
    ),
    ("en", "de"): (
        "Ms {} is not here today.",
        "Yesterday we met {} in Berlin.",
        "The book by {} is very good.",
        "Is it called {} on the map?",
        "{} and {} come from {}.",
    ),
}


MIDDLES = ("Ba{}ar", "Mor{}k", "Tel{}na", "Sokar{}", "Gim{}ras")


def letters_of(block: str) -> list[str]:
    first, last = BLOCKS[block]
    return [
        char
        for code in range(first, last + 1)
        if unicodedata.category(char := chr(code)) in ("Lu", "Ll", "Lo") and char not in COMMON
    ]


def names(generator: random.Random) -> Iterator[str]:
    """Yield names, each with a letter of another block than the one before, and numbers."""
    letters = {block: letters_of(block) for block in BLOCKS}
    while True:
        for block, own in letters.items():
            letter = generator.choice(own)
            if block == "mathematical":
                yield letter
            elif block in ("Greek", "Cyrillic"):
                yield "".join(generator.choices(own, k=generator.randint(2, 8)))
            elif letter.isupper():
                yield letter + generator.choice(("elik", "oran", "und", "estermann"))
            else:
                yield generator.choice(MIDDLES).format(letter)
        yield "".join(generator.choices(DIGITS, k=generator.randint(1, 5)))


def drawn(pair: tuple[str, str], count: int) -> list[tuple[str, list[str]]]:
    """Return sentences, and the names that each has."""
    generator = random.Random(f"letters {pair}")
    source, found = names(generator), list[tuple[str, list[str]]]()
    for number in range(count):
        frame = FRAMES[pair][number % len(FRAMES[pair])]
        own = [next(source) for _ in range(frame.count("{}"))]
        found.append((frame.format(*own), own))
    return found


GERMAN = {
    "Frau Żuk ist da.": "Żuk",
    "Er wohnt in Łódź.": "Łódź",
    "Herr Çelik kommt aus der Türkei.": "Çelik",
    "Die Länge beträgt 5 Ångström.": "5 Ångström",
    "Cœur und Œuvre sind Wörter.": "Cœur Œuvre",
    "Sie heißt Íris.": "Íris",
    "Nguyễn Thị Hồng ist meine Kollegin.": "Nguyễn Thị Hồng",
    "Die Nguyễn Thị Hồng": "Nguyễn Thị Hồng",
    "Ștefan sah einen Ñandú auf Ærø.": "Ștefan Ñandú Ærø",
    "Der Buchstabe Ð ist selten.": "Ð",
    "Die Zahl 𝜋 ist irrational.": "𝜋",
    "Der Wirkungsgrad η ist hoch.": "η",
    "Frau Đoković hat Čeněk verlassen.": "Đoković Čeněk",
    "LECH WAŁĘSA IST DA.": "LECH WAŁĘSA",
    "Es kamen Çelik, Łukasz, Ștefan, Íris, Żuk, Ñandú, Æthel, Đoko, Ţiriac und Œlke.": (
        "Çelik Łukasz Ștefan Íris Żuk Ñandú Æthel Đoko Ţiriac Œlke"
    ),
    "Łódź": "Łódź",
    "Wałęsas Rede war lang.": "Wałęsa's",
    "Žygimantas kam zu spät.": "Žygimantas",
}
ENGLISH = {
    "Price ١٢٣ here": "Preis ١٢٣ hier",
    "The number 𝜋 is irrational.": "𝜋",
    "Wałęsa's speech was long.": "Wałęsa",
    "The Łódź-based company makes shoes.": "Łódź",
    "Did you see the Çelik brothers?": "Çelik",
    "A naïve child believes everything.": "naives Kind",
    "The façade of the house is old.": "Fassade",
    "El Niño is back in São Paulo.": "Niño São Paulo",
}


@pytest.fixture(scope="module")
def default() -> Iterator[Translator]:
    with Translator.load(threads=1) as translator:
        yield translator


@pytest.mark.parametrize(("pair", "lines"), [(("de", "en"), GERMAN), (("en", "de"), ENGLISH)])
def test_names_come_back_and_ordinary_words_are_translated(
    default: Translator, pair: tuple[str, str], lines: dict[str, str]
) -> None:
    answers = default.translate(list(lines), source=pair[0], target=pair[1])
    for (text, words), answer in zip(lines.items(), answers, strict=True):
        for word in words.split():
            assert word in answer.text, (text, answer.text)
        assert {*answer.flags} <= {"retried"}


@pytest.mark.slow
@pytest.mark.parametrize("has_placeholders", [True, False])
def test_no_name_loses_a_letter_without_a_flag(has_placeholders: bool) -> None:
    loaded = load_model_directory(DEFAULT_MODEL)
    if not has_placeholders:
        loaded = without_placeholders(loaded)
    flagged = 0
    with Translator.from_model(loaded) as translator:
        for pair in FRAMES:
            sentences = drawn(pair, NUM_DRAWN[has_placeholders])
            answers = translator.translate(
                [text for text, _ in sentences], source=pair[0], target=pair[1]
            )
            for (text, own), answer in zip(sentences, answers, strict=True):
                is_flagged = "placeholders" in answer.flags or "numbers" in answer.flags
                flagged += is_flagged
                assert "\ufffd" not in answer.text, (text, answer.text)
                bare = [name.removesuffix("s") if pair[0] == "de" else name for name in own]
                assert is_flagged or all(name in answer.text for name in bare), (text, answer.text)
    assert flagged <= (2 if has_placeholders else 20)
