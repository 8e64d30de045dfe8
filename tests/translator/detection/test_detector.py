"""Languages of a detector, best first, whatever the text is."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.alone import run_alone
from translator.detection import detector as module
from translator.detection.detector import (
    MAX_READ,
    SAMPLE_CHARACTERS,
    Detected,
    Detection,
    Detector,
    sample,
    sample_without_names,
)

SENTENCES = {
    "de": ["Wo ist der Bahnhof?", "GUTEN MORGEN, LIEBE LEUTE", "Straße", "Katze"],
    "en": ["Where is the station?", "GOOD MORNING, EVERYONE", "A dog", "This is"],
    "fr": ["Où est la gare ?", "Ça va bien, merci."],
    "es": ["¿Dónde está la estación?", "Buenos días a todos."],
    "cs": ["Kde je nádraží?", "Příliš žluťoučký kůň"],
    "ru": ["Где вокзал?", "Привет"],
    "uk": ["Де знаходиться вокзал? Їжак"],
    "el": ["Πού είναι ο σταθμός;"],
    "ja": ["駅はどこですか", "コーヒー"],
    "zh": ["火车站在哪里？"],
}


@pytest.fixture(scope="module")
def of_many() -> Detector:
    return Detector(tuple(SENTENCES))


@pytest.fixture(scope="module")
def of_two() -> Detector:
    return Detector(["de", "en"])


@pytest.mark.parametrize("language", SENTENCES)
def test_sentences_are_of_their_language(of_many: Detector, language: str) -> None:
    for text in SENTENCES[language]:
        if " " in text or language not in ("de", "en"):
            assert of_many.detect(text)[0].language == language, text


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_word_is_enough_for_two_languages(of_two: Detector, language: str) -> None:
    for text in SENTENCES[language]:
        assert of_two.detect(text)[0].language == language, text


@pytest.mark.parametrize("word", ["Ein", "Ich", "Zwei", "Eine"])
def test_words_are_put_between_spaces(of_two: Detector, word: str) -> None:
    best = of_two.detect(word)[0]
    assert best.language == "de"
    assert best.confidence > 80


@pytest.mark.parametrize(("text", "language"), [("The", "en"), ("I", "en"), ("Hallo", "de")])
def test_common_words_are_known(of_two: Detector, text: str, language: str) -> None:
    assert of_two.detect(text)[0].language == language
    assert of_two.detect(text)[0].confidence > 80


def test_the_best_comes_first_and_all_sum_to_100(of_many: Detector) -> None:
    found = of_many.detect("Wo ist der Bahnhof?")
    confidences = [detected.confidence for detected in found]
    assert {detected.language for detected in found} == {"de", "en", "fr", "es", "cs"}
    assert confidences == sorted(confidences, reverse=True)
    assert sum(confidences) == pytest.approx(100)


def test_letters_of_another_script_lower_the_confidence(of_two: Detector) -> None:
    found = of_two.detect("ist der Привет Привет")
    assert found[0].language == "de"
    assert sum(detected.confidence for detected in found) == pytest.approx(100 * 6 / 18)


@pytest.mark.parametrize(
    "text", ["", " \n", "123, 4.5!", "🙂🙂", "\ud800\udfff", "Привет", "https://example.com", "\0"]
)
def test_without_a_letter_of_its_languages_there_is_nothing(of_two: Detector, text: str) -> None:
    assert of_two.detect(text) == []


def test_what_nothing_is_known_of_is_undetectable(monkeypatch: pytest.MonkeyPatch) -> None:
    equal = [("de", 0.5), ("en", 0.5)]
    monkeypatch.setattr(module, "_load", lambda languages: lambda text: equal)
    assert Detector(["de", "en"]).detect("zzx") == []
    assert Detector(["de", "en"]).detect("the zzx")[0].language == "en"
    equal.pop()
    assert Detector(["de"]).detect("zzx") == [Detected(language="de", confidence=100)]


def test_lone_surrogates_do_not_hide_a_language(of_two: Detector) -> None:
    assert of_two.detect("Wo ist\ud800 der \udc00 Bahnhof?")[0].language == "de"


@pytest.mark.parametrize("text", ["ä" * 1_000_000, "a " * 500_000, "<" * 1_000_000])
def test_of_a_long_text_only_a_part_is_ranked(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    seen = []

    def rank(text: str) -> list[tuple[str, float]]:
        seen.append(text)
        return [("de", 1.0)]

    monkeypatch.setattr(module, "_load", lambda languages: rank)
    found = Detector(["de"]).detect(text)
    assert bool(found) == bool(seen) == (text[0] != "<")
    assert all(len(text) <= SAMPLE_CHARACTERS + 2 for text in seen)


def test_regions_are_of_their_base_language() -> None:
    detector = Detector(["pt-BR", "en"])
    assert detector.detect("Onde fica a estação?")[0].language == "pt-BR"
    shared = Detector(["zh-Hans", "en", "zh-Hant", "en"]).detect("火车站在哪里？")
    assert shared == [
        Detected(language="zh-Hans", confidence=50),
        Detected(language="zh-Hant", confidence=50),
    ]


def test_unknown_languages_are_never_detected() -> None:
    assert Detector(["tlh"]).detect("Wo ist der Bahnhof?") == []
    found = Detector(["tlh", "de"]).detect("Wo ist der Bahnhof?")
    assert found == [Detected(language="de", confidence=100)]
    assert Detector([]).detect("Wo ist der Bahnhof?") == []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("La tua password non è corretta", "it"),
        ("Je suis fatigué.", "fr"),
        ("¿Dónde está la estación?", "es"),
        ("Kde je dnes nádraží?", "cs"),
        ("Сегодня мы не пойдём домой.", "ru"),
        ("火车站在哪里？", "zh"),
    ],
)
def test_a_text_in_another_language_is_told(of_two: Detector, text: str, language: str) -> None:
    detection = of_two.examine(text)
    assert detection.other is not None
    assert detection.other.language == language
    assert detection.other.confidence > 30
    assert sum(one.confidence for one in detection.languages) < 2


@pytest.mark.parametrize(
    "text",
    [
        *("Wo ist der Bahnhof?", "Bezirk Ústí nad Labem, Bezirk Liberec"),
        *("Usti nad Labem region, Liberec region", "(C) 2004-2008 Paulo Moura Guedes"),
        *("Wo wohnt Frau Dr. Katarzyna Wiśniewska?", "pizza margherita", "Merci beaucoup"),
        *("Grüezi mitenand, was händ er hüt gmacht?", "Привет мир is a greeting", "π", "123"),
    ],
)
def test_names_few_words_and_dialects_are_in_no_other_language(of_two: Detector, text: str) -> None:
    assert of_two.examine(text).other is None


def test_what_all_languages_are_known_of_is_needed_to_tell_another() -> None:
    italian = "La tua password non è corretta"
    assert Detector(["tlh"]).examine(italian) == Detection(languages=[])
    assert Detector(["tlh", "de"]).examine(italian).other is None


def test_kin_is_read(of_two: Detector) -> None:
    text = "Moien, wéi geet et dir haut? Ech ginn elo an d'Stad akafen."
    found = of_two.examine(text)
    assert (found.languages[0].language, found.other) == ("de", None)
    other = Detector(["en", "fr"]).examine(text).other
    assert other is not None
    assert other.language == "lb"


def test_importing_and_making_one_load_nothing() -> None:
    code = (
        "import sys\n"
        "from translator.detection.detector import Detector\n"
        "detector = Detector(['de', 'en'])\n"
        "print('py3langid' in sys.modules)\n"
        "detector.load()\n"
        "print('py3langid' in sys.modules)\n"
    )
    done = run_alone(code)
    assert done.stdout == "False\nTrue\n"


def test_threads_load_it_once_and_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    loads, load, count = [], module._load, 8

    def counting(languages: list[str]) -> module.Rank:
        loads.append(languages)
        time.sleep(0.2)  # as long as the first load takes, so that the others come meanwhile
        return load(languages)

    monkeypatch.setattr(module, "_load", counting)
    detector, together = Detector(["de", "en"]), threading.Barrier(count)
    texts = [*SENTENCES["de"], *SENTENCES["en"]] * 10

    def work(number: int) -> list[list[Detected]]:
        together.wait()
        return [detector.detect(text) for text in texts]

    with ThreadPoolExecutor(count) as threads:
        answers = list(threads.map(work, range(count)))
    assert loads == [["de", "en"]]
    assert all(answer == answers[0] for answer in answers)
    assert answers[0] == [detector.detect(text) for text in texts]


def test_what_is_not_language_is_left_out() -> None:
    text = "Siehe <b>https://example.com/the-page</b> und `make it so`, ${user_name}!"
    words = sample(text).split()
    assert words == ["siehe", "und", ",", "!"]


def test_names_are_words_with_capitals_but_for_the_first() -> None:
    text = "Gestern war ich mit `x` bei McDonald, NATO und Mu\u0308ller; gru\u0308n!"
    assert sample_without_names(text) == "gestern war ich mit bei und gr\u00fcn!"
    assert sample_without_names(" \n") == ""


def test_it_is_lower_cased_and_composed() -> None:
    assert sample("GRU\u0308SSE") == "gr\u00fcsse"


def test_it_is_bounded_even_where_lower_case_is_longer() -> None:
    assert len(sample("words " * 100_000)) == SAMPLE_CHARACTERS
    assert len(sample("\u0130" * 100_000)) == SAMPLE_CHARACTERS


def test_code_at_the_beginning_does_not_hide_the_language() -> None:
    code = "https://example.com/a " * 300
    assert sample(code + "Guten Morgen").split() == ["guten", "morgen"]


def test_no_more_than_the_first_characters_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read = []

    def find_spans(text: str) -> list[tuple[int, int]]:
        read.append(len(text))
        return [(0, len(text))]

    monkeypatch.setattr(module, "find_spans", find_spans)
    assert sample("x" * 1_000_000).strip() == ""
    assert sum(read) == MAX_READ
    assert max(read) < MAX_READ, "a little at a time"


def test_white_space_in_front_does_not_count() -> None:
    assert sample("\n" * 100_000 + "Hallo") == "hallo"
