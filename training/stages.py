"""The stages of a run, each of which can be interrupted, repeated and continued.

    RUN/recipe.toml                  the recipe as it was run
    RUN/data/                        prepare: clean text and its report; subwords: vocabulary, ids
    RUN/checkpoints/                 train: checkpoints, log.jsonl, tensorboard/
    RUN/average.safetensors          average, in the precision that is served
    RUN/scores/                      evaluate: hypotheses and scores of the test parts
    RUN/model/                       export: the model directory

A finished stage leaves `.STAGE.done` with the fingerprint of all that it depended on, and is done
again only if that has changed.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.torch
import torch
from torch import Tensor
from tqdm import tqdm

from training.average import average_weights
from training.config import Recipe
from training.corpus import Catalogue, CleaningReport, clean, load_catalogue, locate, read_pairs
from training.data import EncodedCorpus
from training.evaluate import translate_and_score
from training.export import describe, model_card
from training.memory import keep_freed_memory
from training.state import (
    best_steps,
    checkpoint_path,
    claim,
    list_checkpoints,
    load_latest,
    load_state,
)
from training.subwords import train_tokenizer
from training.trainer import Trainer, TrainerInputs
from translator.checkpoint import LoadedModel, save_model_directory, write_durably
from translator.config import DecodingOptions
from translator.errors import TranslatorError
from translator.model.transformer import Transformer, make_model
from translator.pipeline import Translator
from translator.tokenizer import Tokenizer


class StageError(TranslatorError):
    """A stage lacks the results of an earlier one."""


class Run:
    """One recipe being carried out in one folder."""

    def __init__(
        self,
        recipe: Recipe,
        recipe_text: str,
        folder: Path,
        data: Path | None,
        device: str,
        catalogue: Catalogue | None = None,
    ) -> None:
        """Prepare to run `recipe` in `folder`.

        Args:
            recipe: what to do.
            recipe_text: its file, kept with the results.
            folder: where everything is written.
            data: folder that may hold the corpora; what is not there is downloaded.
            device: `cpu` or `cuda`.
            catalogue: the corpora that recipes can name; `corpora.toml` if None.
        """
        self.recipe, self.folder, self.data, self.device = recipe, folder, data, device
        self.catalogue = catalogue or load_catalogue()
        self.languages = recipe.data.languages
        (folder / "data").mkdir(parents=True, exist_ok=True)
        write_durably(folder / "recipe.toml", recipe_text.encode())
        self.recipe_text = recipe_text

    def stages(self) -> dict[str, tuple[Callable[[], None], tuple[str, ...]]]:
        """Return every stage in order, with the sections of the recipe it depends on."""
        prepared = ("name", "data")
        encoded = (*prepared, "subwords")
        trained = (*encoded, "model", "training", "seed")
        return {
            "prepare": (self.prepare, prepared),
            "subwords": (self.subwords, encoded),
            "train": (self.train, trained),
            "average": (self.average, trained),
            "evaluate": (self.evaluate, (*trained, "decoding")),
            "export": (self.export, (*trained, "decoding")),
        }

    def run(self, only: str | None = None) -> None:
        """Do all stages that are not done, or one stage in any case.

        Raises:
            TranslatorError: a stage failed; running again continues there.
        """
        for name, (stage, sections) in self.stages().items():
            marker = self.folder / f".{name}.done"
            fingerprint = self.recipe.fingerprint(*sections)
            is_done = marker.is_file() and marker.read_text() == fingerprint
            if only not in (None, name) or (only is None and is_done):
                continue
            tqdm.write(f"[{name}]")
            stage()
            write_durably(marker, fingerprint.encode())

    def _text_path(self, part: str, language: str) -> Path:
        return self.folder / "data" / f"{part}.{language}"

    def _read(self, part: str) -> dict[str, list[str]]:
        try:
            return {
                language: self._text_path(part, language).read_text("utf-8").split("\n")[:-1]
                for language in self.languages
            }
        except FileNotFoundError as error:
            raise StageError(f"{error.filename}: missing; run `prepare` first") from error

    def _tokenizer(self) -> Tokenizer:
        return Tokenizer.load(self.folder / "data" / "tokenizer.model")

    def _aligned(
        self, name: str, report: CleaningReport, cleaned: bool = False
    ) -> dict[str, list[str]]:
        """Read `corpus:part`, found locally or downloaded: language → aligned lines."""
        corpus, part = name.split(":")
        first, second = (
            locate(
                self.catalogue.file(corpus, part, language), self.data, self.folder / "downloads"
            )
            for language in self.languages
        )
        pairs = read_pairs(first, second, report)
        kept = list(clean(pairs, self.recipe.data, report) if cleaned else pairs)
        columns = [pair.source for pair in kept], [pair.target for pair in kept]
        return dict(zip(self.languages, columns, strict=True))

    def prepare(self) -> None:
        """Find or download the corpora, clean the training part, and report what was dropped."""
        reports: dict[str, CleaningReport] = {}
        wanted = {"train": [f"{name}:train" for name in self.recipe.data.corpora]}
        wanted["dev"] = [self.recipe.data.dev]
        for part, sources in wanted.items():
            text: dict[str, list[str]] = {language: [] for language in self.languages}
            for source in sources:
                report = reports[f"{part} {source}"] = CleaningReport()
                sides = self._aligned(source, report, cleaned=part == "train")
                for language, lines in sides.items():
                    text[language] += [line + "\n" for line in lines]
            if not text[self.languages[0]]:
                raise StageError(f"{', '.join(sources)}: no pairs are left after cleaning")
            for language, lines in text.items():
                write_durably(self._text_path(part, language), "".join(lines).encode())
        summary = {name: dataclasses.asdict(report) for name, report in reports.items()}
        (self.folder / "data" / "report.json").write_text(json.dumps(summary, indent=2) + "\n")
        for name, report in reports.items():
            dropped = ", ".join(f"{count} {why}" for why, count in report.dropped.items())
            tqdm.write(f"{name}: {report.num_read} pairs read; dropped: {dropped or 'none'}")

    def subwords(self) -> None:
        """Learn the vocabulary from the training part, and encode everything with it."""
        train = self._read("train")
        lines = (line for side in train.values() for line in side)
        tokenizer = train_tokenizer(lines, self.languages, self.recipe.subwords)
        write_durably(self.folder / "data" / "tokenizer.model", tokenizer.serialized)
        for part, sides in (("train", train), ("dev", self._read("dev"))):
            prefix = self.folder / "data" / part
            count = EncodedCorpus.write(prefix, tokenizer, sides, self.recipe.data.directions)
            tqdm.write(f"{part}: {count} pairs in {len(self.recipe.data.directions)} directions")

    def _fresh_model(self, tokenizer: Tokenizer) -> Transformer:
        torch.manual_seed(self.recipe.seed)
        return make_model(self.recipe.model.with_vocabulary(tokenizer.vocab_size, tokenizer.pad_id))

    def train(self) -> None:
        """Train, or continue training, to the end."""
        keep_freed_memory()
        tokenizer = self._tokenizer()
        inputs = TrainerInputs(
            model=self._fresh_model(tokenizer),
            tokenizer=tokenizer,
            train=EncodedCorpus(self.folder / "data" / "train"),
            dev=EncodedCorpus(self.folder / "data" / "dev"),
            score_dev=self._score_dev,
        )
        checkpoints = self.folder / "checkpoints"
        claim(checkpoints, self.recipe.fingerprint("data", "subwords", "model", "seed"))
        config = self.recipe.training
        Trainer(inputs, config, checkpoints, self.recipe.seed, self.device).train()

    def _familiar_length(self) -> int:
        """Return the source length, in ids, that one training sentence in 200 exceeds.

        Beyond it a model has seen too little to be trusted not to leave something out.
        """
        lengths = EncodedCorpus(self.folder / "data" / "train").lengths[0]
        return int(np.percentile(lengths, 99.5))

    def _translator(self, weights: Mapping[str, Tensor]) -> Translator:
        """Return the translator that these weights will be served by."""
        tokenizer = self._tokenizer()
        model = self._fresh_model(tokenizer)
        model.load_state_dict({name: tensor.float() for name, tensor in weights.items()})
        description = describe(self.recipe, model.config, self._familiar_length())
        loaded = LoadedModel(description, tokenizer, model.to(self.device).eval(), {})
        return Translator.from_model(loaded, threads=torch.get_num_threads())

    def _score_dev(self, weights: Mapping[str, Tensor]) -> dict[str, float]:
        """Return BLEU and chrF, mean over directions, of the dev set's head decoded greedily."""
        count = self.recipe.training.dev_sentences
        sides = {language: lines[:count] for language, lines in self._read("dev").items()}
        with self._translator(weights) as translator:
            greedy = DecodingOptions(beam_size=1)
            found = list(
                translate_and_score(translator, sides, self.recipe.data.directions, greedy)
            )
        return {
            "bleu": sum(scores.bleu for _, _, scores in found) / len(found),
            "chrf": sum(scores.chrf for _, _, scores in found) / len(found),
        }

    def average(self) -> None:
        """Average the last or the best checkpoints (their moving averages, where there are any)."""
        folder, config = self.folder / "checkpoints", self.recipe.training
        state, _ = load_latest(folder)
        if state is None:
            raise StageError(f"{folder}: no checkpoints; run `train` first")
        if config.average_of == "best":
            steps = best_steps(state, config.average_checkpoints)
            chosen = [checkpoint_path(folder, step) for step in steps]
        else:
            chosen = list_checkpoints(folder)[-config.average_checkpoints :]
        weights = average_weights(load_state(path).weights for path in chosen)
        served = {name: tensor.half() for name, tensor in weights.items()}
        write_durably(self._average_path, safetensors.torch.save(served))
        tqdm.write(f"averaged {len(chosen)} checkpoints: {', '.join(p.name for p in chosen)}")

    @property
    def _average_path(self) -> Path:
        return self.folder / "average.safetensors"

    def _averaged(self) -> dict[str, Tensor]:
        if not self._average_path.is_file():
            raise StageError(f"{self._average_path}: missing; run `average` first")
        return safetensors.torch.load(self._average_path.read_bytes())

    def evaluate(self) -> None:
        """Translate every test part with the averaged weights, keep the hypotheses, and score."""
        folder = self.folder / "scores"
        folder.mkdir(exist_ok=True)
        table: dict[str, Any] = {}
        with self._translator(self._averaged()) as translator:
            for test in self.recipe.data.test:
                sides = self._aligned(test, CleaningReport())
                for direction, texts, scores in translate_and_score(
                    translator, sides, self.recipe.data.directions
                ):
                    name = f"{test.replace(':', '.')}.{direction}"
                    hypotheses = "".join(text + "\n" for text in texts)
                    (folder / f"{name}.txt").write_text(hypotheses, encoding="utf-8")
                    decoding = dataclasses.asdict(self.recipe.decoding)
                    table[name] = {**scores.as_dict(), "decoding": decoding}
                    tqdm.write(f"{name}\n{scores}")
        write_durably(folder / "scores.json", json.dumps(table, indent=2).encode())

    def export(self) -> None:
        """Write the model directory, with its scores in the card."""
        scores_path = self.folder / "scores" / "scores.json"
        if not scores_path.is_file():
            raise StageError(f"{scores_path}: missing; run `evaluate` first")
        state, _ = load_latest(self.folder / "checkpoints")
        if state is None:
            raise StageError(f"{self.folder / 'checkpoints'}: no checkpoints; run `train` first")
        weights = self._averaged()
        training = {
            "steps": state.step,
            "epochs": state.epoch + 1,
            "target_tokens": state.target_tokens,
            "hours": round(state.train_seconds / 3600, 2),
            "threads": torch.get_num_threads(),
            "device": self.device,
            "parameters": sum(tensor.numel() for tensor in weights.values()),
        }
        scores = json.loads(scores_path.read_text())
        card = model_card(self.recipe, self.recipe_text, self.catalogue, training, scores)
        tokenizer = self._tokenizer()
        config = self._fresh_model(tokenizer).config
        description = describe(self.recipe, config, self._familiar_length())
        save_model_directory(self.folder / "model", description, tokenizer, weights, card)
        tqdm.write(f"wrote {self.folder / 'model'}")
