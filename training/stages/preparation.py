"""The text of a run: found, cleaned, split into pieces, and opened for training."""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections.abc import Iterator, Mapping
from functools import cache, cached_property, partial
from pathlib import Path

import numpy as np
from tqdm import tqdm

from training.data.cleaning import Cleaner, CleaningConfig, HeldOut, PairJudge, write_sides
from training.data.corpus import (
    TRAIN,
    Catalogue,
    CleaningReport,
    CorpusPart,
    SentencePair,
    SourceFile,
    find,
    locate,
    read_pairs,
    read_record,
    write_record,
)
from training.data.encoded import EncodedCorpus, Stream, TokenStore
from training.data.rewriting import LEXICON_PAIRS, Lexicon, Marker, Varier, formality_mark
from training.data.sampler import Share, shares
from training.data.subword_sampling import SubwordSampler
from training.data.subwords import adopted_tokenizer, train_tokenizer, with_marks
from training.recipe import Recipe
from translator.durable import write_durably
from translator.errors import ConfigError, TranslatorError
from translator.rules.formality import LANGUAGES as FORMALITY_LANGUAGES
from translator.strict import read_dataclass
from translator.text.protection import protect_pair
from translator.tokens.tokenizer import Tokenizer

REWRITTEN = ".rewritten"
MARKED = ".marked"
ONLY_HELD_OUT = CleaningConfig(max_words=100_000, max_length_ratio=1e9, deduplicate="none")
KEPT_CATALOGUE = "corpora.json"  # what the catalogue says of the recipe's corpora, with hashes
MAX_VOCABULARY_PAIRS = 500_000  # more text changes a vocabulary little


class StageError(TranslatorError):
    """A stage cannot do its work, or lacks the results of an earlier one."""


def kept_catalogue(folder: Path) -> Catalogue:
    """Return what the catalogue said of the corpora of a run, from its `data` folder."""
    path = folder / KEPT_CATALOGUE
    if not path.is_file():
        raise StageError(f"{path}: missing; run `prepare` first")
    return read_dataclass(Catalogue, json.loads(path.read_bytes()), str(path))


class Preparation:
    """The `data` folder of a run."""

    def __init__(
        self,
        recipe: Recipe,
        folder: Path,
        corpora: Path | None,
        catalogue: Catalogue,
        device: str = "cpu",
    ) -> None:
        """Work in `folder`; what `corpora`, a folder, does not have is downloaded.

        The model of `cleaning.model` judges pairs on the device.
        """
        self.recipe, self.folder, self.corpora = recipe, folder, corpora
        self.catalogue, self.device = catalogue, device
        self._downloads = folder.parent / "downloads"

    def parts(self, name: str) -> list[CorpusPart]:
        """Return the pairs of languages of `corpus:part` that the recipe uses.

        Raises:
            ConfigError: there is no such corpus or part, or it has none of the directions.
        """
        corpus, part = name.split(":")
        mix = self.recipe.data.mix_of(corpus)
        there = self.catalogue.sides(corpus, part).keys()
        named = (part == TRAIN and mix.directions) or self.recipe.data.directions
        directions = [d for d in named if {*d.split("-")} <= there]
        if not directions:
            languages = ", ".join(sorted(there))
            raise ConfigError([f"data: {name} has {languages}, and so none of the directions"])
        by_pair: dict[tuple[str, str], list[str]] = {}
        for direction in directions:
            first, second = sorted(direction.split("-"))
            by_pair.setdefault((first, second), []).append(direction)
        return [CorpusPart(corpus, part, pair, tuple(used)) for pair, used in by_pair.items()]

    @property
    def train_parts(self) -> list[CorpusPart]:
        """What is trained on."""
        corpora = self.recipe.data.corpora
        return [part for name in corpora for part in self.parts(f"{name}:{TRAIN}")]

    @property
    def dev_parts(self) -> list[CorpusPart]:
        """What is scored during training."""
        return [part for name in self.recipe.data.dev for part in self.parts(name)]

    @property
    def test_parts(self) -> list[CorpusPart]:
        """What is scored at the end."""
        return [part for name in self.recipe.data.test for part in self.parts(name)]

    def problems(self) -> list[str]:
        """Return one sentence per corpus or part that is named and cannot be used."""
        data, problems = self.recipe.data, list[str]()
        for name in (*(f"{corpus}:{TRAIN}" for corpus in data.corpora), *data.dev, *data.test):
            try:
                self.parts(name)
            except ConfigError as error:
                problems += error.problems
        if (model := self.recipe.subwords.model) and not Path(model).is_file():
            problems.append(f"subwords.model: no such file: {model}")
        return list(dict.fromkeys(problems))  # a corpus that is not there has no parts either

    def raw(self, part: CorpusPart, report: CleaningReport) -> Iterator[SentencePair]:
        """Yield the pairs of a part as they are, in the order of its languages."""
        files = self.catalogue.sides(part.corpus, part.part)
        first, second = (
            locate(files[language], self.corpora, self._downloads) for language in part.languages
        )
        return read_pairs(first, second, report, self.recipe.cleaning.max_unreadable)

    def sides(self, part: CorpusPart, count: int | None = None) -> dict[str, list[str]]:
        """Return the first `count` lines of a part, by language."""
        pairs = list(itertools.islice(self.raw(part, CleaningReport()), count))
        columns = [pair.source for pair in pairs], [pair.target for pair in pairs]
        return dict(zip(part.languages, columns, strict=True))

    def prepare(self) -> None:
        """Find or download the corpora, clean the training part, and report what was dropped."""
        reports: dict[str, CleaningReport] = {}
        held_out = self._held_out()
        for part in self.train_parts + self.dev_parts:
            name = f"{part.name} {'-'.join(part.languages)}"
            report = reports[name] = CleaningReport()
            pairs = self.raw(part, report)
            if part.part == TRAIN:
                is_cleaned = self.recipe.data.mix_of(part.corpus).clean
                config = self.recipe.cleaning if is_cleaned else ONLY_HELD_OUT
                cleaner = Cleaner(config, part.languages, held_out)
                pairs = cleaner.clean(pairs, report)
                if config.model:
                    pairs = iter(self._probable(part, list(pairs), report))
            paths = [part.path(self.folder, language) for language in part.languages]
            paths[0].parent.mkdir(parents=True, exist_ok=True)
            if not write_sides(paths, pairs):
                raise StageError(f"{part.name}: no pairs are left after cleaning")
            tqdm.write(f"{name}: {report}")
        summary = {name: report.as_dict() for name, report in reports.items()}
        write_durably(self.folder / "report.json", json.dumps(summary, indent=2).encode())
        files = self.source_files()
        kept = json.dumps(dataclasses.asdict(self._hashed_catalogue(files)), indent=2)
        write_durably(self.folder / KEPT_CATALOGUE, kept.encode())
        write_record(self.folder, files)

    def _hashed_catalogue(self, files: Mapping[str, SourceFile]) -> Catalogue:
        """Return what the catalogue says of the recipe's corpora, with the hashes of `files`."""
        named = {part.corpus for part in self.train_parts + self.dev_parts + self.test_parts}
        corpora = {}
        for name in sorted(named):
            corpus = self.catalogue.corpora[name]
            hashed = {
                part: {
                    language: dataclasses.replace(side, sha256=read.sha256)
                    if (read := files.get(f"{name}:{part} {language}"))
                    else side
                    for language, side in sides.items()
                }
                for part, sides in corpus.files.items()
            }
            corpora[name] = dataclasses.replace(corpus, files=hashed)
        return Catalogue(corpora=corpora)

    def source_files(self) -> dict[str, SourceFile]:
        """Return the files that the text comes from, as they are now, by part and language.

        Of a file that is not there, what was noted when the text was prepared.
        """
        noted, files = read_record(self.folder), dict[str, SourceFile]()
        for part in self.train_parts + self.dev_parts + self.test_parts:
            sides = self.catalogue.sides(part.corpus, part.part)
            for language in part.languages:
                name = f"{part.name} {language}"
                path = find(sides[language], self.corpora, self._downloads)
                if path is not None:
                    files[name] = SourceFile.of(path, noted.get(name))
                elif name in noted:
                    files[name] = noted[name]
        return files

    def outputs(self, stage: str) -> list[Path]:
        """Return the files that `prepare` or `subwords` writes."""
        parts = self.train_parts + self.dev_parts
        sides = [part.path(self.folder, language) for part in parts for language in part.languages]
        if stage == "prepare":
            return [*sides, self.folder / "report.json"]
        marked = [
            self._sources(part, *pair) for part in parts for pair in self._with_formality(part)
        ]
        encoded = [Path(f"{path}.{end}") for path in (*sides, *marked) for end in ("ids", "ends")]
        return [*encoded, self.folder / "tokenizer.model"]

    def _probable(
        self, part: CorpusPart, pairs: list[SentencePair], report: CleaningReport
    ) -> list[SentencePair]:
        """Return the pairs of a corpus without those that a model finds least probable.

        `improbable/` has the dropped ones, the worst first, for people to look at.
        """
        scores = self._judge.improbability(pairs, part.languages)
        count = int(len(pairs) * self.recipe.cleaning.improbable_share)
        worst = np.argsort(-scores, kind="stable")[:count].tolist()
        path = self.folder / "improbable" / f"{part.corpus}.{'-'.join(part.languages)}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = ["\t".join((f"{scores[n]:.2f}", *pairs[n].sides)) + "\n" for n in worst]
        path.write_text("".join(lines), encoding="utf-8")
        for number in worst:
            report.drop("improbable", pairs[number])
        report.num_kept -= count
        dropped = set(worst)
        return [pair for number, pair in enumerate(pairs) if number not in dropped]

    @cached_property
    def _judge(self) -> PairJudge:
        return PairJudge(Path(self.recipe.cleaning.model), self.device)

    def _held_out(self) -> HeldOut:
        parts = self.dev_parts + self.test_parts if self.recipe.cleaning.held_out else []
        sides = (self.sides(part).values() for part in parts)
        return HeldOut(line for lines in sides for side in lines for line in side)

    def lines(self, part: CorpusPart, language: str, suffix: str = "") -> Iterator[str]:
        """Yield the prepared lines of a side; with `REWRITTEN`, as the model reads them."""
        with self._existing(part, language, suffix).open(encoding="utf-8", newline="\n") as stream:
            for line in stream:
                yield line.removesuffix("\n")

    def _existing(self, part: CorpusPart, language: str, suffix: str = "") -> Path:
        path = Path(f"{part.path(self.folder, language)}{suffix}")
        if not path.is_file():
            raise StageError(f"{path}: missing; run `prepare` first")
        return path

    def subwords(self) -> None:
        """Learn the vocabulary from the training part, and encode everything with it."""
        if self.recipe.base:
            tokenizer = Tokenizer.load(Path(self.recipe.base) / "tokenizer.model")
            tokenizer = with_marks(tokenizer, self.recipe.data.tags)
            suffix = self._rewrite(tokenizer.num_placeholders)
        elif self.recipe.subwords.model:
            tokenizer = self._adopted_tokenizer()
            suffix = self._rewrite(tokenizer.num_placeholders)
        else:
            config, tags = self.recipe.subwords, self.recipe.data.tags
            suffix = self._rewrite(config.placeholders)
            lines = self._vocabulary_lines(suffix)
            tokenizer = train_tokenizer(lines, self.recipe.data.languages, config, tags)
        for part in self.train_parts + self.dev_parts:
            for language in part.languages:
                ids = tokenizer.encode_lines(self.lines(part, language, suffix))
                count = TokenStore.write(part.path(self.folder, language), ids)
            for source, target in self._with_formality(part):
                path = self._sources(part, source, target)
                TokenStore.write(path, self._marked(part, (source, target), suffix, tokenizer))
            tqdm.write(f"{part.name}: {count:,} pairs, {', '.join(part.directions)}")
        write_durably(self.folder / "tokenizer.model", tokenizer.serialized)

    def _adopted_tokenizer(self) -> Tokenizer:
        config, data = self.recipe.subwords, self.recipe.data
        serialized = Path(config.model).read_bytes()
        tokenizer = adopted_tokenizer(serialized, data.languages, config.placeholders, data.tags)
        if not any(piece == "<0x00>" for piece in tokenizer.all_pieces):
            tqdm.write(
                f"{config.model}: has no pieces for single bytes, so characters that it does not "
                "know are read as <unk> and cannot be written; train it with byte_fallback"
            )
        return tokenizer

    def _with_formality(self, part: CorpusPart) -> list[tuple[str, str]]:
        """Return source and target of the directions in which sources carry a form of address."""
        if not self.recipe.data.formality_share or part.part != TRAIN:
            return []
        pairs = (direction.split("-") for direction in part.directions)
        return [(source, target) for source, target in pairs if target in FORMALITY_LANGUAGES]

    def _sources(self, part: CorpusPart, source: str, target: str) -> Path:
        """Return where the sources of one direction are, as ids."""
        path = part.path(self.folder, source)
        is_marked = (source, target) in self._with_formality(part)
        return Path(f"{path}{MARKED}.{target}") if is_marked else path

    def _marked(
        self, part: CorpusPart, direction: tuple[str, str], suffix: str, tokenizer: Tokenizer
    ) -> Iterator[list[int]]:
        """Yield the ids of each source, after the mark of its translation's form of address."""
        store = TokenStore(part.path(self.folder, direction[0]))
        share = self.recipe.data.formality_share
        sides = (self.lines(part, language, suffix) for language in direction)
        for number, (source, target) in enumerate(zip(*sides, strict=True)):
            form = formality_mark(source, target, share)
            yield [*([tokenizer.mark_id(form)] if form else []), *store[number].tolist()]

    def _rewrite(self, count: int) -> str:
        """Write all pairs as the model reads them; return the suffix of these files.

        What both sides have in common becomes placeholders, of which there are `count`. Some of the
        training pairs are written otherwise or marked; see `rewriting.py`. The suffix is empty if
        nothing is to be changed, and nothing was written.
        """
        varied, marked = self.recipe.data.varied_share, self.recipe.subwords.marked_share
        if count < 2 and marked:
            raise StageError(f"subwords.marked_share: takes two placeholders, there are {count}")
        if not count and not varied:
            return ""
        marker = cache(self._marker)
        for part in self.train_parts + self.dev_parts:
            paths = [Path(f"{self._existing(part, code)}{REWRITTEN}") for code in part.languages]
            sides = [self.lines(part, language) for language in part.languages]
            pairs = itertools.starmap(partial(protect_pair, count=count), zip(*sides, strict=True))
            if part.part == TRAIN and varied:
                pairs = itertools.starmap(Varier(varied).vary, pairs)
            if part.part == TRAIN and marked:
                pairs = itertools.starmap(marker(part.languages, count).mark, pairs)
            write_sides(paths, itertools.starmap(SentencePair, pairs))
        return REWRITTEN

    def _marker(self, languages: tuple[str, str], num_placeholders: int) -> Marker:
        """Return what marks pairs of two languages, with a lexicon from a sample of them."""
        parts = [part for part in self.train_parts if part.languages == languages]
        total = sum(1 for part in parts for _ in self.lines(part, languages[0]))
        sides = ((self.lines(part, code) for code in languages) for part in parts)
        pairs = (pair for both in sides for pair in zip(*both, strict=True))
        sample = itertools.islice(pairs, 0, None, max(-(-total // LEXICON_PAIRS), 1))
        return Marker(Lexicon(sample), self.recipe.subwords.marked_share, num_placeholders)

    def _vocabulary_lines(self, suffix: str) -> Iterator[str]:
        """Yield the lines a vocabulary is learned from: all, or an even sample of many.

        They are those of the files with this suffix. A corpus of higher weight gives a larger
        share of its lines.
        """
        weights = {part: self.recipe.data.mix_of(part.corpus).weight for part in self.train_parts}
        counts = {part: sum(1 for _ in self.lines(part, part.languages[0])) for part in weights}
        total = sum(counts[part] * weight for part, weight in weights.items())
        scale = MAX_VOCABULARY_PAIRS / total if sum(counts.values()) > MAX_VOCABULARY_PAIRS else 1
        for part, weight in weights.items():
            rate = min(weight * scale, 1.0) if scale < 1 else 1.0
            for language in part.languages:
                for number, line in enumerate(self.lines(part, language, suffix)):
                    if int((number + 1) * rate) > int(number * rate):
                        yield line

    @property
    def tokenizer(self) -> Tokenizer:
        """The vocabulary."""
        return Tokenizer.load(self.folder / "tokenizer.model")

    def _streams(self, parts: list[CorpusPart], tokenizer: Tokenizer) -> list[Stream]:
        streams = []
        for part in parts:
            mix = self.recipe.data.mix_of(part.corpus)
            for direction in part.directions:
                source, target = direction.split("-")
                tag_ids = [tokenizer.tag_id(target)]
                if part.part == TRAIN and mix.tag:
                    tag_ids.append(tokenizer.mark_id(mix.tag))
                stream = Stream(
                    source=TokenStore(self._sources(part, source, target)),
                    target=TokenStore(part.path(self.folder, target)),
                    tag_ids=tuple(tag_ids),
                    weight=mix.weight,
                )
                streams.append(stream)
        return streams

    def train_corpus(self) -> tuple[EncodedCorpus, list[Share]]:
        """Open the training pairs, and say how often each part of them is seen."""
        tokenizer, config = self.tokenizer, self.recipe.training
        sampler = None
        if config.unigram_alpha or config.bpe_dropout:
            sampler = SubwordSampler(
                tokenizer, unigram_alpha=config.unigram_alpha, bpe_dropout=config.bpe_dropout
            )
        streams = self._streams(self.train_parts, tokenizer)
        counts, weights = [len(s.source) for s in streams], [s.weight for s in streams]
        parts = shares(counts, weights, self.recipe.data.temperature)
        return EncodedCorpus(streams, tokenizer.eos_id, sampler), parts

    def dev_corpus(self) -> EncodedCorpus:
        """Open the development pairs."""
        tokenizer = self.tokenizer
        return EncodedCorpus(self._streams(self.dev_parts, tokenizer), tokenizer.eos_id)

    def familiar_length(self) -> int:
        """Return the source length, in ids, that one training sentence in 1,000 exceeds.

        Beyond it a model has seen too little to be trusted not to leave something out.
        """
        return int(np.percentile(self.train_corpus()[0].lengths[0], 99.9))
