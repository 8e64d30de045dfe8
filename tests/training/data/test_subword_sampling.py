"""Words split anew: the same text, the right distribution, in any process alike."""

from __future__ import annotations

import itertools
import math
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.toy import toy_pairs
from training.data.config import SubwordsConfig
from training.data.subword_sampling import SubwordSampler
from training.data.subwords import train_tokenizer
from translator.tokens.tokenizer import Tokenizer

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
    lines = [line for pair in toy_pairs(300, random.Random(0)) for line in pair]
    config = SubwordsConfig(vocab_size=330, algorithm="bpe")
    return train_tokenizer(lines, ["de", "en"], config)


@pytest.mark.parametrize("text", TEXTS)
def test_the_text_stays_the_same(text: str, tokenizer: Tokenizer, bpe: Tokenizer) -> None:
    samplers = (
        SubwordSampler(tokenizer, unigram_alpha=0.1),
        SubwordSampler(bpe, bpe_dropout=0.3),
    )
    for sampler in samplers:
        ids, generator = sampler.tokenizer.encode(text), random.Random(0)
        for _ in range(20):
            again = sampler.resample(ids, generator)
            assert sampler.tokenizer.decode(again) == sampler.tokenizer.decode(ids)


def toy_lines() -> list[str]:
    return [line for pair in toy_pairs(100, random.Random(9)) for line in pair]


def test_sampling_changes_most_lines(tokenizer: Tokenizer, bpe: Tokenizer) -> None:
    for sampler in (
        SubwordSampler(tokenizer, unigram_alpha=0.1),
        SubwordSampler(bpe, bpe_dropout=0.3),
    ):
        generator = random.Random(0)
        encoded = [sampler.tokenizer.encode(line) for line in toy_lines()]
        changed = sum(sampler.resample(ids, generator) != ids for ids in encoded)
        assert changed > 0.6 * len(encoded)


def test_without_noise_the_split_is_the_tokenizers_own(
    tokenizer: Tokenizer, bpe: Tokenizer
) -> None:
    for sampler in (
        SubwordSampler(tokenizer, unigram_alpha=200.0),
        SubwordSampler(bpe, bpe_dropout=0.0),
    ):
        for line in [*toy_lines(), *TEXTS]:
            ids = sampler.tokenizer.encode(line)
            assert sampler.resample(ids, random.Random(0)) == ids


def test_unigram_splits_follow_their_probability(tokenizer: Tokenizer) -> None:
    alpha, draws = 0.5, 4000
    words = sorted({word for line in toy_lines() for word in line.split()})
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
    encoded = [bpe.encode(line) for line in toy_lines()]
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
    lines = toy_lines()[:8]
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "tokenizer.model"), kind, *lines]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    noise: dict[str, Any] = {kind: 0.3}
    sampler = SubwordSampler(chosen, **noise)
    for text in itertools.chain(TEXTS, lines):  # what was drawn before must not matter
        sampler.resample(chosen.encode(text), random.Random(5))
    generator = random.Random("1/0/7")
    expected = [sampler.resample(chosen.encode(line), generator) for line in lines]
    assert [list(map(int, row.split())) for row in answer.stdout.splitlines()] == expected
