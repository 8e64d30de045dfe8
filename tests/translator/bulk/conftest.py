"""A translator that copies, and the work of a job that needs no model."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.engines import CopyEngine
from translator.bulk import translating
from translator.bulk.formats.kinds import FormatName
from translator.bulk.formats.rows import Columns
from translator.bulk.parts import Job
from translator.bulk.translating import RowOptions
from translator.pipeline.translation import Translation
from translator.pipeline.translator import Translator
from translator.store.model_directory import LoadedModel

MakeJob = Callable[[FormatName, FormatName], Job]


@pytest.fixture
def copying(loaded: LoadedModel) -> Translator:
    """Return a translator whose model has a name and a version."""
    named = dataclasses.replace(loaded, card={"name": "copy"}, checksum="0123456789abcdef")
    return Translator(named, CopyEngine())


@pytest.fixture
def make_job(tmp_path: Path, copying: Translator, monkeypatch: pytest.MonkeyPatch) -> MakeJob:
    """Return what makes the work of a job into `out`, whose models copy."""

    def load(_: Job) -> Translator:
        copying.faults = []  # type: ignore[attr-defined]
        return copying

    monkeypatch.setattr(Job, "load", load)

    def make(read: FormatName, written: FormatName) -> Job:
        return Job(
            out=str(tmp_path / "out"),
            input_format=read,
            output_format=written,
            columns=Columns(text="text"),
            options=RowOptions(source="de", target="en"),
            models=(),
        )

    return make


@pytest.fixture
def shouting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rows be translated without an engine; those with a 7 have a flag."""

    def translate(_: object, texts: list[str], __: object) -> list[Translation]:
        return [
            Translation(text=text.upper(), flags=("numbers",) if "7" in text else ())
            for text in texts
        ]

    monkeypatch.setattr(translating, "translate_texts", translate)
