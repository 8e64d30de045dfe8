"""`python -m translator models`: models in folders are listed and checked; they come and go."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from translator.cli.downloads import add_downloads, scores_of
from translator.commands import CommandParser
from translator.errors import InputError, ModelDirectoryError, TranslatorError
from translator.pipeline.models.here import default_paths, find_models
from translator.pipeline.translator import Translator
from translator.store.folder import add_model, place_of, remove_model
from translator.store.installed import InstalledModel

FEW = 6
"""Directions of a model that are listed, and tried."""

MEGABYTE = 10**6

SAMPLES = {
    "ar": "صباح الخير!",
    "cs": "Dobré ráno!",
    "de": "Guten Morgen!",
    "en": "Good morning!",
    "es": "¡Buenos días!",
    "fr": "Bonjour !",
    "it": "Buongiorno!",
    "ja": "おはようございます。",
    "nl": "Goedemorgen!",
    "pl": "Dzień dobry!",
    "pt": "Bom dia!",
    "ru": "Доброе утро!",
    "sv": "God morgon!",
    "tr": "Günaydın!",
    "uk": "Доброго ранку!",
    "zh": "早上好！",
}
"""What is translated to try a model; from other languages it is the English one."""


def add_models(parser: CommandParser) -> None:
    """Add the commands about a folder of models."""
    commands = parser.add_subparsers(dest="models_command", required=True, metavar="COMMAND")
    listed = commands.add_parser("list", help="show the models in folders, in order of preference")
    listed.add_argument(
        "folder",
        type=Path,
        nargs="*",
        help="folder of models, or a model directory; by default the user's own folder, and the "
        "shipped model",
    )
    listed.set_defaults(execute=_list)
    verify = commands.add_parser(
        "verify", help="compare all files with their checksums, and translate a sentence"
    )
    verify.add_argument("folder", type=Path, help="folder of models, or a model directory")
    verify.add_argument("names", nargs="*", help="names of models; all of them by default")
    verify.set_defaults(execute=_verify)
    add = commands.add_parser("add", help="copy or import a model into a folder")
    add.add_argument("folder", type=Path, help="folder of models; made if it does not exist")
    add.add_argument("model", type=Path, help="model directory, or a model that `import` can read")
    add.add_argument(
        "--name", default="", help="name in the folder; that of the directory by default"
    )
    add.set_defaults(execute=_add)
    remove = commands.add_parser("remove", help="delete a model from a folder")
    remove.add_argument("folder", type=Path, help="folder of models")
    remove.add_argument("name", help="name of the model")
    remove.add_argument(
        "--yes", action="store_true", help="delete it; without this, nothing is deleted"
    )
    remove.set_defaults(execute=_remove)
    add_downloads(commands)


def _models_in(paths: Sequence[Path]) -> tuple[InstalledModel, ...]:
    """Return the models in some folders; say on standard error what cannot be used."""
    models = find_models(paths)
    for fault in models.faults:
        print(f"damaged: {fault}", file=sys.stderr)
    if not models.models and not models.faults:
        raise InputError(f"{', '.join(map(str, paths))}: no model directory there")
    return models.models


def _list(options: argparse.Namespace) -> None:
    first = dict[tuple[str, str], str]()
    paths = options.folder or default_paths()
    folders = {path.resolve() for path in paths}
    for model in _models_in(paths):
        pairs = [f"{source}→{target}" for source, target in model.description.pairs]
        size = sum(path.stat().st_size for path in model.path.iterdir()) / MEGABYTE
        behind = dict[str, list[str]]()
        for pair in filter(first.__contains__, model.description.pairs):
            behind.setdefault(first[pair], []).append("→".join(pair))
        after = [f"{name} goes before it: {_few(those)}" for name, those in behind.items()]
        is_elsewhere = model.path.parent.resolve() not in folders and model.name != str(model.path)
        where = [str(model.path)] if is_elsewhere else []
        about = f"{size:.1f} MB", scores_of(model.card), _few(pairs), *after, *where
        print(model.name, *about, sep="\t")
        for pair in model.description.pairs:
            first.setdefault(pair, model.name)


def _few(pairs: Sequence[str]) -> str:
    more = f" and {len(pairs) - FEW} more" if len(pairs) > FEW else ""
    return " ".join(pairs[:FEW]) + more


def _verify(options: argparse.Namespace) -> None:
    installed = find_models([options.folder])
    names = {model.name for model in installed.models}
    for name in options.names:
        place_of(options.folder, name)
        if name not in names and not (options.folder / name).is_dir():
            raise InputError(
                f"{options.folder}: has no model {name}; it has {', '.join(sorted(names))}"
            )
    chosen = [
        model for model in installed.models if not options.names or model.name in options.names
    ]
    faults = [] if options.names else list(installed.faults)
    faults += [fault for fault in installed.faults if any(name in fault for name in options.names)]
    for model in chosen:
        try:
            _try(model)
        except TranslatorError as error:
            faults.append(str(error))
    for fault in faults:
        print(f"damaged: {fault}", file=sys.stderr)
    if faults:
        raise ModelDirectoryError(
            f"{len(faults)} of {len(chosen) + len(installed.faults)} are damaged"
        )
    if not chosen:
        raise InputError(f"{options.folder}: no model directory there")


def _try(model: InstalledModel) -> None:
    """Load a model, which checks all of it, and translate a sentence in some directions."""
    with Translator.load(model.path, precision="float32") as translator:
        for source, target in translator.directions[:FEW]:
            sample = SAMPLES.get(source.partition("-")[0], SAMPLES["en"])
            [answer] = translator.translate([sample], source=source, target=target)
            flags = f" ({', '.join(answer.flags)})" if answer.flags else ""
            text = " ".join(answer.text.split())
            print(f"{model.name}\t{source}→{target}\t{sample} → {text}{flags}", flush=True)


def _add(options: argparse.Namespace) -> None:
    target = add_model(options.folder, options.model, options.name)
    print(f"{target}: added")


def _remove(options: argparse.Namespace) -> None:
    target = place_of(options.folder, options.name)
    if not options.yes:
        raise InputError(f"{target}: not deleted; add --yes to delete it")
    remove_model(options.folder, options.name)
    print(f"{target}: removed")
