"""Vocabularies are learned or taken over, and words can be split anew."""

from __future__ import annotations

import io
import itertools
import math
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Literal

import pytest
import sentencepiece
from hypothesis import given
from hypothesis import strategies as st

from tests.toy import toy_lines
from training.config import SubwordsConfig
from training.data.subword_sampling import SubwordSampler
from training.data.subwords import adopted_tokenizer, train_tokenizer, with_marks
from translator.errors import ConfigError
from translator.tokens.tokenizer import Tokenizer

LINES = toy_lines(200)


@pytest.mark.parametrize("algorithm", ["unigram", "bpe"])
def test_size_special_pieces_and_bytes(algorithm: Literal["unigram", "bpe"]) -> None:
    config = SubwordsConfig(vocab_size=320, algorithm=algorithm)
    tokenizer = train_tokenizer(LINES, ["de", "en"], config)
    assert tokenizer.vocab_size == 320
    assert tokenizer.pieces(range(6)) == ["<pad>", "<unk>", "<s>", "</s>", "<2de>", "<2en>"]
    assert (tokenizer.pad_id, tokenizer.unk_id, tokenizer.bos_id, tokenizer.eos_id) == (0, 1, 2, 3)
    pieces = set(tokenizer.pieces(range(320)))
    assert {f"<0x{byte:02X}>" for byte in range(256)} <= pieces
    assert tokenizer.decode(tokenizer.encode("Zürich 漢")) == "Zürich 漢"


def test_the_same_text_gives_the_same_vocabulary(tokenizer: Tokenizer) -> None:
    again = train_tokenizer(toy_lines(300), ["de", "en"], SubwordsConfig(vocab_size=330))
    assert again.serialized == tokenizer.serialized


@pytest.mark.parametrize(
    ("vocab_size", "reason"),
    [
        (60_000, r"Vocabulary size too high \(60000\).*<= \d+"),
        (10, "smaller than required_chars"),
    ],
)
def test_a_size_that_does_not_fit_is_refused(vocab_size: int, reason: str) -> None:
    match = rf"subwords\.vocab_size: {vocab_size} does not fit: .*{reason}"
    with pytest.raises(ConfigError, match=match):
        train_tokenizer(LINES, ["de", "en"], SubwordsConfig(vocab_size=vocab_size))


def test_marks_take_the_place_of_the_rarest_signs() -> None:
    config = SubwordsConfig(vocab_size=320)
    rare = ["Ein ☃", *(f"{word}Ω" for word in ("das", "war", "ein", "nur") * 5)]
    before = train_tokenizer([*LINES, *rare], ["de", "en"], config)
    after = with_marks(before, ["formal"])
    assert after.vocab_size == before.vocab_size
    pieces = before.pieces(range(320)), after.pieces(range(320))
    changed = {old: new for old, new in zip(*pieces, strict=True) if old != new}
    assert changed == {"☃": "<formal>"}
    assert after.mark_id("formal") in after.forbidden_ids
    assert after.decode(after.encode("Ein ☃ und ein Ω")) == "Ein ☃ und ein Ω"
    assert after.encode(LINES[0]) == before.encode(LINES[0])
    assert with_marks(after, ["formal"]) is after


def test_a_vocabulary_without_rare_signs_has_no_room_for_marks() -> None:
    lines = [line.encode("ascii", "ignore").decode() for line in LINES]
    tokenizer = train_tokenizer(lines, ["de", "en"], SubwordsConfig(vocab_size=310))
    with pytest.raises(ConfigError, match="no room for <formal>, <informal>"):
        with_marks(tokenizer, ["formal", "informal"])


def foreign_model(**options: Any) -> bytes:
    """Return a SentencePiece model as others train it: no padding, no tags, BOS 1 and EOS 2."""
    content = io.BytesIO()
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter(LINES), model_writer=content, minloglevel=2, **options
    )
    return content.getvalue()


FOREIGN = foreign_model(vocab_size=320, byte_fallback=True)
ADOPTED = adopted_tokenizer(FOREIGN, ["de", "en"], 2, ["synthetic"])


@given(st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(LINES))
def test_an_adopted_vocabulary_splits_as_it_always_did(text: str) -> None:
    processor = sentencepiece.SentencePieceProcessor(model_proto=FOREIGN)
    ids = processor.EncodeAsIds(text)
    # this project brings text to NFC first, which the normal form of the model includes
    assert ADOPTED.encode(text) == ids
    assert ADOPTED.decode(ids) == processor.DecodeIds(ids)


def test_an_adopted_vocabulary_gets_what_training_needs() -> None:
    foreign = sentencepiece.SentencePieceProcessor(model_proto=FOREIGN)
    added = ADOPTED.pieces(range(foreign.vocab_size(), ADOPTED.vocab_size))
    assert added[:4] == ["<pad>", "<2de>", "<2en>", "<synthetic>"]
    assert ADOPTED.num_placeholders == 2
    assert (ADOPTED.unk_id, ADOPTED.bos_id, ADOPTED.eos_id) == (0, 1, 2)
    assert {ADOPTED.pad_id, ADOPTED.tag_id("de"), ADOPTED.mark_id("synthetic")} <= {
        *ADOPTED.forbidden_ids
    }
    assert adopted_tokenizer(ADOPTED.serialized, ["de", "en"], 2).vocab_size == ADOPTED.vocab_size


def test_what_cannot_be_adopted_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"subwords\.model: is not a SentencePiece model"):
        adopted_tokenizer(b"no model", ["de", "en"], 0)
    without_ends = foreign_model(vocab_size=60, bos_id=-1, eos_id=-1)
    tokenizer = adopted_tokenizer(without_ends, ["de", "en"], 0)
    assert tokenizer.pieces([tokenizer.bos_id, tokenizer.eos_id]) == ["<s>", "</s>"]


SAMPLED = toy_lines(100, seed=9)
TEXTS = [
    "Der Hund schläft nicht, die Katze auch nicht.",
    "  viele   Leerzeichen ",
    "Zahlen: 1234 und 5.678,90 €",
    "emoji 😀👍🏽 und <2de> </s> <pad>",
    "日本語 und Ελληνικά",
    "",
]


@pytest.fixture(scope="module")
def bpe() -> Tokenizer:
    config = SubwordsConfig(vocab_size=330, algorithm="bpe")
    return train_tokenizer(toy_lines(300), ["de", "en"], config)


def samplers(
    tokenizer: Tokenizer, bpe: Tokenizer, alpha: float = 0.1, dropout: float = 0.3
) -> tuple[SubwordSampler, SubwordSampler]:
    return (
        SubwordSampler(tokenizer, unigram_alpha=alpha),
        SubwordSampler(bpe, bpe_dropout=dropout),
    )


@pytest.mark.parametrize("text", TEXTS)
def test_the_text_stays_the_same(text: str, tokenizer: Tokenizer, bpe: Tokenizer) -> None:
    for sampler in samplers(tokenizer, bpe):
        ids, generator = sampler.tokenizer.encode(text), random.Random(0)
        for _ in range(20):
            again = sampler.resample(ids, generator)
            assert sampler.tokenizer.decode(again) == sampler.tokenizer.decode(ids)


def test_sampling_changes_most_lines(tokenizer: Tokenizer, bpe: Tokenizer) -> None:
    for sampler in samplers(tokenizer, bpe):
        generator = random.Random(0)
        encoded = [sampler.tokenizer.encode(line) for line in SAMPLED]
        changed = sum(sampler.resample(ids, generator) != ids for ids in encoded)
        assert changed > 0.6 * len(encoded)


def test_without_noise_the_split_is_the_tokenizers_own(
    tokenizer: Tokenizer, bpe: Tokenizer
) -> None:
    for sampler in samplers(tokenizer, bpe, alpha=200.0, dropout=0.0):
        for line in [*SAMPLED, *TEXTS]:
            ids = sampler.tokenizer.encode(line)
            assert sampler.resample(ids, random.Random(0)) == ids


def test_unigram_splits_follow_their_probability(tokenizer: Tokenizer) -> None:
    alpha, draws = 0.5, 4000
    words = sorted({word for line in SAMPLED for word in line.split()})
    word = max(words, key=lambda word: len(tokenizer.best_splits(word, 32)))
    splits = dict(tokenizer.best_splits(word, 32))
    weights = {ids: math.exp(alpha * score) for ids, score in splits.items()}
    total = sum(weights.values())
    sampler, generator = SubwordSampler(tokenizer, unigram_alpha=alpha), random.Random(0)
    found = Counter(
        tuple(sampler.resample(tokenizer.encode(word), generator)) for _ in range(draws)
    )
    assert len(found) > 3
    for ids, weight in weights.items():
        share = weight / total
        assert found[ids] / draws == pytest.approx(share, abs=4 * math.sqrt(share / draws) + 1e-3)


def test_merges_left_out_give_more_pieces(bpe: Tokenizer) -> None:
    encoded = [bpe.encode(line) for line in SAMPLED]
    counts = []
    for dropout in (0.0, 0.1, 0.5):
        sampler, generator = SubwordSampler(bpe, bpe_dropout=dropout), random.Random(0)
        counts.append(sum(len(sampler.resample(ids, generator)) for ids in encoded))
    assert counts[0] == sum(map(len, encoded)) < counts[1] < counts[2]


PROGRAM = """
import random, sys
from training.data.subword_sampling import SubwordSampler
from translator.tokens.tokenizer import Tokenizer
tokenizer = Tokenizer.load(sys.argv[1])
sampler = SubwordSampler(tokenizer, **{sys.argv[2]: 0.3})
generator = random.Random("1/0/7")
for text in sys.argv[3:]:
    print(*sampler.resample(tokenizer.encode(text), generator))
"""


@pytest.mark.parametrize("kind", ["unigram_alpha", "bpe_dropout"])
def test_another_process_draws_the_same(
    tmp_path: Path, tokenizer: Tokenizer, bpe: Tokenizer, kind: str
) -> None:
    chosen = tokenizer if kind == "unigram_alpha" else bpe
    (tmp_path / "tokenizer.model").write_bytes(chosen.serialized)
    lines = SAMPLED[:8]
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "tokenizer.model"), kind, *lines]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    noise: dict[str, Any] = {kind: 0.3}
    sampler = SubwordSampler(chosen, **noise)
    for text in itertools.chain(TEXTS, lines):  # what was drawn before must not matter
        sampler.resample(chosen.encode(text), random.Random(5))
    generator = random.Random("1/0/7")
    expected = [sampler.resample(chosen.encode(line), generator) for line in lines]
    assert [list(map(int, row.split())) for row in answer.stdout.splitlines()] == expected
