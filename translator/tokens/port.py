"""What every vocabulary can do, this project's own and those of imported models; special ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from translator.rules.formality import Formality
from translator.text.characters import Alphabet
from translator.tokens.lexicon import Lexicon
from translator.tokens.rewrites import Rewrites
from translator.tokens.shortlist import Shortlist


class Vocabulary(Protocol):
    """Turns a sentence into ids for the encoder, and ids of the decoder into text.

    Source and target may have vocabularies of their own; `pad_id` and `eos_id` serve both.

    Attributes:
        lexicon: what words mean that stand alone, if the model comes with such a list.
        rewrites: what is read instead of some words, if the model comes with such a table.
    """

    lexicon: Lexicon | None
    rewrites: Rewrites | None

    @property
    def vocab_size(self) -> int:
        """V, number of pieces of the target."""

    @property
    def source_vocab_size(self) -> int:
        """Number of pieces of the source; V if both share one vocabulary."""

    @property
    def pad_id(self) -> int:
        """Id that fills batches."""

    @property
    def bos_id(self) -> int:
        """The first of the start ids, whatever the language."""

    @property
    def eos_id(self) -> int:
        """Id that ends a target."""

    @property
    def unk_id(self) -> int:
        """Id of what the vocabulary does not have."""

    @property
    def forbidden_ids(self) -> tuple[int, ...]:
        """Ids that are never produced."""

    @property
    def shortlist(self) -> Shortlist | None:
        """Which pieces a sentence's translation may need, if the model comes with such a list."""

    @property
    def num_placeholders(self) -> int:
        """How many placeholders the model has learned to carry; 0 for imported models."""

    @property
    def alphabet(self) -> Alphabet:
        """What the model can read."""

    @property
    def all_pieces(self) -> list[str]:
        """The V pieces of the target, by id."""

    @property
    def frame(self) -> tuple[int, int]:
        """How many ids `encode_source` puts before the text, and how many behind it."""

    @property
    def is_shared(self) -> bool:
        """Whether source and target are split and numbered alike."""

    @property
    def files(self) -> Mapping[str, bytes]:
        """What a model directory has of it, by file name."""

    def addressing(self, formality: Formality) -> Vocabulary:
        """Return the same vocabulary, whose sources ask for a form of address.

        Raises:
            ModelDirectoryError: the vocabulary has no such mark.
        """

    def start_ids(self, target: str) -> tuple[int, ...]:
        """Return what the decoder reads before its first choice.

        Raises:
            UnsupportedLanguageError: there is no such language.
        """

    def encode_source(self, text: str, target: str, source: str = "") -> list[int]:
        """Return what the encoder reads.

        Args:
            text: a sentence.
            target: code of the language wanted.
            source: code of the sentence's language; only some models need it.

        Raises:
            InputError: the text is not valid Unicode.
            UnsupportedLanguageError: there is no such language.
        """

    def log_prob(self, text: str) -> float:
        """Return how probable the pieces of a text of the source are, in nats.

        The subword model does not know which words follow each other, so that only differences
        between spellings mean something.
        """

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text of the target, without special ids."""

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids of the target; special ids are dropped."""

    def decode_source(self, ids: Sequence[int]) -> str:
        """Return the text of ids of the source."""

    def pieces(self, ids: Sequence[int]) -> list[str]:
        """Return the pieces of ids of the target."""

    def source_pieces(self, ids: Sequence[int]) -> list[str]:
        """Return the pieces of ids of the source."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SpecialIds:
    """Ids that decoding must know.

    Attributes:
        bos_id: starts every target, unless a request has start ids of its own.
        eos_id: ends it.
        forbidden_ids: never produced: padding, BOS, tags, `<unk>`.
    """

    bos_id: int
    eos_id: int
    forbidden_ids: tuple[int, ...]

    @classmethod
    def of(cls, vocabulary: Vocabulary) -> SpecialIds:
        """Return the special ids of a vocabulary."""
        return cls(
            bos_id=vocabulary.bos_id,
            eos_id=vocabulary.eos_id,
            forbidden_ids=vocabulary.forbidden_ids,
        )


def check_ids(name: str, ids: Sequence[int], vocab_size: int) -> None:
    """Refuse no ids at all, and ids that are not in the vocabulary, with a ValueError."""
    if not ids or not 0 <= min(ids) <= max(ids) < vocab_size:
        raise ValueError(f"{name} must be 1 or more in 0..{vocab_size - 1}: {ids}")
