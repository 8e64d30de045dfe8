"""Translations get their marks back."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from translator.alignment.alignment import Aligner, Alignment, places_of
from translator.alignment.forced import PairReader
from translator.deadline import NO_DEADLINE
from translator.documents.markup.inline import Inline
from translator.model.reference import Reference
from translator.model.transformer import Transformer
from translator.pipeline.tags import Tags, nested, with_addresses
from translator.pipeline.translation import SentenceTranslation
from translator.text.characters import placeholders_in
from translator.text.marked import MarkedText
from translator.text.spans import Span
from translator.tokens.tokenizer import Tokenizer


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
def aligner(model: Transformer, tokenizer: Tokenizer) -> Aligner:
    return Backwards(PairReader(Reference.of(model), 0), tokenizer, "de")


@pytest.fixture
def tags(aligner: Aligner) -> Tags:
    return Tags(aligner, "en", NO_DEADLINE, "attention")


def brought_up(tags: Tags, *sentences: SentenceTranslation) -> str:
    """Return the translation of a text that was taken down, whose sentences come in one batch."""
    [batch] = tags.up(iter([[(0, sentence) for sentence in sentences]]))
    return "".join(one.separator + one.text for _, one in batch)


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


def test_marks_that_were_taken_out(tags: Tags) -> None:
    inline = paragraph()
    [below] = tags.down([inline.marked()])
    assert below.text == "Eins zwei drei. Vier."
    text = brought_up(
        tags,
        sentence("", "Eins zwei drei.", "three. two one"),
        sentence(" ", "Vier.", "Four."),
        sentence("!", "", ""),
    )
    assert with_marks(inline, text) == "three. <b>two</b> one <i>Four.</i><img>!"


def test_words_that_nobody_reads_are_found_again_as_placeholders(
    aligner: Aligner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aligner.tokenizer, "num_placeholders", 8)
    asked: list[tuple[str, str]] = []

    def align(pairs: Sequence[tuple[str, str]], *_: object, **__: object) -> list[None]:
        asked.extend(pairs)
        return [None for _ in pairs]

    monkeypatch.setattr(aligner, "align", align)
    inline: Inline[str] = Inline()
    inline.add_text("Das Wort ")
    inline.opens("<ruby>")
    inline.add_text("漢字")
    inline.closes("</ruby>")
    inline.add_text(".")
    tags = Tags(aligner, "en", NO_DEADLINE, "attention")
    [text] = tags.down([inline.marked()])
    sentence = SentenceTranslation(separator="", source=text.text, text="漢字 the word.")
    brought_up(tags, sentence)
    [(read, written)] = asked
    assert placeholders_in(read) == placeholders_in(written) != []


def test_sentences_may_come_one_by_one(tags: Tags) -> None:
    inline = paragraph()
    tags.down([inline.marked()])
    first, second = sentence("", "Eins zwei drei.", "c b a"), sentence(" ", "Vier.", "Four.")
    batches = tags.up(iter([[(0, first)], [(0, second), (0, sentence("", "", ""))]]))
    [(_, one)] = next(batches)
    assert with_marks(inline, one.text).startswith("c <b>b</b> a")
    [(_, two), (_, last)] = next(batches)
    rest = two.separator + two.text + last.separator
    assert with_marks(inline, one.text + rest) == "c <b>b</b> a <i>Four.</i><img>"


def test_a_text_without_sentences(tags: Tags) -> None:
    inline: Inline[str] = Inline()
    inline.add_text("1 ")
    inline.stands("<img>")
    [below] = tags.down([inline.marked()])
    assert with_marks(inline, brought_up(tags, sentence(below.text, "", ""))) == "1 <img>"


def test_a_model_without_placeholders_repeats_code(tags: Tags) -> None:
    inline: Inline[str] = Inline()
    inline.add_text("Der Befehl ")
    inline.stands("<code>ls -l</code>", text="ls")
    [below] = tags.down([inline.marked()])
    text = brought_up(tags, sentence("", below.text, "LS order the"), sentence("", "", ""))
    assert with_marks(inline, text) == "<code>ls -l</code> order the"


def test_lost_marks_are_mended(aligner: Aligner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aligner.tokenizer, "num_placeholders", 8)
    tags = Tags(aligner, "en", NO_DEADLINE, "placeholders")
    inline: Inline[str] = Inline()
    inline.add_text("Eins ")
    inline.opens("<b>")
    inline.add_text("zwei")
    inline.closes("</b>")
    inline.add_text(" drei")
    [below] = tags.down([inline.marked()])
    assert below == inline.marked(), "the model reads the marks"
    opening, closing = below.text[5:8], below.text[12:16]
    lost = sentence(
        "", below.text, f"three two one {opening} {closing}", flags=("placeholders", "retried")
    )
    assert with_marks(inline, brought_up(tags, lost)) == "three <b>two</b> one"
    right = sentence("", below.text, below.text)
    assert brought_up(tags, right) == below.text


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
    aligner: Aligner, monkeypatch: pytest.MonkeyPatch, translation: str, expected: str
) -> None:
    """Where the model has copied one, it stays; otherwise it takes the place of its words."""
    monkeypatch.setattr(aligner.tokenizer, "num_placeholders", 0)
    tags = Tags(aligner, "en", NO_DEADLINE, "attention")
    source = "auf https://a.example/x sehen"
    [below] = tags.down([MarkedText(source)])
    assert below.text == source
    assert brought_up(tags, sentence("", source, translation)) == expected


@pytest.mark.parametrize(
    ("source", "translation", "expected"),
    [
        ("by <b><tt>#a</tt></b>.", "nach <b><tt>#a</b>. </tt>", "nach <b><tt>#a</tt></b>."),
        ("by <b>it</b> now", "nach <b>ihm jetzt </b>", "nach <b>ihm jetzt</b>"),
        ("a <b>b </b>c", "a <b>b </b>c", "a <b>b </b>c"),
        ("<b>a</b><br>b", "<b>A</b><br>B", "<b>A</b><br>B"),
        ("One</b> and <i>", "Eins</b> und <i>", "Eins</b> und <i>"),
        ("<b>a</b>", "<b>A", "<b>A"),
        ("a < b", "a < b ", "a < b "),
        ("<b>甲</b>。", "<b>A</b>. ", "<b>A</b>. "),
    ],
)
def test_tags_of_a_message_are_nested(source: str, translation: str, expected: str) -> None:
    assert nested(source, translation) == expected


def test_a_model_with_placeholders_may_let_tags_of_a_message_cross(
    aligner: Aligner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aligner.tokenizer, "num_placeholders", 8)
    tags = Tags(aligner, "en", NO_DEADLINE, "attention")
    source = "zu <b><i>eins</i></b>."
    [below] = tags.down([MarkedText(source, ((3, 6), (6, 9), (13, 17), (17, 21)))])
    crossing = sentence("", below.text, "to <b><i>one</b>. </i>")
    assert brought_up(tags, crossing) == "to <b><i>one</i></b>."


@settings(max_examples=200)
@given(
    st.recursive(
        st.just("x"),
        lambda inner: st.tuples(
            st.sampled_from("abc"), st.lists(inner, min_size=1, max_size=3)
        ).map(lambda it: f"<{it[0]}>{' '.join(it[1])}</{it[0]}>"),
        max_leaves=6,
    ),
    st.randoms(use_true_random=False),
)
def test_tags_in_any_order_are_nested_again(source: str, random: Random) -> None:
    tags = re.findall("<[^<>]+>", source)
    moved = [*tags, "y", "z"]
    random.shuffle(moved)
    found = re.findall("<[^<>]+>", nested(source, " ".join(moved)))
    assert sorted(found) == sorted(tags)
    opened = []
    for tag in found:
        if tag[1] != "/":
            opened.append(tag)
        else:
            assert opened.pop() == tag.replace("/", "")
