"""The stages of a run, each of which can be interrupted, repeated and continued.

    RUN/recipe.toml                  the recipe as it was run
    RUN/branch.json                  of a branch only: where it comes from; see `branch.py`
    RUN/downloads/, RUN/data/        prepare: clean text and its report; subwords: vocabulary, ids
    RUN/checkpoints/                 train: checkpoints, log.jsonl, tensorboard/
    RUN/sittings.jsonl               train: recipe, versions, commit and data hashes of each sitting
    RUN/average.safetensors          average, in half precision
    RUN/scores/                      evaluate: hypotheses and scores of the test parts
    RUN/model/                       export: the model directory
    RUN/report/                      report: Markdown and curves

A finished stage leaves `.STAGE.done` with the fingerprint of all that it depended on, and is done
again only if that has changed.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from statistics import mean
from typing import Any

import safetensors.torch
import torch
from torch import Tensor
from tqdm import tqdm

from training.data.corpus import Catalogue, load_catalogue
from training.data.encoded import EncodedCorpus
from training.loop.distributed import World, joined
from training.loop.inputs import TrainerInputs
from training.loop.state import claim, load_latest, load_state
from training.loop.trainer import Trainer
from training.machine import prepare
from training.objective.dead_units import revive
from training.recipe import Recipe
from training.report.document import write_report
from training.stages import branch
from training.stages.average import average_weights, chosen_checkpoints
from training.stages.evaluation import context, translate_and_score, write_lines
from training.stages.export import (
    cleaning_facts,
    describe,
    int8_reference,
    model_card,
    training_facts,
    unlike_scores,
)
from training.stages.finetune import base_facts, model_problems, start_from
from training.stages.preparation import Preparation, StageError
from training.stages.provenance import data_hashes, record_sitting
from translator.config import DecodingOptions
from translator.errors import ConfigError
from translator.model.int8 import rounded_model
from translator.model.reference import Reference
from translator.model.transformer import Transformer, make_model
from translator.store.model_directory import LoadedModel, save_model_directory, write_durably
from translator.tokens.tokenizer import Tokenizer
from translator.translate.translator import Translator


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

        Raises:
            ConfigError: listing every corpus and model that the recipe names and cannot use.
        """
        self.recipe, self.folder = recipe, folder
        self.device, self.catalogue = device, catalogue or load_catalogue()
        self.text = Preparation(recipe, folder / "data", data, self.catalogue, device)
        problems = [*self.text.problems(), *model_problems(recipe)]
        problems += branch.problems_of(recipe) if branch.branch_facts(folder) else []
        if problems:
            raise ConfigError(problems, recipe.name)
        (folder / "data").mkdir(parents=True, exist_ok=True)
        write_durably(folder / "recipe.toml", recipe_text.encode())
        self.recipe_text = recipe_text

    def stages(self) -> dict[str, tuple[Callable[[], None], tuple[str, ...]]]:
        """Return every stage in order, with the sections of the recipe it depends on."""
        stages = {
            "prepare": self.text.prepare,
            "subwords": self.text.subwords,
            "train": self.train,
            "average": self.average,
            "evaluate": self.evaluate,
            "export": self.export,
            "report": self.report,
        }
        return {name: (stage, self.recipe.sections[name]) for name, stage in stages.items()}

    def run(self, only: str | None = None, train: Callable[[], None] | None = None) -> None:
        """Do all stages that are not done, or one stage in any case.

        Args:
            only: the stage; all if None.
            train: does that stage in place of this process, such as by starting several.

        Raises:
            TranslatorError: a stage failed; running again continues there.
        """
        if only != "train" and int(os.environ.get("WORLD_SIZE", "1")) > 1:
            raise StageError(
                "torchrun: is for `train` alone, with `prepare` and `subwords` done before; or use "
                "`python -m training run … --processes N`, which does every stage"
            )
        for name, (stage, sections) in self.stages().items():
            marker = self.folder / f".{name}.done"
            fingerprint = self.recipe.fingerprint(*sections)
            is_done = marker.is_file() and marker.read_text() == fingerprint
            if only not in (None, name) or (only is None and is_done):
                continue
            tqdm.write(f"[{name}]")
            (train or stage)() if name == "train" else stage()
            write_durably(marker, fingerprint.encode())

    def _fresh_model(self, tokenizer: Tokenizer) -> Transformer:
        """Return the model as it is before training."""
        torch.manual_seed(self.recipe.seed)
        if self.recipe.base:
            return start_from(self.recipe)
        return make_model(self.recipe.model.with_vocabulary(tokenizer.vocab_size, tokenizer.pad_id))

    def _first_model(self, tokenizer: Tokenizer, corpus: EncodedCorpus) -> Transformer:
        """Return the model that training begins with."""
        model = self._fresh_model(tokenizer)
        if self.recipe.revive_units:
            share = revive(model, corpus, tokenizer.bos_id)
            tqdm.write(f"revived {share:.0%} of the feed-forward units, which never fired")
        return model

    def train(self) -> None:
        """Train, or continue training, to the end."""
        with joined(self.device) as world:
            prepare(world.device)
            inputs, hashes = self._inputs(), data_hashes(self.folder / "data")
            recipe = self.recipe.fingerprint(*self.recipe.sections["train"])
            world.require_same({"recipe": recipe, **hashes})
            world.from_first(lambda: self._begin_sitting(world, hashes))
            checkpoints, seed = self.folder / "checkpoints", self.recipe.seed
            Trainer(inputs, self.recipe.training, checkpoints, seed, world).train()

    def _begin_sitting(self, world: World, hashes: dict[str, str]) -> None:
        fingerprint = self.recipe.fingerprint(*self.recipe.sections["checkpoints"])
        claim(self.folder / "checkpoints", fingerprint)
        record_sitting(self.folder, self.recipe, world, hashes)

    def _inputs(self) -> TrainerInputs:
        tokenizer = self.text.tokenizer
        corpus, shares = self.text.train_corpus()
        return TrainerInputs(
            model=self._first_model(tokenizer, corpus),
            tokenizer=tokenizer,
            train=corpus,
            dev=self.text.dev_corpus(),
            score_dev=self._score_dev,
            shares=shares,
        )

    def _translator(self, weights: Mapping[str, Tensor], in_int8: bool = False) -> Translator:
        """Return the translator that these weights will be served by, rounded first if wanted."""
        tokenizer = self.text.tokenizer
        model = self._fresh_model(tokenizer)
        model.load_state_dict({name: tensor.float() for name, tensor in weights.items()})
        description = describe(self.recipe, model.config, self.text.familiar_length())
        if in_int8:
            reference = int8_reference(rounded_model(model), self.device)
        else:
            reference = Reference.of(model.to(self.device).eval())
        loaded = LoadedModel(description, tokenizer, reference, {})
        return Translator.from_model(loaded, threads=torch.get_num_threads())

    def _score_dev(self, weights: Mapping[str, Tensor]) -> dict[str, float]:
        """Return BLEU and chrF of the heads of the dev parts, decoded greedily.

        The mean over all parts and directions is `bleu` and `chrf`; each one follows by its name.
        """
        greedy, found = DecodingOptions(beam_size=1), {}
        with self._translator(weights) as translator:
            for part in self.text.dev_parts:
                sides = self.text.sides(part, self.recipe.training.dev_sentences)
                for direction, _, scores in translate_and_score(
                    translator, sides, part.directions, greedy
                ):
                    found[f"{part.name}.{direction}"] = scores
        return {
            "bleu": mean(scores.bleu for scores in found.values()),
            "chrf": mean(scores.chrf for scores in found.values()),
            **{f"bleu {name}": scores.bleu for name, scores in found.items()},
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
            first = self._first_model(self.text.tokenizer, self.text.train_corpus()[0])
            for name, tensor in first.state_dict().items():
                weights[name] = weights[name].float().lerp(tensor, share)
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
        with ExitStack() as stack:
            in_int8 = self.recipe.export.weights == "int8"
            own = stack.enter_context(self._translator(self._averaged(), in_int8))
            names = self.recipe.compare_with
            others = {name: stack.enter_context(Translator.load(name)) for name in names}
            for part in self.text.test_parts:
                sides = self.text.sides(part)
                for direction, texts, scores in translate_and_score(own, sides, part.directions):
                    source, target = direction.split("-")
                    name = f"{part.corpus}.{part.part}.{direction}"
                    kept = {"": texts, ".src": sides[source], ".ref": sides[target]}
                    for suffix, lines in kept.items():
                        write_lines(folder / f"{name}{suffix}.txt", lines)
                    found = context(sides, direction, texts, others)
                    decoding = dataclasses.asdict(self.recipe.decoding)
                    stored = {"weights": "int8"} if in_int8 else {}
                    table[name] = {**scores.as_dict(), "decoding": decoding, **stored, **found}
                    tqdm.write(f"{name}\n{scores}")
        write_durably(folder / "scores.json", json.dumps(table, indent=2).encode())

    def export(self) -> None:
        """Write the model directory, with its scores in the card."""
        scores_path = self.folder / "scores" / "scores.json"
        if not scores_path.is_file():
            raise StageError(f"{scores_path}: missing; `training run` scores and exports")
        state, _ = load_latest(self.folder / "checkpoints")
        if state is None:
            raise StageError(f"{self.folder / 'checkpoints'}: no checkpoints; run `train` first")
        weights = self._averaged()
        facts = training_facts(state, self.recipe.training.dev_metric, weights, self.device)
        if self.recipe.base:
            facts["base"] = base_facts(self.recipe.base)
        if came_from := branch.branch_facts(self.folder):
            facts["branch"] = {name: came_from[name] for name in came_from if name != "folder"}
        cleaning = cleaning_facts(self.folder / "data" / "report.json")
        scores = json.loads(scores_path.read_text())
        if problem := unlike_scores(scores, self.recipe.export.weights):
            tqdm.write(problem)
        card = model_card(self.recipe, self.recipe_text, self.catalogue, cleaning, facts, scores)
        tokenizer = self.text.tokenizer
        config = self._fresh_model(tokenizer).config
        description = describe(self.recipe, config, self.text.familiar_length())
        save_model_directory(self.folder / "model", description, tokenizer, weights, card)
        tqdm.write(f"wrote {self.folder / 'model'}")

    def report(self) -> None:
        """Write the report: scores, curves, best and worst sentences."""
        tqdm.write(f"wrote {write_report(self.folder)}")
