"""The stages of a run, each of which can be interrupted, repeated and continued.

    RUN/recipe.toml                  the recipe as it was run
    RUN/downloads/, RUN/data/        prepare: clean text and its report; subwords: vocabulary, ids
    RUN/checkpoints/                 train: checkpoints, log.jsonl, tensorboard/
    RUN/sittings.jsonl               train: recipe, versions, commit and data hashes of each sitting
    RUN/average.safetensors          average, in half precision
    RUN/scores/                      evaluate: hypotheses and scores of the test parts
    RUN/model/                       export: the model directory
    RUN/report/                      report: Markdown and curves

A finished stage leaves `.STAGE.done` with the fingerprint of all that it depended on, recipe and
text. It is done again if that has changed, or if what it has written is gone.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from statistics import mean
from typing import Any

import safetensors.torch
import torch
from torch import Tensor
from tqdm import tqdm

from training.config import TrainingConfig
from training.data.corpus import (
    Catalogue,
    load_catalogue,
    read_record,
    text_fingerprint,
    write_record,
)
from training.loop.distributed import joined
from training.loop.state import best_checkpoints, list_checkpoints, load_latest, load_state
from training.loop.trainer import Trainer, TrainerInputs
from training.machine import prepare
from training.recipe import Recipe
from training.report.document import write_report
from training.report.record import RunLog
from training.stages.evaluation import SAMPLES, bleu_and_chrf, translate_and_score, write_lines
from training.stages.export import (
    Snapshot,
    absurd_loss,
    fresh_model,
    loaded_model,
    model_problems,
    unlike_scores,
)
from training.stages.folder import (
    agree,
    claim,
    data_hashes,
    fingerprint_of,
    held,
    read_marker,
    record_sitting,
    refuse_other,
)
from training.stages.preparation import KEPT_CATALOGUE, Preparation, StageError, kept_catalogue
from translator.config import DecodingOptions
from translator.durable import tidy, write_durably
from translator.errors import ConfigError
from translator.pipeline.translator import Translator
from translator.store.names import CARD, CHECKSUMS, CONFIG, TOKENIZER, WEIGHTS

NEEDS = {
    "subwords": "prepare",
    "train": "subwords",
    "average": "train",
    "evaluate": "average",
    "export": "evaluate",
}
"""The stage whose results another one works on."""


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
        """Prepare to run `recipe` in `folder`; `recipe_text`, its file, is kept with the results.

        Corpora that `data`, a folder, does not hold are downloaded. `catalogue` has those that
        recipes can name; it is `corpora.toml` if None.

        Raises:
            ConfigError: listing every corpus and model that the recipe names and cannot use.
        """
        self.recipe, self.folder = recipe, folder
        self.device, self.catalogue = device, catalogue or load_catalogue()
        self.text = Preparation(recipe, folder / "data", data, self.catalogue, device)
        self._text_fingerprint: str | None = None
        problems = [*self.text.problems(), *model_problems(recipe)]
        if problems:
            raise ConfigError(problems, recipe.name)
        self.recipe_text = recipe_text

    def stages(self) -> dict[str, Callable[[], None]]:
        """Return every stage, in order."""
        return {
            "prepare": self.text.prepare,
            "subwords": self.text.subwords,
            "train": self.train,
            "average": self.average,
            "evaluate": self.evaluate,
            "export": self.export,
            "report": self.report,
        }

    def run(self, only: str | None = None, train: Callable[[], None] | None = None) -> None:
        """Do all stages that are not done, or one stage in any case.

        `train` does that stage in place of this process, such as by starting several.

        Raises:
            RunHeldError: another process is at work in the folder.
            TranslatorError: a stage failed; running again continues there.
        """
        if only != "train" and int(os.environ.get("WORLD_SIZE", "1")) > 1:
            raise StageError(
                "torchrun: is for `train` alone, with `prepare` and `subwords` done before; or use "
                "`python -m training run … --processes N`, which does every stage"
            )
        if int(os.environ.get("RANK", "0")):  # another process of the run keeps the folder
            self.train()
            return
        with held(self.folder, only or "run"):
            self._begin(only)
            names = [name for name in self.stages() if only in (None, name)]
            done = [name for name in names if self._do(name, train, is_ordered=only is not None)]
        if not done:
            tqdm.write(
                f"{self.folder}: nothing to do: all stages are done with this recipe and text"
            )

    def _begin(self, only: str | None) -> None:
        """Refuse what cannot be done, before anything changes; then keep the recipe."""
        tidy(self.folder)
        noted, files = read_record(self.text.folder), self.text.source_files()
        if not noted and (self.text.folder / "report.json").is_file():
            noted = files  # an earlier version prepared the text, and noted nothing
        text = text_fingerprint(files)
        changed = [
            file.path
            for name, file in files.items()
            if name in noted and file.sha256 != noted[name].sha256
        ]
        refuse_other(self.folder, self.recipe, text, changed)
        if only in NEEDS:
            for path in self._outputs(NEEDS[only]):
                if not path.exists():
                    raise StageError(f"{path}: missing; run `{NEEDS[only]}` first")
        self.text.folder.mkdir(parents=True, exist_ok=True)
        if noted and text == text_fingerprint(noted):
            write_record(self.text.folder, files)  # the same text, perhaps in other places now
        if list_checkpoints(checkpoints := self.folder / "checkpoints"):
            claim(checkpoints, fingerprint_of(self.recipe, "checkpoints", text))
        write_durably(self.folder / "recipe.toml", self.recipe_text.encode())

    def _do(self, name: str, train: Callable[[], None] | None, is_ordered: bool) -> bool:
        """Do a stage if it is ordered or not done; return whether it has been done now."""
        marker, stage = self.folder / f".{name}.done", self.stages()[name]
        marked = read_marker(marker)
        is_there = all(path.exists() for path in self._outputs(name))
        if not is_ordered and is_there and agree(marked, self._fingerprint(name)):
            write_durably(marker, self._fingerprint(name).encode())
            return False
        tqdm.write(f"[{name}]")
        marker.unlink(missing_ok=True)
        (train or stage)() if name == "train" else stage()
        write_durably(marker, self._fingerprint(name).encode())
        return True

    def _fingerprint(self, stage: str) -> str:
        if self._text_fingerprint is None or stage == "prepare":
            self._text_fingerprint = text_fingerprint(self.text.source_files())
        return fingerprint_of(self.recipe, stage, self._text_fingerprint)

    def _outputs(self, stage: str) -> list[Path]:
        if stage in ("prepare", "subwords"):
            return self.text.outputs(stage)
        checkpoints = self.folder / "checkpoints"
        names = (CONFIG, TOKENIZER, WEIGHTS, CARD, CHECKSUMS)
        return {
            "train": list_checkpoints(checkpoints)[-1:] or [checkpoints / "step-…"],
            "average": [self._average_path],
            "evaluate": [self._scores_path],
            "export": [self.folder / "model" / name for name in names],
            "report": [self.folder / "report" / "report.md"],
        }[stage]

    def train(self) -> None:
        """Train, or continue training, to the end."""
        with joined(self.device) as world:
            prepare(world.device)
            inputs, hashes = self._inputs(), data_hashes(self.folder / "data")
            recipe = self.recipe.fingerprint(*self.recipe.sections["train"])
            world.require_same({"recipe": recipe, **hashes})
            checkpoints, seed = self.folder / "checkpoints", self.recipe.seed
            world.from_first(lambda: claim(checkpoints, self._fingerprint("checkpoints")))
            trainer = Trainer(inputs, self.recipe.training, checkpoints, seed, world)
            facts = self.folder, self.recipe, world, hashes, trainer.state.step
            world.from_first(lambda: record_sitting(*facts))
            trainer.train()

    def _inputs(self) -> TrainerInputs:
        tokenizer = self.text.tokenizer
        corpus, shares = self.text.train_corpus()
        return TrainerInputs(
            model=fresh_model(self.recipe, tokenizer),
            tokenizer=tokenizer,
            train=corpus,
            dev=self.text.dev_corpus(),
            score_dev=self._score_dev,
            shares=shares,
        )

    def _translator(self, weights: Mapping[str, Tensor], in_int8: bool = False) -> Translator:
        """Return the translator that these weights will be served by, rounded first if wanted."""
        loaded = loaded_model(self.recipe, self.text, weights, self.device, in_int8)
        return Translator.from_model(loaded, threads=torch.get_num_threads())

    def _score_dev(self, weights: Mapping[str, Tensor]) -> dict[str, float]:
        """Return BLEU and chrF of the heads of the dev parts, decoded greedily.

        The mean over all parts and directions is `bleu` and `chrf`; each one follows by its name.
        """
        greedy, by_direction = DecodingOptions(beam_size=1), {}
        with self._translator(weights) as translator:
            for part in self.text.dev_parts:
                sides = self.text.sides(part, self.recipe.training.dev_sentences)
                for direction, _, scores in translate_and_score(
                    translator, sides, part.directions, greedy
                ):
                    by_direction[f"{part.name}.{direction}"] = scores
        return {
            "bleu": mean(scores.bleu for scores in by_direction.values()),
            "chrf": mean(scores.chrf for scores in by_direction.values()),
            **{f"bleu {name}": scores.bleu for name, scores in by_direction.items()},
        }

    def average(self) -> None:
        """Average the last or the best checkpoints (their moving averages, where there are any).

        With `base_share`, what training began with has that share in the result. Source: Wortsman
        et al. 2022, "Robust fine-tuning of zero-shot models".
        """
        folder = self.folder / "checkpoints"
        chosen = chosen_checkpoints(folder, self.recipe.training)
        if not chosen:
            raise StageError(f"{folder}: no checkpoints; run `train` first")
        weights = average_weights(load_state(path).weights for path in chosen)
        if share := self.recipe.base_share:
            first = fresh_model(self.recipe, self.text.tokenizer)
            for name, tensor in first.state_dict().items():
                weights[name] = weights[name].float().lerp(tensor, share)
        served = {name: tensor.half() for name, tensor in weights.items()}
        write_durably(self._average_path, safetensors.torch.save(served))
        tqdm.write(f"averaged {len(chosen)} checkpoints: {', '.join(p.name for p in chosen)}")

    @property
    def _average_path(self) -> Path:
        return self.folder / "average.safetensors"

    @property
    def _scores_path(self) -> Path:
        return self.folder / "scores" / "scores.json"

    def _averaged(self) -> dict[str, Tensor]:
        if not self._average_path.is_file():
            raise StageError(f"{self._average_path}: missing; run `average` first")
        return safetensors.torch.load(self._average_path.read_bytes())

    def evaluate(self) -> None:
        """Translate every test part with the averaged weights, keep the hypotheses, and score."""
        folder = self.folder / "scores"
        folder.mkdir(exist_ok=True)
        table: dict[str, Any] = {}
        in_int8 = self.recipe.export.weights == "int8"
        with self._translator(self._averaged(), in_int8) as translator:
            for part in self.text.test_parts:
                sides = self.text.sides(part)
                scored = translate_and_score(translator, sides, part.directions, samples=SAMPLES)
                for direction, texts, scores in scored:
                    source, target = direction.split("-")
                    name = f"{part.corpus}.{part.part}.{direction}"
                    kept = {"": texts, ".src": sides[source], ".ref": sides[target]}
                    for suffix, lines in kept.items():
                        write_lines(folder / f"{name}{suffix}.txt", lines)
                    copy = bleu_and_chrf(sides[source], sides[target])
                    decoding = dataclasses.asdict(self.recipe.decoding)
                    stored = {"weights": "int8"} if in_int8 else {}
                    table[name] = {**scores.as_dict(), "decoding": decoding, **stored, "copy": copy}
                    tqdm.write(f"{name}\n{scores}")
        write_durably(self._scores_path, json.dumps(table, indent=2).encode())

    def export(self) -> None:
        """Write the model directory, with its scores in the card."""
        state, _ = load_latest(self.folder / "checkpoints")
        if state is None:
            raise StageError(f"{self.folder / 'checkpoints'}: no checkpoints; run `train` first")
        weights = self._averaged()
        scores = json.loads(self._scores_path.read_text())
        if problem := unlike_scores(scores, self.recipe.export.weights):
            tqdm.write(problem)
        log = self.folder / "checkpoints" / "log.jsonl"
        course = RunLog.parse(log.read_text(encoding="utf-8", errors="replace"))
        warning = absurd_loss(course, self.text.tokenizer.vocab_size)
        is_kept = (self.text.folder / KEPT_CATALOGUE).is_file()  # earlier versions kept none
        catalogue = kept_catalogue(self.text.folder) if is_kept else self.catalogue
        text = Preparation(self.recipe, self.text.folder, None, catalogue)
        snapshot = Snapshot(self.folder, self.recipe, text, state, self.device)
        snapshot.save(self.folder / "model", weights, scores, warning)
        tqdm.write("\n".join(filter(None, [f"wrote {self.folder / 'model'}", warning])))

    def report(self) -> None:
        """Write the report: scores, curves, best and worst sentences."""
        tqdm.write(f"wrote {write_report(self.folder)}")


def average_weights(states: Iterable[Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """Return the mean of several states with the same names and shapes, summed in float64.

    Raises:
        ValueError: there is nothing to average, or the states are of different models.

    Source: Vaswani et al. 2017, §6.1; Junczys-Dowmunt et al. 2016.
    """
    total: dict[str, Tensor] = {}
    count = 0
    for state in states:
        count += 1
        shapes = {name: tensor.shape for name, tensor in state.items()}
        if total and shapes != {name: tensor.shape for name, tensor in total.items()}:
            raise ValueError("checkpoints of different models cannot be averaged")
        for name, tensor in state.items():
            total[name] = total.get(name, torch.zeros((), dtype=torch.float64)) + tensor.double()
    if not count:
        raise ValueError("no checkpoints to average: train first")
    return {name: (tensor / count).float() for name, tensor in total.items()}


def chosen_checkpoints(folder: Path, config: TrainingConfig) -> list[Path]:
    """Return the last or the best checkpoints of a run, as many as `config` averages.

    There are none if there was no training.
    """
    state, _ = load_latest(folder)
    if state is None:
        return []
    if config.average_of == "best":
        return best_checkpoints(folder, config.average_checkpoints, state)
    return list_checkpoints(folder)[-config.average_checkpoints :]
