"""Learn the joint subword vocabulary from the training text."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

import sentencepiece
from sentencepiece import sentencepiece_model_pb2

from training.data.config import SubwordsConfig
from translator.errors import ConfigError
from translator.text import placeholders
from translator.tokens.tokenizer import WORD_START, Tokenizer, language_tag, source_mark


def train_tokenizer(
    lines: Iterable[str],
    languages: Sequence[str],
    config: SubwordsConfig,
    marks: Sequence[str] = (),
) -> Tokenizer:
    """Learn a vocabulary from `lines` of all languages together.

    Args:
        lines: text of the training part.
        languages: that get a tag.
        config: size and algorithm.
        marks: other tags that sources can carry.

    Raises:
        ConfigError: the text does not support a vocabulary of that size.

    Source: Kudo & Richardson 2018.
    """
    serialized = io.BytesIO()
    try:
        sentencepiece.SentencePieceTrainer.Train(
            sentence_iterator=iter(lines),
            model_writer=serialized,
            vocab_size=config.vocab_size,
            model_type=config.algorithm,
            character_coverage=config.character_coverage,
            byte_fallback=True,
            normalization_rule_name="identity",
            control_symbols=[*map(language_tag, languages), *map(source_mark, marks)],
            user_defined_symbols=placeholders.symbols(config.placeholders),
            pad_id=0,
            unk_id=1,
            bos_id=2,
            eos_id=3,
            pad_piece="<pad>",
            max_sentence_length=100_000,
            num_threads=2,
            minloglevel=2,
        )
    except RuntimeError as error:
        reason = str(error).split("] ")[-1].strip()
        raise ConfigError(
            [f"subwords.vocab_size: {config.vocab_size} does not fit: {reason}"]
        ) from error
    return Tokenizer(serialized.getvalue())


def with_marks(tokenizer: Tokenizer, marks: Sequence[str]) -> Tokenizer:
    """Return a vocabulary of the same size that has these marks.

    A mark that is missing takes the place of a sign that texts have least of all: the least
    probable piece of a single character that is not ASCII. That sign becomes bytes.

    Raises:
        ConfigError: the vocabulary has no such sign left.
    """
    model = sentencepiece_model_pb2.ModelProto.FromString(tokenizer.serialized)
    there = {piece.piece for piece in model.pieces}
    missing = [mark for mark in map(source_mark, marks) if mark not in there]
    signs = [
        piece
        for piece in model.pieces
        if piece.type == piece.NORMAL
        and len(piece.piece) == 1
        and not piece.piece.isascii()
        and piece.piece != WORD_START
    ]
    if len(signs) < len(missing):
        raise ConfigError([f"the base's vocabulary has no room for {', '.join(missing)}"])
    signs.sort(key=lambda piece: piece.score)
    for sign, mark in zip(signs, missing, strict=False):
        sign.piece, sign.type, sign.score = mark, sign.CONTROL, 0.0
    return Tokenizer(model.SerializeToString()) if missing else tokenizer
