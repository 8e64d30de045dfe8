"""Encoded text on disk: memory-mapped, so that it opens at once however large it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from translator.durable import replacing
from translator.errors import TranslatorError

Number = TypeVar("Number", np.uint16, np.int64)
IDS_PER_WRITE = 1 << 20


class StoreError(TranslatorError):
    """Encoded text is missing or damaged."""


class TokenStore:
    """The sentences of one side as ids, without special ids.

    `PATH.ids` holds all ids one after another (uint16), `PATH.ends` where each sentence ends
    (int64).
    """

    def __init__(self, path: Path) -> None:
        """Open the two files that start with `path`.

        Raises:
            StoreError: one is missing, or they do not belong together.
        """
        self.path = path
        self.ids: NDArray[np.uint16] = _open(path, "ids", np.uint16)
        self.ends: NDArray[np.int64] = _open(path, "ends", np.int64)
        if (int(self.ends[-1]) if len(self.ends) else 0) != len(self.ids):
            raise StoreError(f"{path}.ids: truncated; run `subwords` again")

    def __reduce__(self) -> tuple[type[TokenStore], tuple[Path]]:
        """Be sent to another process as a path, not as a copy."""
        return TokenStore, (self.path,)

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, index: int) -> NDArray[np.uint16]:
        start = int(self.ends[index - 1]) if index else 0
        return self.ids[start : int(self.ends[index])]

    @property
    def lengths(self) -> NDArray[np.int32]:
        """Ids in each sentence, (n,)."""
        return np.diff(self.ends, prepend=0).astype(np.int32)

    @staticmethod
    def write(path: Path, sentences: Iterable[Sequence[int]]) -> int:
        """Write sentences as they come; they appear at the end. Return how many there were.

        Files that are there already are replaced, not changed: a process may have them open.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        ids: list[int] = []
        ends: list[int] = []
        total = count = 0
        with (
            replacing(Path(f"{path}.ids")) as id_stream,
            replacing(Path(f"{path}.ends")) as end_stream,
        ):

            def flush() -> None:
                id_stream.write(np.array(ids, dtype=np.uint16).tobytes())
                end_stream.write(np.array(ends, dtype=np.int64).tobytes())
                ids.clear()
                ends.clear()

            for sentence in sentences:
                ids.extend(sentence)
                total += len(sentence)
                ends.append(total)
                count += 1
                if len(ids) >= IDS_PER_WRITE:
                    flush()
            flush()
        return count


def _open(path: Path, suffix: str, dtype: type[Number]) -> NDArray[Number]:
    file = Path(f"{path}.{suffix}")
    try:
        if not file.stat().st_size:
            return np.empty(0, dtype=dtype)
        return np.memmap(file, dtype=dtype, mode="r")
    except OSError as error:
        raise StoreError(f"{file}: {error.strerror}; run `subwords` first") from error
    except ValueError as error:
        raise StoreError(f"{file}: truncated; run `subwords` again") from error
