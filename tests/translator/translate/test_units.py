"""Units before and after their translation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from tests.translator.translate.test_documents import translator_of
from translator.text.characters import Alphabet
from translator.text.formats.html import read_html
from translator.text.glossary import Glossary
from translator.text.marked import MarkedText
from translator.translate.marks.alignment import Aligner, Alignment
from translator.translate.translation import SentenceTranslation, Translation
from translator.translate.units import PreparedUnits, TextOptions

GLOSSARY = Glossary(pairs={"Hund": "big hound"})


def prepared(*units: str | MarkedText, placeholders: int = 8, **more: Any) -> PreparedUnits:
    options = TextOptions(**{"source": "de", "target": "en", **more})
    aligner = translator_of(placeholders).aligner("de", "en")
    return PreparedUnits(units, aligner, options)


def sentence(separator: str, source: str, text: str) -> SentenceTranslation:
    return SentenceTranslation(separator=separator, source=source, text=text, score=-1.0)


def translation(*sentences: SentenceTranslation) -> Translation:
    text = "".join(one.separator + one.text for one in sentences)
    return Translation(text=text, sentences=sentences)


@pytest.mark.parametrize("placeholders", [8, 0])
def test_a_sentence_shows_what_was_sent(placeholders: int) -> None:
    work = prepared("Ja. Der Hund und ein Hund.", placeholders=placeholders, glossary=GLOSSARY)
    assert work.texts[0].text == "Ja. Der big hound und ein big hound."
    done = translation(
        sentence("", "Ja.", "Yes."),
        sentence(" ", "Der big hound und ein big hound.", "The big hound and a big hound."),
    )
    [found] = work.finished([done])
    assert [one.source for one in found.sentences] == ["Ja.", "Der Hund und ein Hund."]
    assert found.terms == ("Hund",)
    each = list(work.finished_each(0, iter(done.sentences)))
    assert [one.source for one in each] == ["Ja.", "Der Hund und ein Hund."]
    assert work.terms(0) == {"Hund"}


@pytest.mark.parametrize("placeholders", [8, 0])
def test_words_stand_where_they_were_sent(placeholders: int) -> None:
    sent = "Ja, der Hund schläft."
    work = prepared(sent, placeholders=placeholders, glossary=GLOSSARY, has_words=True)
    one = sentence("", work.texts[0].text, "The big hound is asleep.")
    [found] = work.finished([translation(one)])
    [each] = work.finished_each(0, iter([one]))
    for words in (found.sentences[0].words, each.words):
        assert words
        assert (words[0].start, words[0].end) == (0, 3)
        assert all(word.log_prob < 0 for word in words)
        sources = {sent[start:end] for word in words for start, end, _ in word.sources}
        assert sources <= {"Ja", "der", "schläft", "Hund", "H", "Hun", "und", "d", ""}, sources


def test_no_words_where_there_are_tags_or_nothing_was_translated() -> None:
    [unit] = read_html("<p>Der <b>Hund</b> da</p>").units
    work = prepared(unit, "123", has_words=True)
    copied = SentenceTranslation(separator="", source="123", text="123")
    marked = sentence("", work.texts[0].text, "The dog there")
    found = work.finished([translation(marked), translation(copied)])
    assert [one.sentences[0].words for one in found] == [None, None]


def test_nothing_is_done_to_a_text_in_the_language_wanted() -> None:
    work = prepared("Der Hund", target="de", glossary=GLOSSARY, has_words=True)
    assert work.texts == [MarkedText("Der Hund")]
    same = Translation(text="Der Hund")
    assert work.finished([same]) == [same]


class EyeAligner:
    """Aligns each word with the one at its place."""

    tokenizer = SimpleNamespace(
        num_placeholders=8,
        alphabet=Alphabet(frozenset({"LATIN"})),
        log_prob=lambda text: -len(text) - 90.0 * text.isupper(),
    )

    def align(self, pairs: Sequence[tuple[str, str]], *_: object, **__: object) -> list[Alignment]:
        found = []
        for pair in pairs:
            source, target = (
                tuple(word.span() for word in re.finditer(r"\w+", text)) for text in pair
            )
            weights = np.eye(len(target), len(source), dtype=np.float32)
            log_probs = np.zeros(len(target), dtype=np.float32)
            found.append(Alignment(weights, source, target, log_probs))
        return found


@pytest.mark.parametrize("has_words", [False, True])
def test_shouted_words_are_shouted_again(has_words: bool) -> None:
    options = TextOptions(source="de", target="en", has_words=has_words)
    sent = "Ja. Das ist NICHT gut.\n"
    work = PreparedUnits([sent, "Ja."], cast(Aligner, EyeAligner()), options)
    assert [one.text for one in work.texts] == ["Ja. Das ist nicht gut.\n", "Ja."]
    yes, no = sentence("", "Ja.", "Yes."), sentence(" ", "Das ist nicht gut.", "That is not good.")
    whole = Translation(text="Yes. That is not good.\n", sentences=(yes, no))
    found, other = work.finished([whole, translation(yes)])
    assert (found.text, other.text) == ("Yes. That is NOT good.\n", "Yes.")
    assert [one.source for one in found.sentences] == ["Ja.", "Das ist NICHT gut."]
    assert [one.text for one in found.sentences] == ["Yes.", "That is NOT good."]
    last = SentenceTranslation(separator="\n", source="", text="")
    each = list(work.finished_each(0, iter([yes, no, last])))
    assert "".join(one.separator + one.text for one in each) == found.text
    assert "".join(one.separator + one.source for one in each) == sent
    assert all((one.words is not None) == has_words for one in found.sentences)


def test_words_in_a_unit_with_tags_stay_as_they_are() -> None:
    [unit] = read_html("<p>Das ist NICHT <b>gut</b></p>").units
    work = PreparedUnits([unit], cast(Aligner, EyeAligner()), TextOptions(source="de", target="en"))
    assert work.texts[0].text == "Das ist NICHT gut"
