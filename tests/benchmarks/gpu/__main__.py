"""Everything that is measured on a GPU, one table after the other.

    python -m tests.benchmarks.gpu --input SENTENCES --reference TRANSLATIONS
    python -m tests.benchmarks.gpu --input SENTENCES --device cpu --sentences 6 --lone 2

With `--device cpu` the same code runs on CPU tensors, a few sentences of which show that it works.
`--only` takes one of the files of this folder; `training` needs no input. No network is needed.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import time

import torch

PARTS = ("serving", "training")
"""Files of this folder, in the order in which they run; one that is missing is left out by name."""


def main() -> None:
    """Run all parts, or one."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = "cuda" if torch.cuda.is_available() else "cpu"
    parser.add_argument("--device", default=default, help=f"here {default} by default")
    parser.add_argument("--only", choices=PARTS, help="one part")
    found, missing = [], []
    for name in PARTS:
        place = f"{__package__}.{name}"
        if importlib.util.find_spec(place) is None:
            missing.append(name)
        else:
            found.append((name, importlib.import_module(place)))
    for _, module in found:
        module.add_arguments(parser)
    options = parser.parse_args()
    if options.only in missing:
        parser.error(f"--only {options.only}: there is no such file")
    is_gpu = options.device.startswith("cuda")
    device = torch.cuda.get_device_name(options.device) if is_gpu else options.device
    print(f"PyTorch {torch.__version__}, {device}", *(f"; no {name}" for name in missing))
    for name, module in found:
        if options.only in (None, name):
            started_s = time.perf_counter()
            print(f"\n## {name}\n", flush=True)
            module.run(options)
            print(f"\n{name}: {time.perf_counter() - started_s:.0f} s", flush=True)


if __name__ == "__main__":
    main()
