"""A sentence that is too long is cut where it reads on, and nothing of it is lost."""

from __future__ import annotations

import random

import pytest

from translator.tokens.length_cuts import cut_long

SOME = (
    *("a", "Ä", "Hallo", "e\u0301", "\u0301", "日本", "नमस्ते", "\n", " ", "  ", "\u3000", "\u200b"),
    *(
        "😀",
        "👨‍👩‍👧",
        "👍🏽",
        "\u200d",
        "\ufe0f",
        "🇩🇪",
        "„",
        "(",
        "1",
        "3.5",
        ".",
        "…",
        "。",
        ",",
        ", ",
    ),
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
