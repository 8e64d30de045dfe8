"""Write the API reference with pdoc, from the docstrings of every module.

    python -m tests.docs.api FOLDER

Any other warning of pdoc than the three below is an error.
"""

from __future__ import annotations

import argparse
import pkgutil
import warnings
from pathlib import Path

import pdoc
import pdoc.render

import translator
from tests.checkout import ROOT

PACKAGES = ("translator", "training", "service")
LEFT_OUT = ("__main__", "wsgi")  # what runs, or loads a model, when it is imported


def module_names() -> list[str]:
    """Return every module: by itself, pdoc takes of a package only what its `__all__` names."""
    found = (
        module.name
        for package in PACKAGES
        for module in pkgutil.walk_packages([str(ROOT / package)], f"{package}.")
        if not module.name.endswith(LEFT_OUT)
    )
    return [*PACKAGES, *found, *(f"!{package}.{name}" for package in PACKAGES for name in LEFT_OUT)]


def main() -> None:
    """Write all pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="is made")
    folder = parser.parse_args().folder
    warnings.simplefilter("error")
    # a package brings some of its modules, which are named as well
    warnings.filterwarnings("ignore", "The module specification .* has already been added")
    # what only type checkers can evaluate is shown as it is written; mypy has checked it
    warnings.filterwarnings("ignore", "Error parsing type annotation")
    warnings.filterwarnings("ignore", "Failed to run TYPE_CHECKING code")
    for name in translator.__all__:
        getattr(translator, name)  # is loaded when asked for, and pdoc does not ask
    pdoc.render.configure(docformat="google")
    pdoc.pdoc(*module_names(), output_directory=folder)


if __name__ == "__main__":
    main()
