"""LibreOffice, which reads files and writes them as PDF, without windows."""

from __future__ import annotations

import io
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pikepdf

MISSING = (
    "no LibreOffice, which opens the files: "
    "apt-get install libreoffice-impress libreoffice-calc libreoffice-writer"
)
TIMEOUT_S = 600


def is_missing() -> bool:
    """Return whether there is no LibreOffice on this machine."""
    return shutil.which("soffice") is None


def as_pdf(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return files as PDF; see `converted`."""
    return converted(files, "pdf")


def converted(files: Mapping[str, bytes], kind: str) -> dict[str, bytes]:
    """Return files as another kind, by the same names; those that cannot be read are left out.

    Args:
        files: contents by name; the ending says what each is.
        kind: the ending of what LibreOffice is to write.
    """
    with tempfile.TemporaryDirectory() as folder:
        profile, sources, target = (Path(folder, name) for name in ("profile", "in", "out"))
        sources.mkdir()
        for name, content in files.items():
            (sources / name).write_bytes(content)
        command = ["soffice", f"-env:UserInstallation={profile.as_uri()}", "--headless"]
        command += ["--convert-to", kind, "--outdir", str(target)]
        subprocess.run(
            [*command, *(str(sources / name) for name in files)],
            check=True,
            capture_output=True,
            timeout=TIMEOUT_S,
        )
        made = {name: target / f"{Path(name).stem}.{kind}" for name in files}
        return {name: path.read_bytes() for name, path in made.items() if path.exists()}


def num_pages(pdf: bytes) -> int:
    """Return how many pages a PDF has."""
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        return len(opened.pages)
