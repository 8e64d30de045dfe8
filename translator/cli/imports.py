"""`python -m translator import`: a model of another project becomes a model directory."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from translator.errors import ConfigError, ImportedModelError
from translator.store.imports.imported import ImportedModel
from translator.store.imports.importing import import_each, import_model

FEW = 6
"""Directions that are listed."""


def add_import(parser: argparse.ArgumentParser) -> None:
    """Add the flags of this command."""
    parser.add_argument(
        "source",
        help="a directory of MarianMT (OPUS-MT), M2M100 or NLLB, or the name of one on the "
        "Hugging Face hub; a folder, zip file or .npz of Marian or Firefox; an .argosmodel file "
        "or an installed Argos package; a CTranslate2 directory with its SentencePiece model",
    )
    parser.add_argument("--out", type=Path, required=True, help="model directory to make")
    parser.add_argument(
        "--each",
        action="store_true",
        help="import every model in the folder SOURCE; --out is then the folder for all of them",
    )
    parser.add_argument(
        "--from",
        dest="source_language",
        help="source language, if the model's files do not name it",
    )
    parser.add_argument(
        "--to", dest="target_language", help="target language, if the model's files do not name it"
    )
    parser.add_argument(
        "--revision", help="branch, tag or commit of a model on the hub; the newest by default"
    )
    parser.add_argument(
        "--licence", help="licence to write into the card; the one the source names by default"
    )
    parser.set_defaults(execute=_import)


def _import(options: argparse.Namespace) -> None:
    pair = options.source_language, options.target_language
    if any(pair) and not all(pair):
        raise ConfigError(["give both --from and --to, or neither"], "import")
    if options.each:
        if any(pair) or options.revision:
            raise ConfigError(["--each takes neither --from and --to nor --revision"], "import")
        _import_each(options)
        return
    imported = import_model(
        options.source,
        options.out,
        languages=(pair[0], pair[1]) if all(pair) else None,
        revision=options.revision,
        licence=options.licence,
    )
    _tell(options.out, imported)


def _import_each(options: argparse.Namespace) -> None:
    """Import what can be imported; say on standard error what cannot."""
    refused = 0
    for imported in import_each(Path(options.source), options.out, options.licence):
        if isinstance(imported.model, ImportedModel):
            _tell(imported.directory, imported.model)
        else:
            refused += 1
            print(f"refused: {imported.model}", file=sys.stderr)
    if refused:
        raise ImportedModelError(f"{options.source}: {refused} of its models could not be imported")


def _tell(directory: Path, imported: ImportedModel) -> None:
    directions = imported.description.directions
    more = f" and {len(directions) - FEW} more" if len(directions) > FEW else ""
    print(f"{directory}: {imported.kind}, {', '.join(directions[:FEW])}{more}")
