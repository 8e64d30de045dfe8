"""How far long work is: a bar on a terminal, and now and then a line in a file."""

from __future__ import annotations

import sys
from typing import Any, TextIO

from tqdm import tqdm

LOG_EVERY_S = 30.0
LINE = "{desc}{n_fmt}/{total_fmt} {unit}, {elapsed} so far, {remaining} left{speed}{postfix}"
BAR = "{l_bar}{bar}| {n_fmt}/{total_fmt} {unit} [{elapsed}<{remaining}{speed}{postfix}]"
SECONDS = "s"


class _Lines:
    """What tqdm writes, a line each time: it would begin the same line anew."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        if line := text.strip():
            self._stream.write(f"{line}\n")

    def flush(self) -> None:
        self._stream.flush()


class _Bar(tqdm):  # type: ignore[type-arg]
    """A bar that says how fast it is in words; seconds of seconds have no speed."""

    @property
    def format_dict(self) -> dict[str, Any]:
        """The fields of its line."""
        fields = dict(super().format_dict)
        rate, elapsed_s = fields["rate"], fields["elapsed"]
        if not rate and elapsed_s:
            rate = (fields["n"] - fields["initial"]) / elapsed_s
        return fields | {"speed": _speed(rate, fields["unit"], fields["unit_scale"])}


def _speed(rate: float | None, unit: str, is_scaled: bool) -> str:
    if not rate or unit == SECONDS:
        return ""
    if rate < 1:
        return f", {1 / rate:.1f} s each"
    return f", {tqdm.format_sizeof(rate) if is_scaled else f'{rate:,.1f}'} {unit}/s"


def progress_bar(*, mininterval: float = 0.5, **settings: Any) -> tqdm[Any]:
    """Return a bar on standard error; where that is no terminal, one that writes lines.

    The unit is a plural such as `steps`, or `s`.
    """
    if sys.stderr is None or sys.stderr.isatty():
        return _Bar(dynamic_ncols=True, mininterval=mininterval, bar_format=BAR, **settings)
    lines: Any = _Lines(sys.stderr)
    return _Bar(file=lines, mininterval=LOG_EVERY_S, bar_format=LINE, **settings)
