"""A model that is loaded before a process forks: its children translate with it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from tests.alone import run_alone
from tests.cpu import NEEDS_INT8
from translator.engine import start
from translator.pipeline.translator import Translator
from translator.runtime import ahead
from translator.store.model_directory import LoadedModel, save_model_directory

FORKED = """
import os, sys
from translator import Translator

prepared = Translator.prepare()
assert prepared is not None

for _ in range(2):
    read_end, write_end = os.pipe()
    child = os.fork()
    if not child:
        with Translator.load(prepared=prepared) as translator:
            [answer] = translator.translate(["Der Hund schläft."], source="de", target="en")
        os.write(write_end, answer.text.encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(read_end, 100) == b"The dog is sleeping."
"""


@NEEDS_INT8
def test_forked_processes_translate_with_it() -> None:
    run_alone(FORKED)


@pytest.fixture
def directory(tmp_path: Path, loaded: LoadedModel) -> Path:
    weights = loaded.model.state_dict()
    save_model_directory(tmp_path / "m", loaded.description, loaded.tokenizer, weights, {})
    return tmp_path / "m"


@NEEDS_INT8
def test_it_is_used_only_for_that_model_and_precision(
    directory: Path, loaded: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "is_done", lambda _: True)
    prepared = Translator.prepare(directory)
    assert prepared is not None
    used = list[start.PreparedModel]()

    def start_prepared(prepared: start.PreparedModel, threads: int) -> object:
        used.append(prepared)
        return real(prepared, threads)

    real = start.start_prepared
    monkeypatch.setattr("translator.pipeline.translator.start_prepared", start_prepared)
    answers = []
    for given in (prepared, None):
        with Translator.load(directory, prepared=given) as translator:
            answers += translator.translate(["der hund schläft"], source="de", target="en")
    assert answers[0].text == answers[1].text
    assert answers[0].score == answers[1].score
    assert len(used) == 1
    Translator.load(directory, prepared=prepared, precision="float32").close()
    card = dataclasses.replace(loaded).card | {"name": "another"}
    weights = loaded.model.state_dict()
    save_model_directory(directory, loaded.description, loaded.tokenizer, weights, card)
    Translator.load(directory, prepared=prepared).close()
    assert len(used) == 1, "neither in another precision nor of another model"


def test_nothing_is_prepared_before_there_are_kernels(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "is_done", lambda _: False)
    assert Translator.prepare(directory) is None
