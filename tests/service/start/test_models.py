"""Which models the service has, and how it follows when they come and go."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from service.config import ServiceConfig
from service.start import models
from service.start.models import Refresher, load_translator, make_folder, served_paths
from tests.small_models import write_model
from tests.waiting import wait_until
from translator import stand_in
from translator.pipeline.models.model_set import ModelSet
from translator.pipeline.translator import Translator
from translator.store.home import DEFAULT_MODEL


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("TRANSLATOR_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(models, "LOOK_EVERY_S", 0.01)
    before = signal.getsignal(signal.SIGHUP)
    yield tmp_path / "home" / "models"
    signal.signal(signal.SIGHUP, before)


def test_where_models_are(home: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert not ServiceConfig(model="/a").has_many_models
    assert served_paths(ServiceConfig(models="/a:/b")) == [Path("/a"), Path("/b")]
    assert served_paths(ServiceConfig(model="/a", languages="fr")) == [Path("/a")]
    assert not home.exists(), "a worker makes it"
    make_folder(ServiceConfig(model="/a"))
    assert not home.exists(), "nobody looks into it"
    make_folder(ServiceConfig(model="/a", languages="fr"))
    assert served_paths(ServiceConfig(model="/a", languages="fr")) == [Path("/a"), home]
    assert ServiceConfig().has_many_models, "what is downloaded is used without being named"
    assert ServiceConfig().has_shipped_alone
    (home / "fr-en").mkdir()
    assert not ServiceConfig().has_shipped_alone
    assert served_paths(ServiceConfig()) == [home, DEFAULT_MODEL]
    (home / "fr-en").rmdir()
    home.rmdir()
    home.touch()
    with caplog.at_level(logging.ERROR):
        make_folder(ServiceConfig(languages="fr"))
        assert served_paths(ServiceConfig(languages="fr")) == [DEFAULT_MODEL]
    assert caplog.messages == [f"{home}: Not a directory; no models can be downloaded"]


@pytest.mark.parametrize(
    ("flags", "reason"), [(os.ST_RDONLY, "Read-only file system"), (0, "Permission denied")]
)
def test_a_folder_that_cannot_be_written_to_is_named_with_the_reason(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    flags: int,
    reason: str,
) -> None:
    make_folder(ServiceConfig())
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anywhere
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_flag=flags))
    with caplog.at_level(logging.ERROR):
        assert served_paths(ServiceConfig(languages="fr")) == [home, DEFAULT_MODEL]
    assert caplog.messages == [f"{home}: {reason}; no models can be downloaded"]


def test_a_single_model_is_loaded_at_once(tmp_path: Path) -> None:
    path = write_model(tmp_path / "de-en", "de-en")
    found = load_translator(ServiceConfig(model=str(path), precision="float32"))
    assert isinstance(found, Translator)
    found.close()


def test_new_models_are_seen_without_a_signal(home: Path, caplog: pytest.LogCaptureFixture) -> None:
    write_model(home / "de-en", "de-en")
    with ModelSet.load([home]) as found, caplog.at_level(logging.INFO):
        refresher = Refresher(found)
        refresher.start()
        assert not found.has_changed()
        write_model(home / "en-fr", "en-fr")
        wait_until(lambda: ("en", "fr") in found.directions)
        wait_until(lambda: "models in order of preference: de-en, en-fr" in caplog.text)
        write_model(home / "a", "de-en")
        wait_until(lambda: found.models()[0].name == "a")


def test_the_start_says_that_the_shipped_model_is_alone(
    home: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(Translator, "prepare", lambda *_, **__: None)
    rows = [
        (ServiceConfig(), "`python -m translator models get de` gets better ones"),
        (ServiceConfig(languages="pt"), "TRANSLATOR_LANGUAGES=de or"),
        (ServiceConfig(languages="de"), "better ones take over when they have come"),
        (ServiceConfig(model="/a"), ""),
    ]
    for config, said in rows:
        caplog.clear()
        with caplog.at_level(logging.INFO):
            models.prepare(config)
        lines = [line for line in caplog.messages if "the shipped model translates" in line]
        assert len(lines) == bool(said)
        assert said in "".join(lines)


def test_what_comes_later_is_taken_without_a_restart(home: Path) -> None:
    make_folder(ServiceConfig())
    found = load_translator(ServiceConfig(precision="float32"))
    try:
        assert [one.is_loaded for one in found.models()] == [True]
        write_model(home / "own", "de-en", "en-fr")
        wait_until(lambda: ("en", "fr") in found.directions)
        assert stand_in(found) == {("en", "de")}
    finally:
        found.close()
