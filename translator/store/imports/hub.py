"""Models on the Hugging Face hub, where a machine is online; the package is optional."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from translator.errors import ConfigError, ImportedModelError

WANTED = ["*.json", "*.spm", "*.model", "*.safetensors", "*.bin", "*.npz", "*.yml"]
UNWANTED = ["*/*", "*onnx*", "*rust*", "tf_*", "flax_*"]
_NAME = re.compile(r"[\w.-]+/[\w.-]+")


def is_hub_name(source: str) -> bool:
    """Return whether a source may be a model on the hub, such as `Helsinki-NLP/opus-mt-de-en`."""
    return _NAME.fullmatch(source) is not None and not source.startswith(".")


def download(name: str, revision: str | None = None) -> tuple[Path, dict[str, Any]]:
    """Fetch a model, all its files of one revision.

    Args:
        name: on the hub.
        revision: a branch, tag or commit; the newest if None.

    Returns:
        where its files are, and what the card is to say: origin, commit and licence.

    Raises:
        ConfigError: `huggingface_hub` is not installed.
        ImportedModelError: the hub cannot be reached, or has no such model.
    """
    try:
        import huggingface_hub
    except ImportError as error:
        raise ConfigError(
            [f"huggingface_hub: needed to download {name}; run `pip install huggingface_hub`"],
            "import",
        ) from error
    try:
        info = huggingface_hub.HfApi().model_info(name, revision=revision)
        folder = huggingface_hub.snapshot_download(
            name, revision=info.sha, allow_patterns=WANTED, ignore_patterns=UNWANTED
        )
    except Exception as error:  # of requests, of the hub, of the disk
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise ImportedModelError(f"{name}: cannot be downloaded ({reason})") from error
    licence = getattr(info.card_data, "license", None)
    return Path(folder), {"revision": info.sha, "licence": licence}
