"""SentencePiece, language tags and special ids: text to ids and back."""

from __future__ import annotations

import copy
import functools
import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import sentencepiece

from translator.errors import InputError, ModelDirectoryError, UnsupportedLanguageError
from translator.rules.formality import Formality
from translator.text.characters import MAX_PLACEHOLDERS, Alphabet, symbols
from translator.tokens.alphabet import Likelihood, alphabet_of
from translator.tokens.lexicon import LEXICON, Lexicon
from translator.tokens.rewrites import REWRITES, Rewrites
from translator.tokens.shortlist import Shortlist

WORD_START = "▁"
"""What pieces have instead of a space."""

BYTE = re.compile("<0x([0-9A-F]{2})>")
REPLACEMENT = "\ufffd"
"""What a decoder writes for bytes that make no character."""


def loaded_processor(serialized: bytes, name: str) -> sentencepiece.SentencePieceProcessor:
    """Return a SentencePiece model; `name` is its file, for messages.

    Raises:
        ModelDirectoryError: the bytes are none.
    """
    processor = sentencepiece.SentencePieceProcessor()
    try:
        loaded = bool(serialized) and processor.LoadFromSerializedProto(serialized)
    except RuntimeError:
        loaded = False
    if not loaded or processor.vocab_size() == 0:
        raise ModelDirectoryError(f"{name}: not a SentencePiece model")
    return processor


def language_tag(language: str) -> str:
    """Return the piece that asks for a translation into `language`, such as `<2de>`.

    Source: Johnson et al. 2017, §3.
    """
    return f"<2{language}>"


def source_mark(name: str) -> str:
    """Return the piece that marks a source as of some kind, such as `<synthetic>`.

    Source: Caswell et al. 2019, §3.
    """
    return f"<{name}>"


def whole_pieces(pieces: Sequence[str]) -> list[str]:
    """Return pieces without the bytes that make no character."""
    kept = list[str]()
    for are_bytes, run in itertools.groupby(pieces, lambda one: BYTE.fullmatch(one) is not None):
        if are_bytes:
            text = bytes(int(one[3:5], 16) for one in run).decode("utf-8", "ignore")
            kept += [f"<0x{byte:02X}>" for byte in text.encode()]
        else:
            kept += run
    return kept


class Tokenizer:
    """Joint subword vocabulary of all languages of a model.

    Tags and special pieces are control symbols: text that happens to spell `<2de>` or `</s>` is
    encoded as ordinary characters. Characters outside the vocabulary become bytes, so nothing is
    lost to `<unk>`. Text is brought to Unicode NFC first; runs of spaces become one.

    Attributes:
        lexicon, rewrites: see `Vocabulary`.
    """

    lexicon: Lexicon | None = None
    rewrites: Rewrites | None = None

    def __init__(self, serialized: bytes) -> None:
        """Load a serialised SentencePiece model.

        Raises:
            ModelDirectoryError: the bytes are not a SentencePiece model made for this project.
        """
        self._processor = loaded_processor(serialized, "tokenizer.model")
        self.serialized = serialized
        self._likelihood = Likelihood(self._processor)
        self.log_prob = self._likelihood.log_prob
        self.vocab_size = int(self._processor.vocab_size())
        self.pad_id = int(self._processor.pad_id())
        self.bos_id = int(self._processor.bos_id())
        self.eos_id = int(self._processor.eos_id())
        self.unk_id = int(self._processor.unk_id())
        if min(self.pad_id, self.bos_id, self.eos_id, self.unk_id) < 0:
            raise ModelDirectoryError(
                "tokenizer.model: lacks one of the pieces <pad> <s> </s> <unk>; "
                "train it with `python -m training subwords`"
            )
        self.control_ids = tuple(
            piece_id for piece_id in range(self.vocab_size) if self._processor.IsControl(piece_id)
        )
        self._special_ids = frozenset(self.control_ids)
        known = (self._processor.PieceToId(symbol) for symbol in symbols(MAX_PLACEHOLDERS))
        self.shortlist: Shortlist | None = None
        self._mark_ids: tuple[int, ...] = ()
        self.num_placeholders = sum(piece_id != self.unk_id for piece_id in known)
        self._tag_ids = {
            self.piece(piece_id)[2:-1]: piece_id
            for piece_id in self.control_ids
            if self.piece(piece_id).startswith("<2")
        }

    @classmethod
    def load(cls, path: str | Path) -> Tokenizer:
        """Read a `tokenizer.model` file.

        Raises:
            ModelDirectoryError: the file is missing or is not a SentencePiece model.
        """
        try:
            return cls(Path(path).read_bytes())
        except OSError as error:
            raise ModelDirectoryError(f"{path}: {error.strerror}") from error

    @property
    def source_vocab_size(self) -> int:
        """V: source and target share the vocabulary."""
        return self.vocab_size

    @property
    def forbidden_ids(self) -> tuple[int, ...]:
        """Ids that are never produced: all that is neither text nor EOS."""
        special = {*self.control_ids, self.pad_id, self.bos_id, self.unk_id}
        return tuple(sorted(special - {self.eos_id}))

    @property
    def frame(self) -> tuple[int, int]:
        """How many ids `encode_source` puts before the text, and how many behind it."""
        return (1 + len(self._mark_ids), 1)

    @property
    def is_shared(self) -> bool:
        """True: source and target are split and numbered alike."""
        return True

    @property
    def files(self) -> dict[str, bytes]:
        """What a model directory has of it, by file name."""
        files = {"tokenizer.model": self.serialized}
        files |= {REWRITES: self.rewrites.content} if self.rewrites else {}
        return files | ({LEXICON: self.lexicon.content} if self.lexicon else {})

    def start_ids(self, target: str) -> tuple[int, ...]:
        """Return what the decoder reads before its first choice: BOS."""
        return (self.bos_id,)

    @property
    def languages(self) -> tuple[str, ...]:
        """Codes of the languages that have a tag, sorted."""
        return tuple(sorted(self._tag_ids))

    def tag_id(self, language: str) -> int:
        """Return the id of the tag of a target language; refuse one that has none."""
        if language not in self._tag_ids:
            known = ", ".join(self.languages)
            raise UnsupportedLanguageError(f"{language} is not supported; known languages: {known}")
        return self._tag_ids[language]

    def mark_id(self, name: str) -> int:
        """Return the id of a mark; refuse one that the vocabulary has not."""
        piece_id = int(self._processor.PieceToId(source_mark(name)))
        if piece_id not in self.control_ids:
            raise ModelDirectoryError(f"tokenizer.model: has no piece {source_mark(name)}")
        return piece_id

    def addressing(self, formality: Formality) -> Tokenizer:
        """Return the same vocabulary, whose sources ask for a form of address; see `mark_id`."""
        view = copy.copy(self)
        view._mark_ids = (self.mark_id(formality),)
        return view

    def encode(self, text: str) -> list[int]:
        """Return the ids of `text`, without special ids.

        Raises:
            InputError: the text contains lone surrogates, which no encoding can express.
        """
        try:
            ids: list[int] = self._processor.EncodeAsIds(unicodedata.normalize("NFC", text))
        except (RuntimeError, UnicodeEncodeError) as error:
            raise InputError("text contains lone surrogates; send valid Unicode") from error
        return ids

    def encode_lines(self, lines: Iterable[str], at_once: int = 10_000) -> Iterator[list[int]]:
        """Yield what `encode` returns for each line, on all cores."""
        source = iter(lines)
        while batch := list(itertools.islice(source, at_once)):
            texts = [unicodedata.normalize("NFC", line) for line in batch]
            try:
                yield from self._processor.EncodeAsIds(texts, num_threads=-1)
            except (RuntimeError, TypeError, UnicodeEncodeError) as error:
                raise InputError("text contains lone surrogates; send valid Unicode") from error

    def encode_source(self, text: str, target: str, source: str = "") -> list[int]:
        """Return the ids the encoder reads: the tag of the `target` language, `text`, EOS.

        Behind the tag stands the form of address, if one is asked for.
        """
        return [self.tag_id(target), *self._mark_ids, *self.encode(text), self.eos_id]

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of `ids`; special ids and bytes that make no character are dropped."""
        spelled = self._spelled
        try:
            return "".join([spelled[i] for i in ids]).lstrip(" ")
        except KeyError:  # of a byte, as in hardly any text
            pass
        kept = [int(i) for i in ids if i not in self._special_ids]
        text: str = self._processor.DecodeIds(kept)
        if REPLACEMENT in text:
            text = self._processor.DecodePieces(whole_pieces(self.pieces(kept)))
        return text

    @functools.cached_property
    def _spelled(self) -> dict[int, str]:
        """What each piece adds to a text, without those that say nothing by themselves: bytes."""
        processor = self._processor
        return {
            piece_id: "" if piece_id in self._special_ids else piece.replace(WORD_START, " ")
            for piece_id, piece in enumerate(self.all_pieces)
            if not (processor.IsByte(piece_id) or processor.IsUnknown(piece_id))
        }

    def decode_source(self, ids: Sequence[int]) -> str:
        """Return the text of ids of the source."""
        return self.decode(ids)

    def piece(self, piece_id: int) -> str:
        """Return the piece of one id."""
        text: str = self._processor.IdToPiece(piece_id)
        return text

    @property
    def all_pieces(self) -> list[str]:
        """The V pieces, by id."""
        return self.pieces(range(self.vocab_size))

    @functools.cached_property
    def alphabet(self) -> Alphabet:
        """What the vocabulary can read; the rest would come out as nonsense."""
        pieces = [
            self.piece(piece_id)
            for piece_id in range(self.vocab_size)
            if not (self._processor.IsControl(piece_id) or self._processor.IsByte(piece_id))
        ]
        return alphabet_of(pieces, self._likelihood.of_piece)

    def score(self, piece_id: int) -> float:
        """Return a piece's log-probability (unigram), or minus its rank among the merges (BPE)."""
        return float(self._processor.GetScore(piece_id))

    def best_splits(self, word: str, count: int) -> list[tuple[tuple[int, ...], float]]:
        """Return the `count` likeliest splits of a word, with the sum of their pieces' scores."""
        splits = self._processor.NBestEncodeAsIds(word, count)
        return [(tuple(ids), sum(map(self.score, ids))) for ids in splits]

    def pieces(self, ids: Sequence[int]) -> list[str]:
        """Return the pieces of `ids`, as for tick labels."""
        return [self.piece(int(piece_id)) for piece_id in ids]

    def source_pieces(self, ids: Sequence[int]) -> list[str]:
        """Return the pieces of ids of the source."""
        return self.pieces(ids)
