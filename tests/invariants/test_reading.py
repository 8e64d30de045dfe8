"""A model reads what was typed: protected, in other letters and spaces, in no other words."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from translator.pipeline.chunks import chunks_of
from translator.text.characters import PLACEHOLDER
from translator.text.segmentation import split
from translator.tokens.tokenizer import Tokenizer

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "translator" / "pretrained" / "de-en" / "tokenizer.model"
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


class Recording(Tokenizer):
    """Keeps the texts that are encoded."""

    read: list[str]

    def encode_source(self, text: str, target: str, source: str = "") -> list[int]:
        self.read.append(text)
        return super().encode_source(text, target, source)


def letters_of(text: str) -> str:
    """Return the letters of a text, whatever their case, and umlauts as they are typed without."""
    folded = unicodedata.normalize("NFKC", PLACEHOLDER.sub("", text)).casefold().translate(UMLAUTS)
    return "".join(char for char in folded if char.isalnum())


def lines_of(language: str) -> list[str]:
    """Return one side of the phrasebooks that are in the repository."""
    books = sorted((ROOT / "training" / "recipes").glob("de-en-*.txt"))
    rows = [row.split("\t") for book in books for row in book.read_text().split("\n")]
    column = 0 if language == "de" else 1
    return [row[column] for row in rows if len(row) > 1 and row[column].strip()]


@pytest.fixture
def recording() -> Recording:
    return Recording(SHIPPED.read_bytes())


@pytest.mark.parametrize("has_placeholders", [True, False], ids=["own", "imported"])
@pytest.mark.parametrize(("source", "target"), [("de", "en"), ("en", "de")])
def test_the_words_that_a_model_reads_are_those_that_were_typed(
    recording: Recording, source: str, target: str, has_placeholders: bool
) -> None:
    if not has_placeholders:
        recording.num_placeholders = 0  # as an imported model
    lines, num_same = lines_of(source), 0
    assert len(lines) >= 2_000
    for line in lines:
        for sentence in split(line, source, has_placeholders).sentences:
            recording.read = []
            chunks = list(chunks_of(sentence, recording, target, 200, source=source))
            typed = "".join(chunk.protected.text for chunk in chunks)
            # a label is read in a second spelling, too
            read = recording.read[: len(chunks)]
            assert letters_of("".join(read)) == letters_of(typed), sentence
            num_same += "".join(read).strip() == typed.strip()
    assert num_same >= 0.9 * len(lines)
