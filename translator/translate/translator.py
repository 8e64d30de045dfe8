"""`Translator`, the public face: text in, translation out."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from translator.config import MAX_BEAM_SIZE, DecodingOptions, EngineName, Precision
from translator.engine.call import EngineCall
from translator.engine.port import Engine
from translator.engine.start import start_engine
from translator.errors import InputError, UnsupportedLanguageError
from translator.search.hypothesis import Hypothesis
from translator.store.model_directory import LoadedModel, load_model_directory
from translator.text import segmentation
from translator.tokens.chunks import Chunk, chunks_of, sentence_of
from translator.translate.degeneration import Flag
from translator.translate.sentence_search import SentenceSearch

PRETRAINED = Path(__file__).parents[1] / "pretrained"
DEFAULT_MODEL = PRETRAINED / "de-en"
LANGUAGE_NAMES = {"cs": "Czech", "de": "German", "en": "English", "es": "Spanish", "fr": "French"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Translation:
    """The translation of one text.

    Attributes:
        text: with every separator of the original.
        alternatives: other translations, best first, without `text` and without repetitions.
        score: mean score of the sentences; None if there was nothing to translate.
        finish_reasons: why each sentence ended, `eos` or `length`.
        flags: `retried` if a sentence ran in circles, was copied, or lacked a placeholder, so that
            it was translated once more; `repetition`, `copied` or `placeholders` if it still does
            (what stands for the placeholder then follows at the end). See
            `translate/degeneration.py`.
    """

    text: str
    alternatives: tuple[str, ...] = ()
    score: float | None = None
    finish_reasons: tuple[str, ...] = ()
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Language:
    """A language of a model, and what it can be translated into (itself included)."""

    code: str
    name: str
    targets: tuple[str, ...]


@dataclass(slots=True)
class _PendingText:
    """A text whose sentences are being decoded; `chunks[i]` are those of sentence i.

    A chunk that has nothing to translate has no search. `decode` returns the text of ids, and works
    it out once.
    """

    decode: Callable[[tuple[int, ...]], str]
    segments: segmentation.Segments
    chunks: list[list[tuple[Chunk, SentenceSearch | None]]]


class Translator:
    """Translates texts of any length between the languages of one model.

    Safe to use from many threads: their sentences are decoded together.

    Attributes:
        description: of the model.
        card: how it came about.
        tokenizer: of the model.
        model: what the engine was made from.
        languages: those of the model, by code.
    """

    def __init__(self, loaded: LoadedModel, engine: Engine) -> None:
        """Use the tokenizer and description of `loaded`, and `engine` to decode."""
        self.description, self.card = loaded.description, loaded.card
        self.tokenizer = loaded.tokenizer
        self.model = loaded.model
        self.languages = tuple(
            Language(code=code, name=LANGUAGE_NAMES.get(code, code), targets=self._targets(code))
            for code in sorted(self.description.languages)
        )
        self._engine, self._max_source_ids = engine, loaded.description.max_source_ids

    @classmethod
    def from_model(
        cls,
        loaded: LoadedModel,
        threads: int = 1,
        precision: Precision = "auto",
        engine: EngineName = "torch",
        serve_at_once: bool = False,
    ) -> Translator:
        """Start an engine for a model in memory; see `load`."""
        return cls(loaded, start_engine(loaded, threads, precision, engine, serve_at_once))

    @classmethod
    def load(
        cls,
        directory: str | Path = DEFAULT_MODEL,
        *,
        device: str = "cpu",
        threads: int = 1,
        precision: Precision = "auto",
        engine: EngineName = "torch",
        serve_at_once: bool = False,
    ) -> Translator:
        """Load a model directory and start its engine.

        Args:
            directory: a model directory; the one shipped with the project by default.
            device: `cpu` or `cuda`.
            threads: CPU threads for decoding; more help many sentences at once, not a single one.
            precision: `float32`, `int8` (CPU only), or `auto`: int8 where it is possible.
            engine: `torch`, or `ctranslate2` if that is installed (CPU only).
            serve_at_once: translate in float32 while int8 is being compiled for a CPU that has not
                seen it before, which takes a quarter of a minute; otherwise wait for it.

        Raises:
            ModelDirectoryError: the directory cannot be used; the message names the file.
            ConfigError: the device, the precision or the engine is not possible.
        """
        loaded = load_model_directory(directory, device)
        return cls.from_model(loaded, threads, precision, engine, serve_at_once)

    def __enter__(self) -> Translator:
        """Return self."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    def close(self) -> None:
        """Stop the engine."""
        self._engine.close()

    @property
    def is_alive(self) -> bool:
        """Whether the engine still answers."""
        return self._engine.is_alive

    def _targets(self, source: str) -> tuple[str, ...]:
        directions = (direction.split("-") for direction in self.description.directions)
        return tuple(sorted({source} | {target for code, target in directions if code == source}))

    def translate(
        self,
        texts: Sequence[str],
        *,
        source: str,
        target: str,
        options: DecodingOptions | None = None,
        num_alternatives: int = 0,
        timeout_s: float | None = None,
        while_waiting: Callable[[], None] = lambda: None,
    ) -> list[Translation]:
        """Translate texts; everything that is not a sentence comes back byte for byte.

        Args:
            texts: any lengths; text without letters is returned as it is.
            source: language code of all texts.
            target: language code wanted; the same as `source` returns the texts unchanged.
            options: of the search; the model's own by default.
            num_alternatives: how many further translations to give, if there are that many.
            timeout_s: for all texts together; as long as it takes if None.
            while_waiting: called some ten times a second while sentences are in the engine; what it
                raises ends the translation, and they leave the engine.

        A sentence whose translation is visibly wrong is searched for once more unless
        `options.search_again` is False; see `Translation.flags`.

        Returns:
            one translation a text, in order.

        Raises:
            UnsupportedLanguageError: the model does not translate that pair.
            InputError: a text is not valid Unicode, the options do not suit the model, or
                num_alternatives is negative or not below MAX_BEAM_SIZE.
            EngineOverloadedError: the sentences of others fill the queue.
            EngineClosedError: the translator has been closed.
            DeadlineExceededError: the time is over.
        """
        self._check_pair(source, target)
        if not 0 <= num_alternatives < MAX_BEAM_SIZE:
            raise InputError(
                f"num_alternatives: must be in 0..{MAX_BEAM_SIZE - 1}, got {num_alternatives}"
            )
        if source == target:
            return [Translation(text=text) for text in texts]
        options = self._options(options, source, target, num_alternatives)
        keeps_code = self.tokenizer.num_placeholders > 0
        split = [segmentation.split(text, source, keeps_code) for text in texts]
        group_size = sum(len(segments.sentences) for segments in split)
        reverse_tag_id = self.tokenizer.tag_id(source) if options.reverse_weight else None
        with EngineCall(self._engine, group_size, reverse_tag_id, timeout_s, while_waiting) as call:
            pending = [self._submit(segments, target, options, call) for segments in split]
            for item in pending:
                for _, search in itertools.chain(*item.chunks):
                    if search is not None:
                        search.check()
            return [self._finish(item, num_alternatives) for item in pending]

    def _options(
        self, options: DecodingOptions | None, source: str, target: str, num_alternatives: int
    ) -> DecodingOptions:
        """Return the options of the search, wide enough for the alternatives."""
        options = options or self.description.decoding
        if options.reverse_weight and source not in self._targets(target):
            raise InputError(
                f"reverse_weight needs a model that also translates {target} to {source}; "
                "set it to 0"
            )
        if num_alternatives > 0:
            wanted = num_alternatives + 1
            options = dataclasses.replace(
                options, num_hypotheses=wanted, beam_size=max(options.beam_size, wanted)
            )
        return options

    def _check_pair(self, source: str, target: str) -> None:
        for code in (source, target):
            if code not in self.description.languages:
                known = ", ".join(sorted(self.description.languages))
                raise UnsupportedLanguageError(f"{code} is not supported; known languages: {known}")
        if target not in self._targets(source):
            raise UnsupportedLanguageError(f"{source} to {target} is not a direction of this model")

    def _submit(
        self,
        segments: segmentation.Segments,
        target: str,
        options: DecodingOptions,
        call: EngineCall,
    ) -> _PendingText:
        """Hand to the engine what there is to translate of one text."""
        pending = _PendingText(functools.cache(self.tokenizer.decode), segments, [])
        for sentence in segments.sentences:
            pending.chunks.append([])
            for chunk in chunks_of(sentence, self.tokenizer, target, self._max_source_ids):
                search = None
                if chunk.source_ids:
                    search = SentenceSearch(call, chunk.source_ids, options, pending.decode)
                pending.chunks[-1].append((chunk, search))
        return pending

    def _finish(self, pending: _PendingText, num_alternatives: int) -> Translation:
        """Wait for the sentences of one text and put them back between its separators."""
        flags: set[Flag] = set()
        answers: list[list[tuple[Chunk, list[Hypothesis]]]] = []
        for chunks in pending.chunks:
            answers.append([])
            for chunk, search in chunks:
                found, own_flags = search.result() if search else ([], ())
                answers[-1].append((chunk, found))
                flags.update(own_flags)
        best = [found[0] for answer in answers for _, found in answer if found]
        texts = [_text_of_rank(pending, answers, rank) for rank in range(num_alternatives + 1)]
        return Translation(
            text=texts[0],
            alternatives=tuple(dict.fromkeys(text for text in texts[1:] if text != texts[0])),
            score=sum(found.score for found in best) / len(best) if best else None,
            finish_reasons=tuple(found.finish_reason for found in best),
            flags=tuple(sorted(flags)),
        )


def _text_of_rank(
    pending: _PendingText, answers: list[list[tuple[Chunk, list[Hypothesis]]]], rank: int
) -> str:
    """Return a text with the hypotheses of one rank; a chunk with fewer of them gives its last."""
    sentences = []
    for sentence, answer in zip(pending.segments.sentences, answers, strict=True):
        texts = [
            pending.decode(found[min(rank, len(found) - 1)].ids) if found else None
            for _, found in answer
        ]
        sentences.append(sentence_of(sentence, [chunk for chunk, _ in answer], texts))
    return pending.segments.join(sentences)
