"""A model directory as packages of Argos Translate, for LibreTranslate to be measured with it.

    python -m tests.benchmarks.libretranslate FOLDER [--model MODEL] [--quantization int8]
    ARGOS_PACKAGES_DIR=FOLDER ARGOS_INTRA_THREADS=1 libretranslate --load-only de,en --port 5002

LibreTranslate decodes with CTranslate2. A package is a model, its vocabulary and a description;
what our models read first, the tag of the target language, CTranslate2 puts there as the beginning
of every source. Only the weights are the same: LibreTranslate searches with options of its own, and
sees nothing of placeholders or capitals. It fetches its sentence splitter from the network.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from translator.cli.convert import write_package
from translator.pipeline.translator import DEFAULT_MODEL
from translator.store.model_directory import load_model_directory


def main() -> None:
    """Write a package for each direction."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="is made")
    parser.add_argument("--model", type=Path, default=DEFAULT_MODEL)
    parser.add_argument("--quantization", default="int8")
    options = parser.parse_args()
    if options.folder.exists():
        parser.error(f"{options.folder}: exists already; name another folder")
    loaded = load_model_directory(options.model)
    for direction in loaded.description.directions:
        write_package(loaded, direction, options.folder / direction, options.quantization)
        print(options.folder / direction)


if __name__ == "__main__":
    main()
