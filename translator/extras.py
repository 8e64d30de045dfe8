"""Packages that only some commands need, so that a server does without them."""

from __future__ import annotations

from importlib.util import find_spec

from translator.errors import ConfigError

TRAINING = {"matplotlib": "matplotlib", "PIL": "pillow", "tensorboard": "tensorboard"}
"""Modules of requirements-training.txt, and the package that each comes with."""

BULK = {"ray": "ray[data]", "pyarrow": "pyarrow"}
"""The same of requirements-bulk.txt."""

EXTRAS = {**TRAINING, **BULK}


def require_extras(*modules: str) -> None:
    """Check that some modules of `EXTRAS`, or those of training if none is named, are installed.

    Raises:
        ConfigError: some are not; the message names them all and says how to install them.
    """
    missing = [name for name in modules or TRAINING if find_spec(name) is None]
    if missing:
        extra = "bulk" if {*missing} <= {*BULK} else "training"
        problem = (
            f"{', '.join(EXTRAS[name] for name in missing)}: not installed; in the project's "
            f"folder, run `make .venv/installed-{extra}`, or `pip install '.[{extra}]'` without "
            "make"
        )
        raise ConfigError([problem], f"{extra} extras")
