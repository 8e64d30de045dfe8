"""What the steps of the pipeline do to the sentences of a model that has learned them by heart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.fake_models import FakeModel
from translator.alignment.alignment import Alignment
from translator.documents.document import Prose, TextDocument
from translator.pipeline.documents import translate_document
from translator.pipeline.options import SearchOptions, TextOptions
from translator.pipeline.texts import stream_texts, translate_texts
from translator.pipeline.translation import SentenceTranslation, Translation, joined
from translator.text.characters import Alphabet
from translator.text.glossary import Glossary
from translator.text.marked import MarkedText
from translator.text.segmentation import split

GLOSSARY = Glossary(pairs={"Hund": "big hound"})


class ByHeart(FakeModel):
    """Knows sentences by heart, leaves others as they are, and aligns each word with its place."""

    def __init__(self, sentences: dict[str, str], num_placeholders: int = 8) -> None:
        self.sentences, self.num_placeholders = sentences, num_placeholders
        self.read = list[str]()

    def sentences_of(
        self, text: MarkedText, options: SearchOptions
    ) -> Iterator[SentenceTranslation]:
        self.read.append(text.text)
        segments = split(text.text, options.source, True, text.spans)
        *separators, last = segments.separators
        for separator, source in zip(separators, segments.sentences, strict=True):
            known = self.sentences.get(source)
            yield SentenceTranslation(
                separator=separator,
                source=source,
                text=source if known is None else known,
                score=None if known is None else -1.0,
            )
        yield SentenceTranslation(separator=last, source="", text="")

    def aligner(self, source: str) -> Any:
        tokenizer = SimpleNamespace(
            num_placeholders=self.num_placeholders,
            alphabet=Alphabet(frozenset({"LATIN"})),
            log_prob=lambda text: -len(text) - 90.0 * text.isupper(),
        )
        return SimpleNamespace(tokenizer=tokenizer, align=aligned)


def aligned(pairs: Sequence[tuple[str, str]], *_: object) -> list[Alignment]:
    alignments = []
    for pair in pairs:
        source, target = (tuple(word.span() for word in re.finditer(r"\w+", text)) for text in pair)
        weights = np.eye(len(target), len(source), dtype=np.float32)
        log_probs = np.full(len(target), -0.5, dtype=np.float32)
        alignments.append(Alignment(weights, source, target, log_probs))
    return alignments


def translated(model: ByHeart, text: str, **options: Any) -> Translation:
    """Return a translation, which is the same as a whole and sentence by sentence."""
    wanted = TextOptions(source="de", target="en", **options)
    [whole] = translate_texts(model, [text], wanted)
    assert joined([sentence for _, sentence in stream_texts(model, [text], wanted)]) == whole
    return whole


@pytest.mark.parametrize("placeholders", [8, 0])
def test_a_sentence_shows_what_was_sent(placeholders: int) -> None:
    below = "Der big hound und ein big hound."
    model = ByHeart({"Ja.": "Yes.", below: "The big hound and a big hound."}, placeholders)
    found = translated(model, "Ja. Der Hund und ein Hund.", glossary=GLOSSARY)
    assert model.read[0] == f"Ja. {below}"
    assert found.text == "Yes. The big hound and a big hound."
    assert [one.source for one in found.sentences] == ["Ja.", "Der Hund und ein Hund."]
    assert [one.terms for one in found.sentences] == [(), ("Hund",)]
    assert found.terms == ("Hund",)


def test_a_term_that_is_in_no_sentence_is_told_all_the_same() -> None:
    found = translated(ByHeart({}), "Hund", glossary=Glossary(pairs={"Hund": "4711"}))
    assert (found.text, found.terms) == ("4711", ("Hund",))


@pytest.mark.parametrize("placeholders", [8, 0])
def test_words_stand_where_they_were_sent(placeholders: int) -> None:
    sent = "Ja, der Hund schläft."
    model = ByHeart({"Ja, der big hound schläft.": "Yes, the big hound is asleep."}, placeholders)
    found = translated(model, sent, glossary=GLOSSARY, has_words=True)
    words = found.sentences[0].words
    assert words
    assert (words[0].start, words[0].end) == (0, 3)
    assert all(word.log_prob < 0 for word in words)
    sources = {sent[start:end] for word in words for start, end, _ in word.sources}
    assert sources <= {"Ja", "der", "schläft", "Hund", "H", "Hun", "und", "d", ""}, sources


def test_no_words_where_there_are_tags_or_nothing_was_translated() -> None:
    model = ByHeart({"Der Hund da": "The dog there"})
    html = translated(model, "<p>Der <b>Hund</b> da</p>", text_format="html", has_words=True)
    copied = translated(model, "Ach so", has_words=True)
    assert [one.words for one in (*html.sentences, *copied.sentences)] == [None, None]


def test_the_amounts_of_a_table_are_written_alike() -> None:
    table = "<table><tr><td>850.00<td>1,204.17<td>43.20</table>"
    wanted = TextOptions(source="en", target="de", text_format="html")
    [found] = translate_texts(ByHeart({}), [table], wanted)
    assert "850,00" in found.text
    assert "43,20" in found.text
    [plain] = translate_texts(ByHeart({}), ["850.00"], TextOptions(source="en", target="de"))
    assert plain.text == "850.00"


@pytest.mark.parametrize(
    ("sent", "known", "expected"),
    [
        ("Einleitung", "introduction", "Introduction"),
        ("„Größe (kg)“", "“size (kg)”", "“Size (kg)”"),
        ("<b>Größe</b> und Preis", "size and price", "<b>Size</b> and price"),
        ("Das npm-Paket", "npm package", "npm package"),
        ("Die iPhones", "iPhones", "iPhones"),
        ("Die Seite a.de", "a.de page", "a.de page"),
        ("öffnen", "open", "open"),
        ("3 Hunde", "three dogs", "three dogs"),
    ],
)
def test_headings_and_cells_keep_the_case_of_their_first_letter(
    sent: str, known: str, expected: str
) -> None:
    model = ByHeart({sent.replace("<b>", "").replace("</b>", ""): known})
    found = translated(model, f"<td>{sent}</td>", text_format="html")
    assert found.text == f"<td>{expected}</td>"


def test_texts_of_files_keep_the_case_of_their_first_letter_too() -> None:
    model, options = ByHeart({"Größe": "size"}), TextOptions(source="de", target="en")
    assert translate_document(model, TextDocument([Prose(MarkedText("Größe"))]), options) == "Size"
    assert translated(model, "Größe").text == "size", "an entry of a dictionary"


def test_terms_stay_in_the_case_that_is_given() -> None:
    model = ByHeart({"big hound": "big hound"})
    found = translated(model, "<td>Hund</td>", text_format="html", glossary=GLOSSARY)
    assert found.text == "<td>big hound</td>"


def test_each_step_can_be_looked_at() -> None:
    seen = list[tuple[str, tuple[str, ...]]]()
    model = ByHeart({"Der big hound ist nicht da.": "The big hound is not there."})
    options = TextOptions(
        source="de",
        target="en",
        text_format="html",
        glossary=GLOSSARY,
        on_step=lambda name, texts: seen.append((name, tuple(texts))),
    )
    translate_texts(model, ["<p>Der <b>Hund</b> ist nicht da.</p>"], options)
    assert list(dict.fromkeys(name for name, _ in seen)) == [
        *("format", "terms", "beginnings", "tags"),
        *("tags, up", "beginnings, up", "terms, up", "format, up"),
    ]
    assert seen[3] == ("tags", ("Der big hound ist nicht da.",))
    assert seen[4][1][0].startswith("The ")
