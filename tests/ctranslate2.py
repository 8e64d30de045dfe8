"""CTranslate2 with a model of this project, to be compared with."""

from __future__ import annotations

import tempfile
from typing import Any

from translator.config import DecodingOptions
from translator.errors import ConfigError
from translator.runtime.ctranslate2 import require_ctranslate2


def load_translator(spec: Any, compute_type: str, threads: int) -> Any:
    """Return a `ctranslate2.Translator` of a spec from `make_spec`, on the CPU.

    Args:
        spec: not used before.
        compute_type: `float32` or `int8`.
        threads: CPU threads; CTranslate2's default if 0.
    """
    spec.validate()
    spec.optimize(quantization=None if compute_type == "float32" else compute_type)
    with tempfile.TemporaryDirectory() as folder:
        spec.save(folder)
        return require_ctranslate2().Translator(
            folder, compute_type=compute_type, inter_threads=1, intra_threads=threads
        )


def alpha_of(options: DecodingOptions) -> float:
    """Return the exponent of the length by which CTranslate2 divides.

    Raises:
        ConfigError: CTranslate2 has no such penalty.
    """
    if options.length_penalty == "gnmt":
        raise ConfigError(["length_penalty: CTranslate2 has no `gnmt`; use `average`"], "engine")
    return options.alpha if options.length_penalty == "average" else 0.0
