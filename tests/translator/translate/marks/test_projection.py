"""Whole translations get their marks back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from translator.model.reference import Reference
from translator.model.transformer import Transformer
from translator.text.formats.inline import Inline
from translator.text.marked import MarkedText
from translator.text.spans import Span
from translator.tokens.tokenizer import Tokenizer
from translator.translate.marks.alignment import Aligner, Alignment, places_of
from translator.translate.marks.projection import MarkProjection, sentences_of, with_addresses
from translator.translate.marks.readings import PairReader
from translator.translate.translation import SentenceTranslation, Translation


class Backwards(Aligner):
    """Its attention goes from each word to the one that is as far from the other end."""

    def align(
        self,
        pairs: Sequence[tuple[str, str]],
        target_language: str,
        while_waiting: Callable[[], None] = lambda: None,
        has_log_probs: bool = False,
    ) -> list[Alignment | None]:
        found: list[Alignment | None] = []
        for source, target in pairs:
            read, written = places_of(source, source.split()), places_of(target, target.split())
            weights = np.eye(len(written), len(read), dtype=np.float32)[:, ::-1]
            found.append(Alignment(weights, read, written))
        return found


@pytest.fixture
def projection(model: Transformer, tokenizer: Tokenizer) -> MarkProjection:
    return MarkProjection(
        aligner=Backwards(PairReader(Reference.of(model), 0), tokenizer, "de"), target="en"
    )


def paragraph() -> Inline[str]:
    inline: Inline[str] = Inline()
    inline.add_text("Eins ")
    inline.opens("<b>")
    inline.add_text("zwei")
    inline.closes("</b>")
    inline.add_text(" drei. ")
    inline.opens("<i>")
    inline.add_text("Vier.")
    inline.closes("</i>")
    inline.stands("<img>")
    return inline


def sentence(separator: str, source: str, text: str, **more: object) -> SentenceTranslation:
    return SentenceTranslation(separator=separator, source=source, text=text, **more)  # type: ignore[arg-type]


def with_marks(inline: Inline[str], text: str) -> str:
    return "".join(piece if isinstance(piece, str) else piece[0] for piece in inline.pieces(text))


def test_marks_that_were_taken_out(projection: MarkProjection) -> None:
    inline = paragraph()
    taken = projection.take_out(inline.marked())
    assert taken.text.text == "Eins zwei drei. Vier."
    translation = Translation(
        text="three. two one Four.!",
        sentences=(
            sentence("", "Eins zwei drei.", "three. two one"),
            sentence(" ", "Vier.", "Four."),
        ),
    )
    [found] = projection.put_back([taken], [translation])
    assert with_marks(inline, found.text) == "three. <b>two</b> one <i>Four.</i><img>!"
    each = list(projection.put_back_each(taken, sentences_of(translation)))
    assert "".join(one.separator + one.text for one in each) == found.text


def test_a_text_without_sentences(projection: MarkProjection) -> None:
    inline: Inline[str] = Inline()
    inline.add_text("1 ")
    inline.stands("<img>")
    taken = projection.take_out(inline.marked())
    [found] = projection.put_back([taken], [Translation(text=taken.text.text)])
    assert with_marks(inline, found.text) == "1 <img>"


def test_a_model_without_placeholders_repeats_code(projection: MarkProjection) -> None:
    inline: Inline[str] = Inline()
    inline.add_text("Der Befehl ")
    inline.stands("<code>ls -l</code>", text="ls")
    taken = projection.take_out(inline.marked())
    translation = Translation(
        text="LS order the", sentences=(sentence("", taken.text.text, "LS order the"),)
    )
    [found] = projection.put_back([taken], [translation])
    assert with_marks(inline, found.text) == "<code>ls -l</code> order the"


def test_lost_marks_are_mended(projection: MarkProjection) -> None:
    inline: Inline[str] = Inline()
    inline.add_text("Eins ")
    inline.opens("<b>")
    inline.add_text("zwei")
    inline.closes("</b>")
    inline.add_text(" drei")
    source = inline.marked().text
    opening, closing = source[5:8], source[12:16]
    lost = f"three two one {opening} {closing}"
    one = sentence("", source, lost, flags=("placeholders", "retried"))
    whole = Translation(text=f"{lost}\n", flags=("placeholders", "retried"), sentences=(one,))
    other = Translation(text="x")
    found, same = projection.mend([whole, other])
    assert same is other
    assert with_marks(inline, found.text) == "three <b>two</b> one\n"
    [mended] = projection.mend_each([one])
    assert mended.text + "\n" == found.text


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        (((2, 3), (22, 25)), ((2, 3), (3, 22), (22, 25))),
        (((2, 4),), ((2, 4),)),
        (((21, 25),), ((21, 25),)),
    ],
)
def test_an_address_is_a_span_beside_marks_that_touch_it_but_not_across_them(
    spans: tuple[Span, ...], expected: tuple[Span, ...]
) -> None:
    text = "ab https://a.example/x cd"
    assert text[3:22] == "https://a.example/x"
    assert with_addresses(MarkedText(text, spans)).spans == expected


@pytest.mark.parametrize(
    ("translation", "expected"),
    [
        ("on https://a.example/x? see", "on https://a.example/x? see"),
        ("see htps://a.exmple on", "see https://a.example/x on"),
    ],
)
def test_addresses_come_back_from_a_model_without_placeholders(
    projection: MarkProjection,
    monkeypatch: pytest.MonkeyPatch,
    translation: str,
    expected: str,
) -> None:
    """Where the model has copied one, it stays; otherwise it takes the place of its words."""
    monkeypatch.setattr(projection.aligner.tokenizer, "num_placeholders", 0)
    source = "auf https://a.example/x sehen"
    taken = projection.take_out(MarkedText(source))
    assert taken.text.text == source
    translated = sentence("", source, translation)
    whole = Translation(text=translation, sentences=(translated,))
    [found] = projection.put_back([taken], [whole])
    assert found.text == expected
