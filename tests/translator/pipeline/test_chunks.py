"""A sentence as chunks of ids, and back again."""

from __future__ import annotations

import random
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.small_models import small_tokenizer
from tests.toy import toy_pairs
from training.config import SubwordsConfig
from training.data.subwords import train_tokenizer
from translator.pipeline.chunks import Chunk, chunks_of, cut_long, sentence_of
from translator.pipeline.translator import DEFAULT_MODEL
from translator.text.characters import plain, symbols
from translator.tokens.tokenizer import Tokenizer

ONE, TWO, THREE = symbols(3)


@pytest.fixture(scope="module")
def protecting() -> Tokenizer:
    lines = [line for pair in toy_pairs(300, random.Random(0)) for line in pair]
    config = SubwordsConfig(vocab_size=338, placeholders=8)
    return train_tokenizer(lines, ["de", "en"], config)


def read(tokenizer: Tokenizer, chunks: list[Chunk]) -> list[str]:
    return [tokenizer.decode(chunk.source_ids) for chunk in chunks]


def copied(tokenizer: Tokenizer, chunks: list[Chunk]) -> list[str | None]:
    return [tokenizer.decode(one.source_ids) if one.source_ids else None for one in chunks]


def test_a_sentence_in_the_language_wanted_stays(protecting: Tokenizer) -> None:
    sentence = "Der Hund und die Katze sind hier, 1.5 km."
    chunks = list(chunks_of(sentence, protecting, "de", 60, source="en"))
    assert copied(protecting, chunks) == [None]
    assert sentence_of(sentence, chunks, [None]) == sentence
    assert read(protecting, list(chunks_of(sentence, protecting, "en", 60, source="de"))) != [""]


@pytest.mark.parametrize(
    ("text", "source", "target", "expected"),
    [
        ("$5.00", "en", "de", "5,00 $"),
        ("1.250,50 €", "de", "en", "€1,250.50"),
        ("5.00", "en", "de", "5.00"),
    ],
)
def test_an_amount_alone_is_written_as_in_a_sentence(
    protecting: Tokenizer, text: str, source: str, target: str, expected: str
) -> None:
    chunks = list(chunks_of(text, protecting, target, 60, source=source))
    assert copied(protecting, chunks) == [None]
    assert sentence_of(text, chunks, [None]) == expected


def test_known_spans_are_found_again_behind_a_line_break(protecting: Tokenizer) -> None:
    sentence = "der Hund und\n    das <x y> Pferd"
    chunks = list(chunks_of(sentence, protecting, "en", 60, [(21, 26)]))
    assert read(protecting, chunks) == [f"der Hund und das {ONE} Pferd"]
    assert sentence_of(sentence, chunks, copied(protecting, chunks)) == sentence


def test_words_in_an_unknown_script_pass_by_the_model(protecting: Tokenizer) -> None:
    sentence = "Der Hund sieht 東京 und Иван Петрович."
    chunks = list(chunks_of(sentence, protecting, "en", 60))
    assert read(protecting, chunks) == [f"Der Hund sieht {ONE} und {TWO}."]
    answers = [f"The dog sees {ONE} and {TWO}."]
    assert sentence_of(sentence, chunks, answers) == "The dog sees 東京 and Иван Петрович."


@pytest.mark.parametrize("name", ["protecting", "tokenizer"])
@pytest.mark.parametrize("sentence", ["Москва – столица России, 1147.", "ДА, МОСКВА\nи так\x92"])
def test_a_sentence_all_in_an_unknown_script_stays_as_it_is(
    request: pytest.FixtureRequest, name: str, sentence: str
) -> None:
    chunks = list(chunks_of(sentence, request.getfixturevalue(name), "en", 60))
    assert [chunk.source_ids for chunk in chunks] == [()]
    assert sentence_of(sentence, chunks, [None]) == sentence


def test_without_placeholders_words_in_an_unknown_script_are_read(tokenizer: Tokenizer) -> None:
    [chunk] = chunks_of("Der Hund 東京.", tokenizer, "en", 60)
    assert tokenizer.decode(chunk.source_ids) == "Der Hund 東京."


def test_what_a_number_gets_in_a_sentence_in_capitals_is_in_capitals() -> None:
    tokenizer = Tokenizer(small_tokenizer().serialized)
    [chunk] = chunks_of("OPEN THE DOOR AT 5 PM", tokenizer, "de", 200, source="en")
    assert chunk.written("Um 5 pm da") == "UM 17 UHR DA"


def test_words_behind_marks_are_read_apart_and_come_back() -> None:
    tokenizer = Tokenizer(small_tokenizer().serialized)
    [chunk] = chunks_of('the "grey" cat/dog (old)', tokenizer, "de", 200, source="en")
    written = chunk.written("die „ graue“ katze / hund ( alt )")
    assert chunk.restore(written) == "die „graue“ katze/hund (alt)"


def test_numbers_come_back_in_the_signs_of_the_target(protecting: Tokenizer) -> None:
    sentence = "Der Hund hat 37,5 m² und 4.500 mAh."
    chunks = list(chunks_of(sentence, protecting, "en", 60, source="de"))
    answers = [f"The dog has 37,5 m{ONE} and 4.500 {TWO}."]
    assert sentence_of(sentence, chunks, answers) == "The dog has 37.5 m² and 4,500 mAh."
    unsaid = list(chunks_of(sentence, protecting, "en", 60))
    assert sentence_of(sentence, unsaid, answers) == "The dog has 37,5 m² and 4.500 mAh."


@pytest.mark.parametrize(
    ("sentence", "answer", "expected"),
    [
        (
            "Only <b>1,250</b> people came.",
            f"Nur {ONE}1,250{TWO} Leute kamen.",
            "Nur <b>1.250</b> Leute kamen.",
        ),
        (
            "It costs <b>1,250</b> euros.",
            f"Es kostet {ONE}1,250{TWO} Euro.",
            "Es kostet <b>1.250</b> Euro.",
        ),
        (
            "See version <b>1.2</b> of it.",
            f"Siehe Version {ONE}1.2{TWO} davon.",
            "Siehe Version <b>1.2</b> davon.",
        ),
    ],
)
def test_a_number_alone_in_a_tag_belongs_to_its_sentence(
    protecting: Tokenizer, sentence: str, answer: str, expected: str
) -> None:
    chunks = list(chunks_of(sentence, protecting, "de", 60, source="en"))
    assert sentence_of(sentence, chunks, [answer]) == expected


def test_a_chunk_without_letters_has_nothing_to_translate(protecting: Tokenizer) -> None:
    sentence = "Hund " + "{0} " * 8 + "{1}/{2}"
    chunks = list(chunks_of(sentence, protecting, "en", 60))
    assert [bool(chunk.source_ids) for chunk in chunks] == [True, False]
    assert sentence_of(sentence, chunks, copied(protecting, chunks)) == sentence


def test_each_chunk_needs_its_translation(protecting: Tokenizer) -> None:
    chunks = list(chunks_of("Der Hund.", protecting, "en", 40))
    with pytest.raises(ValueError, match="zip"):
        sentence_of("Der Hund.", chunks, [])


@pytest.fixture(scope="module")
def shipped() -> Tokenizer:
    return Tokenizer.load(DEFAULT_MODEL / "tokenizer.model")


@example(["a🄋a", "n🄁", "a❨0"])
@given(
    st.lists(
        st.tuples(
            st.text("aeknrst", max_size=3),
            st.text(
                st.characters(categories=["L", "N", "P", "M"], exclude_characters="«»&"),
                min_size=1,
                max_size=3,
            ),
            st.text("aeknrst", max_size=3),
        ).map("".join),
        min_size=1,
        max_size=12,
    )
)
def test_the_shipped_model_never_reads_bytes_and_loses_no_name(
    shipped: Tokenizer, names: list[str]
) -> None:
    """Whatever a word consists of, it can be read or it comes back as it was.

    Only the `&` of a menu's label may go elsewhere. What is plain ASCII may be a word that is read
    in another spelling, such as `uer` with `ü` and `tgl.` in full, and `aa!Ö` is two words.
    """
    sentence = f"Der Hund {' und '.join(names)} geht"
    chunks = list(chunks_of(sentence, shipped, "en", 200, source="de"))
    for chunk in chunks:
        assert not any(piece.startswith("<0x") for piece in shipped.pieces(chunk.source_ids))
    restored = sentence_of(sentence, chunks, copied(shipped, chunks))
    for name in names:
        is_whole = name == unicodedata.normalize("NFKC", name) and name.isprintable()
        if is_whole and not name.isascii() and not {*name} & {*",!?"}:
            known = unicodedata.normalize("NFC", plain(name))
            assert name in restored or known in restored, (name, restored)


SOME = (
    *("a", "Ä", "Hallo", "e\u0301", "\u0301", "日本", "नमस्ते", "\n", " ", "  ", "\u3000", "\u200b"),
    *("😀", "👨‍👩‍👧", "👍🏽", "\u200d", "\ufe0f", "🇩🇪", "„", "("),
    *("1", "3.5", ".", "…", "。", ",", ", "),
    *(";", ": ", " – ", "http://a.b/?C=d"),
)


def random_text(rng: random.Random, max_parts: int) -> str:
    return "".join(rng.choice(SOME) for _ in range(rng.randint(0, max_parts)))


def test_a_sentence_that_fits_is_one_piece() -> None:
    assert cut_long("a, b c", len, 6) == ["a, b c"]
    assert cut_long("", len, 1) == [""]


@pytest.mark.parametrize(
    ("sentence", "max_tokens", "pieces"),
    [
        ("one two, three four five", 18, ["one two, ", "three four five"]),
        ("one two; three four five", 18, ["one two; ", "three four five"]),
        ("one two – three four five", 18, ["one two – ", "three four five"]),
        ("a, one two three four", 17, ["a, one two three ", "four"]),  # comma too far left
        ("one two three", 8, ["one two ", "three"]),
        ("one two   three", 10, ["one two   ", "three"]),  # all white space to the left
        ("one two   three", 8, ["one ", "two   ", "three"]),
        ("一二三，四五六七", 6, ["一二三，", "四五六七"]),
        ("abcdefgh", 3, ["abc", "def", "gh"]),
        ("abe\u0301fg", 3, ["ab", "e\u0301f", "g"]),
        ("ab👍🏽c", 3, ["ab", "👍🏽c"]),
        ("ab👩‍🔬c", 4, ["ab", "👩‍🔬c"]),
        ("a\u0301\u0301\u0301", 2, ["a\u0301", "\u0301\u0301"]),  # unavoidable
    ],
)
def test_where_long_sentences_are_cut(sentence: str, max_tokens: int, pieces: list[str]) -> None:
    assert cut_long(sentence, len, max_tokens) == pieces


def num_words_and_bytes(text: str) -> int:
    """Count like a subword tokenizer: not proportional to characters, nor additive."""
    return sum((len(word.encode("utf-8", "surrogatepass")) + 3) // 3 for word in text.split())


@pytest.mark.parametrize("max_tokens", [2, 7, 30])
def test_pieces_fit_and_concatenate_to_the_sentence(max_tokens: int) -> None:
    rng = random.Random(max_tokens)
    for _ in range(1000):
        sentence = random_text(rng, 60)
        pieces = cut_long(sentence, num_words_and_bytes, max_tokens)
        assert "".join(pieces) == sentence
        assert all(num_words_and_bytes(piece) <= max_tokens for piece in pieces)


def test_a_character_of_too_many_tokens_is_a_piece_of_its_own() -> None:
    assert cut_long("abc", lambda text: 5 * len(text), 3) == ["a", "b", "c"]


@pytest.mark.parametrize(
    "sentence", ["a" * 100_000, "word " * 5_000, "a" + "\u0301" * 20_000, " " * 50_000]
)
def test_cutting_tokenizes_little_more_than_the_sentence(sentence: str) -> None:
    num_characters = 0

    def count(text: str) -> int:
        nonlocal num_characters
        num_characters += len(text)
        return len(text)

    pieces = cut_long(sentence, count, 200)
    assert "".join(pieces) == sentence
    assert max(map(len, pieces)) <= 200
    assert num_characters < 30 * len(sentence)


def test_max_tokens_must_be_positive() -> None:
    with pytest.raises(ValueError, match="max_tokens: must be at least 1, got 0"):
        cut_long("a", len, 0)
