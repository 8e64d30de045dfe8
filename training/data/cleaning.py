"""Which pairs are worth training on, and a report of what went and why."""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Literal

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray

from training.commands import BY_ENDING, add_settings, languages_of, require_files
from training.data.corpus import CleaningReport, SentencePair, read_pairs
from training.data.encoded import EncodedPair, make_batch
from training.data.sampler import length_buckets
from translator.commands import Commands, add_languages
from translator.durable import replacing, write_durably
from translator.errors import ConfigError, InputError
from translator.files import read_lines
from translator.progress import progress_bar
from translator.store.model_directory import load_model_directory
from translator.strict import AT_LEAST_ONE, SHARE, SHARE_BELOW_ONE, raise_if_wrong, read_dataclass
from translator.text.protection import protect_pair

TAGS = "a|b|br|code|div|em|font|h[1-6]|i|img|li|ol|p|pre|span|strong|su[bp]|t[dhr]|table|ul"
MARKUP = re.compile(rf"</?(?:{TAGS})(?:\s[^<>]*)?/?>|&(?:[a-z]+|#\d+);|:::|\[!\w+\]|{{{{|}}}}")
NUMBER = re.compile(r"\d+")
RUN = re.compile(r"(\S)\1{9,}|(\b\w+\b)(?:\W+\2\b){4,}")
# languages that are written in Latin letters; in others `script` drops nothing
LATIN_LANGUAGES = {"cs", "de", "en", "es", "fr", "it", "nl", "pl", "pt", "sv"}
SURE = 0.95  # probability from which another language is believed


@dataclass(frozen=True, kw_only=True, slots=True)
class CleaningConfig:
    """Which pairs are dropped from the training part; `docs/recipes.md` describes every field.

    Attributes:
        max_length_ratio: largest ratio of the sides' lengths in characters, with 10 added to the
            shorter one, since short sentences differ more.
        max_unreadable: largest share of the pairs that may be dropped because they are not UTF-8;
            a file with more is probably in another encoding, and refused.
        model: directory of a model for `PairJudge`; none if empty.
    """

    max_words: int = 200
    max_length_ratio: float = 4.0
    deduplicate: Literal["exact", "near", "none"] = "exact"
    held_out: bool = True
    copies: bool = False
    repetitions: bool = False
    min_letters: float = 0.0
    same_numbers: bool = False
    markup: bool = False
    script: bool = False
    languages: bool = False
    max_unreadable: float = 0.01
    model: str = ""
    improbable_share: float = 0.1

    def __post_init__(self) -> None:
        raise_if_wrong(self)

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        return [
            *AT_LEAST_ONE.problems(self, "max_words", "max_length_ratio"),
            *SHARE.problems(self, "min_letters", "max_unreadable"),
            *SHARE_BELOW_ONE.problems(self, "improbable_share"),
        ]


def normalised(text: str) -> str:
    """Return only the letters of `text`, in lower case: what near duplicates have in common."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(character for character in folded if character.isalpha())


def fingerprint(*texts: str) -> int:
    """Return 64 bits that are the same in every process."""
    digest = hashlib.blake2b("\0".join(texts).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little")


class HeldOut:
    """The sentences of development and test parts."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        """Remember `lines`, normalised; those without letters are not."""
        self._fingerprints = {fingerprint(text) for line in lines if (text := normalised(line))}

    def __contains__(self, line: str) -> bool:
        return bool(self._fingerprints) and fingerprint(normalised(line)) in self._fingerprints


class Cleaner:
    """Judges pairs of two languages, one after the other."""

    def __init__(
        self, config: CleaningConfig, languages: tuple[str, str], held_out: HeldOut | None = None
    ) -> None:
        """Judge pairs of `languages` as `config` says; `held_out` must not be trained on."""
        self.config, self.languages = config, languages
        self.held_out = held_out or HeldOut()
        self._seen: set[int] = set()
        checks: dict[Callable[[SentencePair], str | None], bool] = {
            self._length: True,
            self._held_out: config.held_out,
            self._copy: config.copies,
            partial(_found, RUN, "repetition"): config.repetitions,
            self._letters: config.min_letters > 0,
            self._numbers: config.same_numbers,
            partial(_found, MARKUP, "mark-up"): config.markup,
            self._script: config.script,
            self._language: config.languages,
            self._duplicate: config.deduplicate != "none",  # last: only what is kept is seen
        }
        self._checks = [check for check, is_wanted in checks.items() if is_wanted]

    def clean(
        self, pairs: Iterable[SentencePair], report: CleaningReport
    ) -> Iterator[SentencePair]:
        """Yield the pairs worth training on, counting the others by reason."""
        for pair in pairs:
            reason = self.fault(pair)
            if reason is None:
                report.num_kept += 1
                yield pair
            else:
                report.drop(reason, pair)

    def fault(self, pair: SentencePair) -> str | None:
        """Return why a pair is dropped; None if it is kept."""
        reasons = (check(pair) for check in self._checks)
        return next((reason for reason in reasons if reason), None)

    def _length(self, pair: SentencePair) -> str | None:
        config = self.config
        if not pair.source or not pair.target:
            return "empty side"
        if max(len(pair.source.split()), len(pair.target.split())) > config.max_words:
            return f"over {config.max_words} words"
        shorter, longer = sorted((len(pair.source), len(pair.target)))
        is_uneven = longer > config.max_length_ratio * (shorter + 10)
        return f"length ratio over {config.max_length_ratio:g}" if is_uneven else None

    def _held_out(self, pair: SentencePair) -> str | None:
        is_in = pair.source in self.held_out or pair.target in self.held_out
        return "in a development or test part" if is_in else None

    def _copy(self, pair: SentencePair) -> str | None:
        num_words = sum(any(map(str.isalpha, word)) for word in pair.source.split())
        is_copy = num_words > 3 and normalised(pair.source) == normalised(pair.target)
        return "sides are equal" if is_copy else None

    def _letters(self, pair: SentencePair) -> str | None:
        shares = [
            sum(map(str.isalpha, side)) / sum(not c.isspace() for c in side) for side in pair.sides
        ]
        return "few letters" if min(shares) < self.config.min_letters else None

    def _numbers(self, pair: SentencePair) -> str | None:
        # figures of one digit are often written out; separators differ between languages
        ours, theirs = ("".join(NUMBER.findall(side)) for side in pair.sides)
        differs = sorted(ours) != sorted(theirs) and min(len(ours), len(theirs)) > 0
        differs = differs and max(len(ours), len(theirs)) > 1
        return "other numbers" if differs else None

    def _script(self, pair: SentencePair) -> str | None:
        for language, side in zip(self.languages, pair.sides, strict=True):
            letters = [character for character in side if character.isalpha()]
            foreign = sum(ord(character) >= 0x250 for character in letters)  # beyond Latin
            if language in LATIN_LANGUAGES and 2 * foreign > len(letters):
                return "another script"
        return None

    def _language(self, pair: SentencePair) -> str | None:
        for language, side in zip(self.languages, pair.sides, strict=True):
            likeliest, probability = self._identifier(side)
            if likeliest != language and probability >= SURE:
                return "another language"
        return None

    @cached_property
    def _identifier(self) -> Callable[[str], tuple[str, float]]:
        from py3langid.langid import MODEL_FILE, LanguageIdentifier

        identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
        classify: Callable[[str], tuple[str, float]] = identifier.classify
        return classify

    def _duplicate(self, pair: SentencePair) -> str | None:
        sides = pair.sides
        if self.config.deduplicate == "near":
            sides = normalised(pair.source), normalised(pair.target)
        key = fingerprint(*sides)
        if key in self._seen:
            return "repeated pair"
        self._seen.add(key)
        return None


def _found(pattern: re.Pattern[str], reason: str, pair: SentencePair) -> str | None:
    return reason if any(map(pattern.search, pair.sides)) else None


def add_command(commands: Commands) -> None:
    """Add `clean` to the commands of `python -m training`."""
    parser = commands.add_parser("clean", help="clean a parallel corpus of your own")
    parser.add_argument(
        "--input",
        type=Path,
        nargs=2,
        required=True,
        metavar=("SOURCE", "TARGET"),
        help="both sides, aligned line by line; plain, .gz, .xz or .zst",
    )
    add_languages(parser, BY_ENDING)
    parser.add_argument("--out", type=Path, required=True, help="folder for the results")
    parser.add_argument(
        "--held-out", type=Path, nargs="+", default=[], help="texts that must not be trained on"
    )
    add_settings(parser, "KEY=VALUE")
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> None:
    config = _config(options.set)
    first, second = options.input
    require_files(first, second, *options.held_out)
    source, target = languages_of(options, first, second)
    held_out = HeldOut(line for path in options.held_out for line in read_lines(path))
    report = CleaningReport()
    raw = read_pairs(first, second, report, config.max_unreadable)
    pairs = progress_bar(iterable=raw, unit="pairs", unit_scale=True)
    kept = Cleaner(config, (source, target), held_out).clean(pairs, report)
    options.out.mkdir(parents=True, exist_ok=True)
    write_sides([options.out / f"clean.{source}", options.out / f"clean.{target}"], kept)
    write_durably(options.out / "report.json", json.dumps(report.as_dict(), indent=2).encode())
    print(report)
    if not report.num_read:
        raise InputError(f"{first}, {second}: are empty")


def _config(settings: Sequence[str]) -> CleaningConfig:
    try:
        table = tomllib.loads("\n".join(settings))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError([f"must look like markup=true ({error})"], "--set") from error
    return read_dataclass(CleaningConfig, table, "--set")


def write_sides(paths: Sequence[Path], pairs: Iterable[SentencePair]) -> int:
    """Write both sides as they come; they appear at the end. Return the number of pairs."""
    count = 0
    with replacing(paths[0]) as first, replacing(paths[1]) as second:
        for pair in pairs:
            count += 1
            first.write(f"{pair.source}\n".encode())
            second.write(f"{pair.target}\n".encode())
    return count


MAX_BATCH_TOKENS = 4_096


class PairJudge:
    """A model directory that says how improbable pairs are, in both directions.

    A pair that no model would write is seldom a translation. One direction alone would favour short
    and common sentences; that both directions agree says that the sides mean the same.

    Source: Junczys-Dowmunt 2018, "Dual Conditional Cross-Entropy Filtering of Noisy Parallel
    Corpora".
    """

    def __init__(self, directory: Path, device: str = "cpu") -> None:
        """Load a model.

        Raises:
            ModelDirectoryError: it is missing or damaged.
        """
        loaded = load_model_directory(directory, device)
        self._model, self._tokenizer, self._device = loaded.model, loaded.tokenizer, device

    def improbability(
        self, pairs: Sequence[SentencePair], languages: tuple[str, str]
    ) -> NDArray[np.float64]:
        """Return the dual cross-entropy of pairs of two languages (n,), the smaller the better.

        It is the mean of the cross-entropies of both directions, in nats a piece, and the
        difference between them.
        """
        forward = self.cross_entropy([pair.sides for pair in pairs], languages[1])
        back = self.cross_entropy([(pair.target, pair.source) for pair in pairs], languages[0])
        return np.abs(forward - back) + (forward + back) / 2

    @torch.inference_mode()
    def cross_entropy(self, pairs: Sequence[tuple[str, str]], target: str) -> NDArray[np.float64]:
        """Return how many nats a piece of each target costs, if the model reads its source (n,)."""
        encoded = [self._encoded(source, text, target) for source, text in pairs]
        lengths = np.array([[len(pair.src), len(pair.tgt)] for pair in encoded]).reshape(-1, 2).T
        nats = np.empty(len(encoded))
        for indices in length_buckets(lengths, MAX_BATCH_TOKENS, np.arange(len(encoded))):
            nats[indices] = self._of_batch([encoded[index] for index in indices])
        return nats

    def _encoded(self, source: str, target: str, language: str) -> EncodedPair:
        tokenizer = self._tokenizer
        source, target = protect_pair(source, target, tokenizer.num_placeholders)
        ids = [*tokenizer.encode(target), tokenizer.eos_id]
        return EncodedPair(tokenizer.encode_source(source, language), ids)

    def _of_batch(self, pairs: Sequence[EncodedPair]) -> NDArray[np.float64]:
        pad_id = self._tokenizer.pad_id
        batch = make_batch(pairs, pad_id, self._tokenizer.bos_id).to(torch.device(self._device))
        logits = self._model(batch.src, batch.tgt_in, batch.src_mask)  # (B, T, V)
        nats = F.cross_entropy(
            logits.transpose(1, 2), batch.tgt_out, ignore_index=pad_id, reduction="none"
        )  # (B, T), zero where padded
        counts = (batch.tgt_out != pad_id).sum(dim=1)
        return (nats.sum(dim=1) / counts).double().cpu().numpy()
