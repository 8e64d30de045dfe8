"""Packages that only training and pictures need, so that a server does without them."""

from __future__ import annotations

from importlib.util import find_spec

from translator.errors import ConfigError

EXTRAS = {"matplotlib": "matplotlib", "PIL": "pillow", "tensorboard": "tensorboard"}
"""Modules of requirements-training.txt, and the package that each comes with."""


def require_extras(*modules: str) -> None:
    """Check that some modules of `EXTRAS`, or all of them if none is named, are installed.

    Raises:
        ConfigError: some are not; the message names them all and says how to install them.
    """
    missing = [EXTRAS[name] for name in modules or EXTRAS if find_spec(name) is None]
    if missing:
        problem = (
            f"{', '.join(missing)}: not installed; in the project's folder, run "
            "`make .venv/installed-training`, or `pip install '.[training]'` without make"
        )
        raise ConfigError([problem], "training extras")
