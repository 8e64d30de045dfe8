"""Learn the joint subword vocabulary from the training text."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

import sentencepiece
from sentencepiece import sentencepiece_model_pb2

from training.config import MAX_VOCAB_SIZE, SubwordsConfig
from translator.errors import ConfigError, ModelDirectoryError
from translator.text.characters import symbols
from translator.tokens.tokenizer import WORD_START, Tokenizer, language_tag, source_mark


def train_tokenizer(
    lines: Iterable[str],
    languages: Sequence[str],
    config: SubwordsConfig,
    marks: Sequence[str] = (),
) -> Tokenizer:
    """Learn a vocabulary from `lines` of all languages together.

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
            user_defined_symbols=symbols(config.placeholders),
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


def adopted_tokenizer(
    serialized: bytes, languages: Sequence[str], num_placeholders: int, marks: Sequence[str] = ()
) -> Tokenizer:
    """Return a SentencePiece model of someone else's with the pieces that training needs.

    Its own pieces keep their ids. What it lacks comes after them: padding, BOS and EOS, the tags
    of the languages, marks and placeholders.

    Raises:
        ConfigError: it is not a SentencePiece model, or becomes too large.
    """
    try:
        sentencepiece.SentencePieceProcessor(model_proto=serialized)
    except RuntimeError as error:
        raise ConfigError(["subwords.model: is not a SentencePiece model"]) from error
    model = sentencepiece_model_pb2.ModelProto.FromString(serialized)
    trainer, there = model.trainer_spec, {piece.piece for piece in model.pieces}
    control = [trainer.pad_piece, trainer.bos_piece, trainer.eos_piece]
    control += [*map(language_tag, languages), *map(source_mark, marks)]
    kind = sentencepiece_model_pb2.ModelProto.SentencePiece
    kinds = dict.fromkeys(control, kind.CONTROL)
    kinds |= dict.fromkeys(symbols(num_placeholders), kind.USER_DEFINED)
    for name, type_of_piece in kinds.items():
        if name not in there:
            model.pieces.add(piece=name, score=0.0, type=type_of_piece)
    if len(model.pieces) > MAX_VOCAB_SIZE:
        raise ConfigError(
            [f"subwords.model: has {len(model.pieces)} pieces; at most {MAX_VOCAB_SIZE} fit"]
        )
    try:
        return Tokenizer(model.SerializeToString())
    except ModelDirectoryError as error:
        raise ConfigError([f"subwords.model: {error}"]) from error


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
