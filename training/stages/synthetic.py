"""A synthetic parallel corpus from text of one language: back-translation and distillation.

Source: Sennrich et al. 2016 (back-translation); Kim & Rush 2016 (sequence-level distillation).
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from training.commands import add_device, positive, require_files
from training.data.cleaning import Cleaner, CleaningConfig, write_sides
from training.data.corpus import CleaningReport, SentencePair
from training.stages.folder import commit, versions
from translator.commands import Commands, add_languages
from translator.config import DecodingOptions
from translator.durable import write_durably
from translator.errors import InputError
from translator.files import count_lines, read_lines, sha256
from translator.pipeline.streaming import translate_file
from translator.pipeline.translation import Translation
from translator.pipeline.translator import Translator
from translator.store.installed import InstalledModel, read_installed

FILTER = CleaningConfig(max_length_ratio=3.0, copies=True, repetitions=True)


def add_command(commands: Commands) -> None:
    """Add `translate-corpus` to the commands of `python -m training`."""
    parser = commands.add_parser(
        "translate-corpus", help="translate text of one language into a synthetic parallel corpus"
    )
    parser.add_argument("model", type=Path, help="model directory")
    parser.add_argument("--input", type=Path, required=True, help="text, one sentence a line")
    add_languages(parser, required=True)
    parser.add_argument("--out", type=Path, required=True, help="folder for the results")
    parser.add_argument(
        "--beam-size", type=positive, help="hypotheses kept; the model's own by default"
    )
    parser.add_argument(
        "--shards", type=positive, default=1, help="parts that the text is split into"
    )
    parser.add_argument("--shard", type=int, default=0, help="the part to translate, from 0")
    add_device(parser)
    parser.add_argument("--threads", type=positive, default=1, help="CPU threads")
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> None:
    require_files(options.input)
    if not 0 <= options.shard < options.shards:
        raise InputError(f"--shard {options.shard}: must be in 0..{options.shards - 1}")
    options.out.mkdir(parents=True, exist_ok=True)
    stem = options.out / f"synthetic.{options.shard}-of-{options.shards}"
    raw = Path(f"{stem}.jsonl")
    installed = read_installed(options.model)
    default = installed.description.decoding
    beam_size = options.beam_size or default.beam_size
    decoding = dataclasses.replace(default, beam_size=beam_size, num_hypotheses=1)
    provenance = _provenance(options, installed, decoding)
    _refuse_other_work(Path(f"{stem}.json"), provenance)
    if not raw.is_file():
        _translate(options, decoding, raw)
    languages, report = (options.source_language, options.target_language), CleaningReport()
    cleaner = Cleaner(FILTER, languages)
    paths = [Path(f"{stem}.{language}") for language in languages]
    count = write_sides(paths, cleaner.clean(_pairs(raw, report), report))
    result = provenance | {"pairs": count, "filtered": report.as_dict()}
    write_durably(Path(f"{stem}.json"), json.dumps(result, indent=2, ensure_ascii=False).encode())
    print(f"{paths[0]}, {paths[1].name}: {count} pairs. {report}")


def _translate(options: argparse.Namespace, decoding: DecodingOptions, raw: Path) -> None:
    """Write one JSON object a sentence: the source and its translation; continue if begun."""

    def translate(lines: list[str]) -> list[Translation]:
        return translator.translate(
            lines, source=options.source_language, target=options.target_language, options=decoding
        )

    def as_json(line: str, answer: Translation) -> str:
        is_whole = "placeholders" not in answer.flags
        translations = [answer.text] if is_whole else []
        return json.dumps({"source": line, "translations": translations}, ensure_ascii=False)

    lines = itertools.islice(read_lines(options.input), options.shard, None, options.shards)
    total = -(-(count_lines(options.input) - options.shard) // options.shards)
    loading = Translator.load(options.model, device=options.device, threads=options.threads)
    with loading as translator:
        translate_file(translate, lines, raw, total=total, resume=True, format_line=as_json)


def _pairs(raw: Path, report: CleaningReport) -> Iterator[SentencePair]:
    for entry in map(json.loads, read_lines(raw)):
        for translation in entry["translations"]:
            report.num_read += 1
            yield SentencePair(entry["source"].strip(), translation.strip())


def _provenance(
    options: argparse.Namespace, model: InstalledModel, decoding: DecodingOptions
) -> dict[str, Any]:
    checksums = json.loads((options.model / "checksums.json").read_text(encoding="utf-8"))
    return {
        "model": model.card.get("name"),
        "model_checksums": checksums,
        "direction": f"{options.source_language}-{options.target_language}",
        "shard": f"{options.shard} of {options.shards}",
        "decoding": dataclasses.asdict(decoding),
        "text_sha256": sha256(options.input),
        "commit": commit(),
        "versions": versions(),
    }


def _refuse_other_work(path: Path, provenance: dict[str, Any]) -> None:
    """Note whose work the folder holds; refuse to continue another's."""
    fixed = ("model_checksums", "direction", "shard", "decoding", "text_sha256")
    if path.is_file():
        before = json.loads(path.read_text(encoding="utf-8"))
        changed = [name for name in fixed if before.get(name) != provenance[name]]
        if changed:
            raise InputError(
                f"{path}: made with other {', '.join(changed)}; name another folder with --out"
            )
    else:
        write_durably(path, json.dumps(provenance, indent=2, ensure_ascii=False).encode())
