"""What has been written for good: a disk has it, even if the power fails."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


class Synced:
    """Remembers the files and folders that someone has waited for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._seen: list[tuple[int, int]] = []
        sync = os.fsync

        def remember(descriptor: int) -> None:
            sync(descriptor)
            about = os.fstat(descriptor)
            self._seen.append((about.st_dev, about.st_ino))

        monkeypatch.setattr(os, "fsync", remember)

    def __contains__(self, path: Path) -> bool:
        """Return whether the disk has what lies at a path now."""
        about = path.stat()
        return (about.st_dev, about.st_ino) in self._seen
