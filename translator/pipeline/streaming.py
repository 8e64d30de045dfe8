"""Translate line by line, files of any size: in order, in bounded memory, to be continued."""

from __future__ import annotations

import itertools
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path
from typing import TypeVar

from translator.durable import telling
from translator.errors import InputError
from translator.files import STANDARD, compress
from translator.pipeline.translation import Translation
from translator.progress import progress_bar

LINES_AT_ONCE = 1000
CHARS_AT_ONCE = 100_000
"""A window of long lines has fewer: what is in hand when it is interrupted is lost."""

TranslateLines = Callable[[list[str]], list[Translation]]
Item = TypeVar("Item")
Answer = TypeVar("Answer")


def in_windows(
    translate: Callable[[list[Item]], list[Answer]],
    items: Iterable[Item],
    num_chars: Callable[[Item], int],
    window: int = LINES_AT_ONCE,
) -> Iterator[Answer]:
    """Yield what `translate` makes of each item, in order.

    Two windows are in the engine at a time: the second fills the batches that the end of the first
    leaves empty. However many items there are, no more are held. A window has fewer items if these
    have many characters.
    """
    windows = _windows(items, num_chars, window)
    ahead: deque[Future[list[Answer]]] = deque()
    pool = ThreadPoolExecutor(max_workers=2)
    try:
        while True:
            while len(ahead) < 2 and (next_window := next(windows, None)):
                ahead.append(pool.submit(copy_context().run, translate, next_window))
            if not ahead:
                return
            yield from ahead.popleft().result()
    finally:  # who interrupts does not wait: what is in hand ends when the translator is closed
        pool.shutdown(wait=False, cancel_futures=True)


def _windows(
    items: Iterable[Item], num_chars: Callable[[Item], int], most: int
) -> Iterator[list[Item]]:
    """Yield lists of at most so many items; each ends with that which fills `CHARS_AT_ONCE`."""
    window: list[Item] = []
    chars = 0
    for item in items:
        window.append(item)
        chars += num_chars(item)
        if len(window) == most or chars >= CHARS_AT_ONCE:
            yield window
            window, chars = [], 0
    if window:
        yield window


def partial_path(output: Path) -> Path:
    """Return where the finished lines of `output` are kept until it is whole.

    That is `output` itself if it is a pipe or a device, and beside its target if it is a link.
    """
    if output.exists() and not output.is_file():
        return output
    target = Path(os.path.realpath(output))
    return target.with_name(f"{target.name}.partial")


def refuse_own_source(source: Path, output: Path) -> None:
    """Raise InputError if a translation to `output` would take the place of what it is made of."""
    for place in (output, partial_path(output)):
        if source.is_file() and place.is_file() and place.samefile(source):
            raise InputError(f"{place}: is the file to translate; name another --output")


def translate_file(
    translate: TranslateLines,
    lines: Iterable[str],
    output: Path,
    *,
    total: int | None = None,
    resume: bool = False,
    format_line: Callable[[str, Translation], str] = lambda _, answer: answer.text,
) -> int:
    """Translate lines into a file, a line for a line; return their number.

    Finished lines are kept in `output.partial` until all are there, so that an interrupted
    translation can be continued: what comes out is the same as without interruption.

    Args:
        translate: translates a list of lines.
        lines: all of them, those that are finished already too.
        output: file to write; compressed if its name ends in .gz, .xz or .zst.
        total: how many lines there are, if that is known.
        resume: go on behind the finished lines instead of starting anew.
        format_line: makes the line to write from the source line and its translation.

    Raises:
        InputError: there are fewer lines than are finished already, or some are finished and it
            is not said what is to become of them.
        OSError: a file cannot be opened or written.
    """
    kept = partial_path(output)
    done, end = _whole_lines(kept) if kept.is_file() else (0, 0)
    if done and not resume:
        raise InputError(
            f"{kept}: has {done} translated lines; continue with --resume, or delete it"
        )
    source = iter(lines)
    skipped = sum(1 for _ in itertools.islice(source, done))
    if skipped < done:
        raise InputError(
            f"{kept}: has {done} lines, and the source only {skipped}: it belongs to another file; "
            "delete it"
        )
    rest, again = itertools.tee(source)
    bar = progress_bar(total=total, initial=done, unit="sentences")
    is_kept = kept != output
    with (
        bar,
        telling(kept, flag="--resume" if is_kept else ""),
        kept.open("ab" if end else "wb") as stream,
    ):
        if end:
            stream.truncate(end)
        for line, answer in zip(again, in_windows(translate, rest, len), strict=False):
            text = format_line(line, answer).replace("\n", " ")
            stream.write(f"{text}\n".encode())
            done += 1
            if done % LINES_AT_ONCE == 0:
                stream.flush()
            bar.update()
    if is_kept:
        with telling(output, flag="--resume"):
            compress(kept, output)
    return done


def translate_whole(translate: TranslateLines, text: str, output: str) -> None:
    """Translate a text that is not a row of lines, such as a page of HTML.

    The output is a file, compressed as its name asks; `-` is standard output.
    """
    [answer] = translate([text])
    if output == STANDARD:
        print(answer.text, end="" if answer.text.endswith("\n") else "\n", flush=True)
        return
    write_whole(answer.text.encode(), Path(output))


def write_whole(content: bytes, output: Path) -> None:
    """Write a translation that is not continued; compressed as the name asks.

    Raises:
        OSError: the file cannot be written; the error names it.
    """
    with telling(output, len(content)):
        kept = partial_path(output)
        kept.write_bytes(content)
        if kept != output:
            compress(kept, output)


def _whole_lines(path: Path) -> tuple[int, int]:
    """Return how many lines end in a newline, and where the last of them ends, in bytes."""
    count = end = 0
    with path.open("rb") as stream:
        for line in stream:
            if line.endswith(b"\n"):
                count, end = count + 1, end + len(line)
    return count, end
