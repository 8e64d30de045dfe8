"""How far long work is: a bar on a terminal, and now and then a line in a file."""

from __future__ import annotations

import sys
from typing import Any, TextIO

from tqdm import tqdm

LOG_EVERY_S = 30.0
LINE = "{desc}{n_fmt}/{total_fmt} {unit}, {elapsed} so far, {remaining} left, {rate_fmt}{postfix}"


class _Lines:
    """What tqdm writes, a line each time: it would begin the same line anew."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        if line := text.strip():
            self._stream.write(f"{line}\n")

    def flush(self) -> None:
        self._stream.flush()


def progress_bar(*, mininterval: float = 0.5, **settings: Any) -> tqdm[Any]:
    """Return a bar on standard error; where that is no terminal, one that writes lines."""
    if sys.stderr is None or sys.stderr.isatty():
        return tqdm(dynamic_ncols=True, mininterval=mininterval, **settings)
    lines: Any = _Lines(sys.stderr)
    return tqdm(file=lines, mininterval=LOG_EVERY_S, bar_format=LINE, **settings)
