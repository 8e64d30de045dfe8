"""Vocabularies of other projects: SentencePiece splits, a list of pieces numbers.

Marian, M2M100, NLLB and OpenNMT differ in which SentencePiece model reads which side, in what
stands around the source, and in what the decoder reads first. All of that is data here.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

import sentencepiece

from translator.errors import ConfigError, InputError, ModelDirectoryError, UnsupportedLanguageError
from translator.rules.formality import Formality
from translator.strict import raise_if_wrong, read_dataclass
from translator.text.characters import Alphabet
from translator.tokens.alphabet import Likelihood, alphabet_of
from translator.tokens.lexicon import LEXICON, Lexicon
from translator.tokens.rewrites import REWRITES, Rewrites
from translator.tokens.shortlist import SHORTLIST, Shortlist
from translator.tokens.tokenizer import (
    BYTE,
    REPLACEMENT,
    WORD_START,
    loaded_processor,
    whole_pieces,
)

FORM, SOURCE_MODEL, TARGET_MODEL = "vocabulary.json", "tokenizer.model", "tokenizer.target.model"
"""Files of a model directory; the last only if the target has a SentencePiece model of its own."""

SOURCE, TARGET = "{source}", "{target}"
"""Stand for the pieces of the two languages."""

MOST_START_PIECES = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class VocabularyForm:
    """The contents of `vocabulary.json`.

    Attributes:
        pieces: of the target, by id.
        source_pieces: of the source, by id; empty if both share one vocabulary.
        pad_id: fills batches, on both sides.
        eos: piece that ends a target.
        unk: piece for what the vocabulary does not have.
        before: what the encoder reads before the text: pieces, `{source}` or `{target}`.
        after: what it reads behind it.
        start: what the decoder reads before its first choice, likewise.
        languages: piece of each language, by its code; empty if nothing tells languages apart.
        forbidden_ids: never produced.
    """

    pieces: tuple[str, ...]
    source_pieces: tuple[str, ...] = ()
    pad_id: int
    eos: str = "</s>"
    unk: str = "<unk>"
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ("</s>",)
    start: tuple[str, ...]
    languages: dict[str, str] = field(default_factory=dict)
    forbidden_ids: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        raise_if_wrong(self)

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        source, target = {*(self.source_pieces or self.pieces)}, {*self.pieces}
        languages = {*self.languages.values()}
        framing, starting = {*self.before, *self.after}, {*self.start}
        needed = {
            "source": framing - {SOURCE, TARGET} | {self.unk},
            "target": starting - {SOURCE, TARGET} | {self.unk, self.eos},
        }
        needed["source"] |= languages if framing & {SOURCE, TARGET} else set()
        needed["target"] |= languages if starting & {SOURCE, TARGET} else set()
        found = [
            f"{side}: lacks the piece {piece!r}"
            for side, have in (("source", source), ("target", target))
            for piece in sorted(needed[side] - have)
        ]
        for name, pieces, distinct in (
            ("pieces", self.pieces, target),
            ("source_pieces", self.source_pieces, source if self.source_pieces else set()),
        ):
            if len(pieces) != len(distinct):
                found.append(f"{name}: some pieces are there twice")
        for piece_id in (self.pad_id, *self.forbidden_ids):
            if not 0 <= piece_id < len(self.pieces):
                found.append(f"{piece_id}: must be an id below {len(self.pieces)}")
        if not 1 <= len(self.start) <= MOST_START_PIECES:
            found.append(f"start: must be 1 or {MOST_START_PIECES} pieces, got {self.start}")
        return found


class ImportedVocabulary:
    """A vocabulary of another project; see `Vocabulary`.

    Attributes:
        form: says what it consists of.
    """

    def __init__(
        self,
        form: VocabularyForm,
        source: bytes,
        target: bytes = b"",
        *,
        shortlist: Shortlist | None = None,
    ) -> None:
        """Load the SentencePiece models.

        Args:
            form: what else there is.
            source: serialised SentencePiece model of the source.
            target: the same of the target, if it has its own.
            shortlist: which pieces translations may need, if the model has such a list.

        Raises:
            ModelDirectoryError: that is not a SentencePiece model, or the shortlist does not fit.
        """
        self.form, self.shortlist = form, shortlist
        self.lexicon: Lexicon | None = None
        self.rewrites: Rewrites | None = None
        self._source = loaded_processor(source, SOURCE_MODEL)
        self._target = loaded_processor(target, TARGET_MODEL) if target else self._source
        self._serialized = (source, target)
        self._likelihood = Likelihood(self._source)
        self.log_prob = self._likelihood.log_prob
        self._pieces = form.pieces
        self._source_pieces = form.source_pieces or form.pieces
        self._ids = {piece: number for number, piece in enumerate(self._pieces)}
        self._source_ids = self._ids
        if form.source_pieces:
            self._source_ids = {piece: i for i, piece in enumerate(form.source_pieces)}
        self.vocab_size, self.source_vocab_size = len(self._pieces), len(self._source_pieces)
        self.pad_id, self.forbidden_ids = form.pad_id, form.forbidden_ids
        self.eos_id, self.unk_id = self._ids[form.eos], self._ids[form.unk]
        problem = shortlist and shortlist.problem(
            self.source_vocab_size, self.vocab_size, self.eos_id
        )
        if problem:
            raise ModelDirectoryError(f"{SHORTLIST}: {problem}")
        self.bos_id = self._ids.get(form.start[0], self.eos_id)
        self.num_placeholders = 0
        self.frame = (len(form.before), len(form.after))
        self._special = {form.eos, *form.languages.values(), *form.before, *form.after}
        self._special |= {*form.start, self._pieces[form.pad_id]} - {SOURCE, TARGET}

    @classmethod
    def of_files(cls, contents: Mapping[str, bytes]) -> ImportedVocabulary:
        """Read it from the files of a model directory.

        Raises:
            ModelDirectoryError: one of them is damaged.
        """
        try:
            form = read_dataclass(VocabularyForm, json.loads(contents[FORM]), FORM)
        except (ValueError, RecursionError) as error:
            raise ModelDirectoryError(f"{FORM}: is not JSON ({error})") from error
        except ConfigError as error:
            raise ModelDirectoryError(str(error)) from error
        listed = Shortlist.of_bytes(contents[SHORTLIST]) if SHORTLIST in contents else None
        return cls(form, contents[SOURCE_MODEL], contents.get(TARGET_MODEL, b""), shortlist=listed)

    @property
    def is_shared(self) -> bool:
        """Whether source and target are split and numbered alike."""
        return self._target is self._source and not self.form.source_pieces

    @property
    def files(self) -> dict[str, bytes]:
        """What a model directory has of it, by file name."""
        source, target = self._serialized
        form = json.dumps(asdict(self.form), ensure_ascii=False).encode() + b"\n"
        files = {FORM: form, SOURCE_MODEL: source}
        files |= {TARGET_MODEL: target} if target else {}
        files |= {SHORTLIST: self.shortlist.to_bytes()} if self.shortlist else {}
        files |= {REWRITES: self.rewrites.content} if self.rewrites else {}
        return files | ({LEXICON: self.lexicon.content} if self.lexicon else {})

    @functools.cached_property
    def alphabet(self) -> Alphabet:
        """What the model can read."""
        pieces = [
            piece
            for piece in self._source_pieces
            if piece not in self._special and not BYTE.fullmatch(piece)
        ]
        return alphabet_of(pieces, self._likelihood.of_piece)

    @property
    def all_pieces(self) -> list[str]:
        """The V pieces of the target, by id."""
        return list(self._pieces)

    def _named(
        self, pieces: Sequence[str], ids: Mapping[str, int], pair: Sequence[str]
    ) -> list[int]:
        """Return ids of pieces, languages put in: (source, target) are codes."""
        languages = dict(zip((SOURCE, TARGET), pair, strict=True))
        return [ids[self._language(languages[p]) if p in languages else p] for p in pieces]

    def _language(self, code: str) -> str:
        try:
            return self.form.languages[code]
        except KeyError as error:
            known = ", ".join(sorted(self.form.languages))
            raise UnsupportedLanguageError(
                f"{code} is not supported; known languages: {known}"
            ) from error

    def addressing(self, formality: Formality) -> ImportedVocabulary:
        """Refuse: models of other projects know no marks."""
        raise ModelDirectoryError(f"the vocabulary has no piece for a {formality} address")

    def start_ids(self, target: str) -> tuple[int, ...]:
        """Return what the decoder reads before its first choice."""
        return tuple(self._named(self.form.start, self._ids, ("", target)))

    def encode_source(self, text: str, target: str, source: str = "") -> list[int]:
        """Return what the encoder reads; see `Vocabulary.encode_source`."""
        before, after = (
            self._named(pieces, self._source_ids, (source, target))
            for pieces in (self.form.before, self.form.after)
        )
        return [*before, *_ids(text, self._source, self._source_ids, self.form.unk), *after]

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text of the target, without special ids."""
        return _ids(text, self._target, self._ids, self.form.unk)

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids of the target; special ids are dropped."""
        return self._text(self._target, self.pieces(ids))

    def decode_source(self, ids: Sequence[int]) -> str:
        """Return the text of ids of the source."""
        return self._text(self._source, self.source_pieces(ids))

    def pieces(self, ids: Sequence[int]) -> list[str]:
        """Return the pieces of ids of the target."""
        return [self._pieces[piece_id] for piece_id in ids]

    def source_pieces(self, ids: Sequence[int]) -> list[str]:
        """Return the pieces of ids of the source."""
        return [self._source_pieces[piece_id] for piece_id in ids]

    def _text(self, processor: sentencepiece.SentencePieceProcessor, pieces: list[str]) -> str:
        kept = [piece for piece in pieces if piece not in self._special]
        text: str = processor.DecodePieces(kept)
        if REPLACEMENT in text:
            text = processor.DecodePieces(whole_pieces(kept))
        return text.replace(WORD_START, " ").strip()


def _ids(
    text: str, processor: sentencepiece.SentencePieceProcessor, ids: Mapping[str, int], unk: str
) -> list[int]:
    try:
        pieces: list[str] = processor.EncodeAsPieces(text)
    except (RuntimeError, UnicodeEncodeError) as error:
        raise InputError("text contains lone surrogates; send valid Unicode") from error
    return [ids.get(piece, ids[unk]) for piece in pieces]
