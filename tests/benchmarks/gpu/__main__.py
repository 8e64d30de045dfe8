"""Everything that is measured on a GPU, one table after the other.

    python -m tests.benchmarks.gpu --input SENTENCES --reference TRANSLATIONS
    python -m tests.benchmarks.gpu --input SENTENCES --device cpu --sentences 6 --lone 2

With `--device cpu` the same code runs on CPU tensors, a few sentences of which show that it works.
`--only` takes one of the files of this folder; `training` needs no input. No network is needed.
"""

from __future__ import annotations

import argparse
import time

import torch

from tests.benchmarks.gpu import serving, training

PARTS = {"serving": serving, "training": training}


def main() -> None:
    """Run all parts, or one."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = "cuda" if torch.cuda.is_available() else "cpu"
    parser.add_argument("--device", default=default, help=f"here {default} by default")
    parser.add_argument("--only", choices=PARTS, help="one part")
    for module in PARTS.values():
        module.add_arguments(parser)
    options = parser.parse_args()
    is_gpu = options.device.startswith("cuda")
    device = torch.cuda.get_device_name(options.device) if is_gpu else options.device
    print(f"PyTorch {torch.__version__}, {device}")
    for name, module in PARTS.items():
        if options.only in (None, name):
            started_s = time.perf_counter()
            print(f"\n## {name}\n", flush=True)
            module.run(options)
            print(f"\n{name}: {time.perf_counter() - started_s:.0f} s", flush=True)


if __name__ == "__main__":
    main()
