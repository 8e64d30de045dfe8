"""A lexicon has what words mean in texts, and lines from which a model learns those it misses."""

from __future__ import annotations

import shutil
from collections import defaultdict
from pathlib import Path

import pytest

from training.data.corpus import SentencePair
from training.lexicon import (
    SET_PHRASES,
    AlignedWord,
    ParallelWords,
    is_known,
    lexicon,
    lines_of,
    model_1,
    read_set_phrases,
    read_words,
    typed_words,
    unknown_alone,
)
from training.sources import main
from training.word_list import Senses, read_spellings
from translator.pipeline.translation import Candidate, Translation
from translator.pipeline.translator import Translator
from translator.rules.formality import has_other_form
from translator.store.home import DEFAULT_MODEL

DAS, HAUS, BUCH, EIN = range(4)
THE, HOUSE, BOOK, A = range(4)
KNIGHT = [((DAS, HAUS), (THE, HOUSE)), ((DAS, BUCH), (THE, BOOK)), ((EIN, BUCH), (A, BOOK))]
"""The example of Knight's tutorial on statistical machine translation, 1999."""


def test_one_iteration_is_that_worked_out_by_hand() -> None:
    # Each target word is shared out among two words and none, a third to each. "das" gets two
    # thirds of "the", and one of "house" and of "book": 4/3 in all.
    found = model_1(KNIGHT, 4, 4, iterations=1)
    assert found[DAS, THE] == pytest.approx(1 / 2)
    assert found[DAS, HOUSE] == found[DAS, BOOK] == pytest.approx(1 / 4)
    assert found[HAUS, THE] == found[HAUS, HOUSE] == pytest.approx(1 / 2)


def test_words_that_stand_together_more_often_find_each_other() -> None:
    found = model_1(KNIGHT, 4, 4, iterations=50)
    assert found[DAS, THE] > 0.95
    assert found[BUCH, BOOK] > 0.95
    assert found[HAUS, HOUSE] > 0.8
    assert (BUCH, THE) not in found


def words_of(*pairs: str, times: int = 4) -> ParallelWords:
    return read_words(SentencePair(*pair.split(" | ")) for _ in range(times) for pair in pairs)


def test_the_first_word_of_a_sentence_is_written_as_inside_one() -> None:
    words = words_of("Der Hund bellt | The dog barks", "Er sieht der Katze zu | He sees the cat")
    assert {"der", "the", "Er", "He", "Hund"} <= {*words.sides[0], *words.sides[1]}
    assert "The" not in words.sides[1]


def test_rare_words_and_long_sentences_are_left_out() -> None:
    long = " ".join(["Hund"] * 26)
    words = read_words([*[SentencePair(long, "dog")] * 4, SentencePair("Maus", "mouse")])
    assert words.pairs == []


def senses(**entries: str) -> Senses:
    found: Senses = defaultdict(set)
    found.update({word: {*meanings.split(", ")} for word, meanings in entries.items()})
    return found


TEXTS = (
    "das große Haus | the large house",
    "ein großer Hund | a large dog",
    "die großen Hunde | the large dogs",
    "das Haus | the house",
    "das Buch | the book",
    "ein Hund | a dog",
    "die Hunde | the dogs",
    "Xaver ruft | Xaver calls",
    "er ruft | he calls",
    "Xaver kommt | Xaver comes",
    "er kommt | he comes",
)
LISTS = (
    senses(haus="house", hund="dog", gross="large, big", rufen="call", kommen="come"),
    senses(house="haus, gebäude", dog="hund", large="groß", call="rufen", come="kommen"),
)
SPELLINGS = ({"Haus", "Hund", "groß", "rufen"}, {"house", "dog", "large", "call"})


def meanings(side: int, *texts: str) -> dict[str, str]:
    lists = lexicon(words_of(*texts, times=6), LISTS, SPELLINGS, side)
    return {word: entry.meanings[0] for word, entry in lists.items()}


def test_german_words_mean_what_the_texts_have_for_them() -> None:
    found = meanings(0, *TEXTS)
    assert (found["ruft"], found["Haus"], found["Xaver"]) == ("calls", "house", "Xaver")
    assert "large" not in found.get("das", "")


def test_english_words_mean_the_form_that_the_word_list_has() -> None:
    found = meanings(1, *TEXTS)
    assert found["large"] == "groß"
    assert found["house"] == "Haus"
    assert found["calls"] == "ruft"


def test_a_model_knows_a_word_by_its_meanings_or_by_the_list() -> None:
    means = ["Xaver"]
    assert is_known("xaver", "Xaver", means, LISTS[0], 0)
    assert is_known("houses", "Haus", means, LISTS[0], 0)
    assert not is_known("horse", "Haus", means, LISTS[0], 0)


def test_missed_words_have_several_lines_and_some_a_capital() -> None:
    means = {"heftig": AlignedWord(["heavily", "violently"])}
    known = [pair.sides for pair in lines_of(means, {"heftig": False}, 0)]
    assert known == [("heftig", "heavily"), ("heftig", "violently")]
    missed = [pair.sides for pair in lines_of(means, {"heftig": True}, 0)]
    assert len(missed) == 12
    assert missed.count(("Heftig", "Violently")) + missed.count(("Heftig", "Heavily")) == 3
    eat = {"eat": AlignedWord(["essen"])}
    back = [pair.sides for pair in lines_of(eat, {"eat": False}, 1)]
    assert back == [("essen", "eat")]


def test_a_word_that_is_another_one_with_a_capital_gets_none() -> None:
    means = {
        "essen": AlignedWord(["eat"]),
        "Essen": AlignedWord(["food"]),
    }
    lines = {pair.sides for pair in lines_of(means, {"essen": True, "Essen": True}, 0)}
    assert lines == {("essen", "eat"), ("Essen", "food")}


def test_meanings_have_a_capital_as_the_word_list_writes_them() -> None:
    texts = [text.replace("Haus", "haus") for text in TEXTS]
    assert meanings(1, *texts)["house"] == "Haus"
    texts = [text.replace("large", "Large") for text in TEXTS]
    assert meanings(0, *texts)["große"] == "large"


def test_spellings_are_those_of_the_list_without_marks_and_what_is_no_word() -> None:
    entries = (
        "# Version :: devel",
        "Orkan {m} (Stärke 12) [meteo.] | Orkane {pl} :: hurricane (force 12) | hurricanes",
        "etw. aufwühlen {vt} (Boden, Wasser); rühren :: to churn up <> sth. (soil {n}, water)",
        "Hallo! | Moin :: Hello!; Hi! | Morning!",
        "nur Deutsch",
    )
    german = {"Orkan", "Orkane", "aufwühlen", "rühren", "Moin"}
    assert read_spellings(entries) == (german, {"hurricane", "hurricanes", "churn up"})


def test_words_are_typed_with_a_capital_and_german_ones_without() -> None:
    uses = {"Haus": 9, "essen": 9, "Essen": 5, "USB": 9, "eat": 9, "sue": 4, "Sue": 4, "Paris": 9}
    german = typed_words(["Haus", "essen", "Essen", "USB"], uses, 0)
    assert german == {word: word for word in ("Haus", "essen", "Essen", "USB")} | {"haus": "Haus"}
    english = typed_words(["eat", "sue", "Paris"], uses, 1)
    assert english == {"eat": "eat", "Eat": "eat", "sue": "sue", "Paris": "Paris"}


def answer(text: str, score: float) -> Translation:
    return Translation(text=text, sentences=(), candidates=(Candidate(text, score, score),))


@pytest.mark.parametrize(
    ("typed", "translation", "score", "expected"),
    [
        ("haus", "haus", -0.1, "house"),
        ("Haus", "Haus", -0.1, "house"),
        ("Haus", "horse", -0.6, "house"),
        ("Haus", "horse", -0.1, None),
        ("Haus", "houses", -0.6, None),
        ("Haus", "houses", -2.0, None),
        ("Hund", "hound dog", -0.6, "dog"),
        ("Hund", "dogs", -0.6, None),
        ("Hund", "dogs", -2.0, "dog"),
        ("Rufen", "rufen", -0.1, "Call"),
        ("Rufen", "screams", -0.6, "Call"),
        ("Rufen", "shout it", -0.6, None),
        ("Xaver", "Xaver", -0.1, None),
        ("Xaver", "Xavier", -2.0, None),
        ("du", "du", -0.1, None),
    ],
)
def test_a_word_is_unknown_if_it_is_copied_or_guessed_and_the_list_knows_better(
    typed: str, translation: str, score: float, expected: str | None
) -> None:
    usual = {word: word for word in ("Hund", "Haus", "Xaver", "du")}
    usual |= {"haus": "Haus", "Rufen": "rufen"}
    means = {"Hund": "dog", "Haus": "house", "rufen": "call", "Xaver": "Xavier's", "du": "dog"}
    lists = {**LISTS[0], "du": {"dog"}}
    found = unknown_alone(
        {typed: answer(translation, score)},
        usual,
        "Hund".__eq__,
        {word: AlignedWord([text], frozenset({"shout", "hound"})) for word, text in means.items()},
        lists,
        0,
    )
    assert [*found] == ([(typed, expected)] if expected else [])


def test_each_phrase_has_one_meaning_and_addresses_no_one() -> None:
    """German has two forms of address, and who asks for one must not get the other."""
    lines = SET_PHRASES.read_text().splitlines()
    entries = [tuple(line.split("\t")) for line in lines]
    assert {len(entry) for entry in entries} == {4}
    assert {entry[:2] for entry in entries} == {("de", "en"), ("en", "de")}
    assert len({entry[:3] for entry in entries}) == len(entries) > 250
    for _, target, phrase, meaning in entries:
        assert phrase.strip() == phrase
        assert meaning.strip() == meaning
        if target == "de":
            assert not has_other_form(meaning, phrase, "formal")
            assert not has_other_form(meaning, phrase, "informal")


def test_small_letters_come_behind_each(tmp_path: Path) -> None:
    path = tmp_path / "phrases.tsv"
    path.write_text("de\ten\tGern geschehen\tMy pleasure\nde\ten\tAch so\tI see\n")
    assert [*read_set_phrases(path)] == [
        ("de", "en", "Gern geschehen", "My pleasure"),
        ("de", "en", "gern geschehen", "my pleasure"),
        ("de", "en", "Ach so", "I see"),
        ("de", "en", "ach so", "I see"),
    ]


@pytest.mark.parametrize("line", ["de\ten\tGern geschehen", "de\ten\t\tMy pleasure", "Gern", ""])
def test_a_line_with_other_columns_is_told(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "phrases.tsv"
    path.write_text(f"de\ten\tAch so\tI see\n{line}\n")
    assert main(["set-phrases", "--model", str(DEFAULT_MODEL), "--input", str(path)]) == 1
    assert capsys.readouterr().err.startswith(f"error: {path}, line 2: must have a language, ")


def test_those_that_a_model_does_not_know_are_added(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, path = tmp_path / "model", tmp_path / "phrases.tsv"
    shutil.copytree(DEFAULT_MODEL, model)
    path.write_text("de\ten\tHut ab vor dir\tChapeau\nde\ten\tGuten Morgen\tGood morning\n")
    assert main(["set-phrases", "--model", str(model), "--input", str(path)]) == 0
    assert capsys.readouterr().out.startswith("2 phrases that it does not know added to ")
    with Translator.load(model) as translator:
        texts = ["Hut ab vor dir!", "HUT AB VOR DIR", "Perücke"]
        answers = translator.translate(texts, source="de", target="en")
    assert [answer.text for answer in answers] == ["Chapeau!", "CHAPEAU", "wig"]
    assert answers[0].alternatives == ()
