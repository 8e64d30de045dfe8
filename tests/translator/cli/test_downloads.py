"""From an empty home to a translation, as a person does it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.registry import Server, Shelf, served, status
from tests.small_models import write_model
from tests.translator.store.imports.marian.binaries import WEIGHTS
from translator import ModelSet, Translator, stand_in
from translator.cli.main import main
from translator.errors import DownloadError, UnsupportedLanguageError
from translator.store.home import DEFAULT_MODEL, models_folder

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    shelf = Shelf(tmp_path / "registry")
    scores = {"flores200-plus": {"bleu": 38.123, "chrf": 60}}
    shelf.add_small("en", "fr", metrics=scores, licence="CC0-1.0")
    shelf.add_small("fr", "en")
    shelf.add_small("fi", "en")
    return shelf


@pytest.fixture
def server(shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("TRANSLATOR_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("translator.downloads.fetching.PAUSES_S", (0.01,))
    with served(shelf.folder) as found:
        monkeypatch.setenv("TRANSLATOR_REGISTRY", found.address)
        yield found


def models(*arguments: str) -> int:
    return main(["models", *arguments])


def test_what_can_be_had_is_shown(server: Server, capsys: Capture) -> None:
    assert models("available", "fr") == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [line[0] for line in lines] == ["en-fr", "fr-en"]
    assert lines[0][2:] == ["bleu 38.12 chrf 60", "base", "CC0-1.0", ""]
    assert models("get", "fr") == 0
    capsys.readouterr()
    assert models("available") == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [(line[0], line[-1]) for line in lines] == [
        ("en-fr", "here"),
        ("fi-en", ""),
        ("fr-en", "here"),
        ("de-en en-de", "here"),
    ]
    assert lines[-1][2:4] == ["bleu 33 (de-en), bleu 29 (en-de)", "shipped"]
    assert models("list") == 0
    assert "\tbleu 38.12 chrf 60\ten→fr" in capsys.readouterr().out


def test_models_are_got_used_and_updated(
    shelf: Shelf, server: Server, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["translate", "--from", "fr", "--to", "de", "--precision", "float32", "Bonjour"]
    assert main(command) == 1
    assert capsys.readouterr().err == (
        "error: no model here translates fr to de (French and German); to download what there is, "
        "run: python -m translator models get fr\n"
    )
    assert models("get", "fr") == 0
    listed = capsys.readouterr().out
    assert sorted(listed.splitlines()[:2]) == [
        f"{models_folder()}/en-fr: en → fr",
        f"{models_folder()}/fr-en: fr → en",
    ]
    assert listed.endswith(f"licence: CC0-1.0, not stated; origin: {server.address}\n")
    assert main(["translate", "--from", "fr", "--to", "en", "--precision", "float32", "a"]) == 0
    assert main(command) == 0, "through English"
    capsys.readouterr()
    assert models("get", "fr") == 0
    assert capsys.readouterr().out == f"{models_folder()}: has all of them already (2)\n"
    del shelf.models["fr-en"]
    shelf.add_small("fr", "en", version=1)
    assert models("available", "fr") == 0
    assert "here, in another version" in capsys.readouterr().out
    assert models("get", "fr") == 0, "what is here stays"
    assert capsys.readouterr().out == f"{models_folder()}: has all of them already (2)\n"
    assert models("update") == 0
    assert capsys.readouterr().out.startswith(f"{models_folder()}/fr-en: fr → en\n")
    assert models("update") == 0
    assert "has all of them already (2)" in capsys.readouterr().out


def test_what_cannot_be_had_is_said_in_one_line(server: Server, capsys: Capture) -> None:
    assert models("get", "xx") == 1
    said = capsys.readouterr().err
    assert said == "error: xx: the registry has no released model; it has en, fi, fr\n"
    assert models("get", "en") == 1
    assert "has no model among these languages; name one more" in capsys.readouterr().err
    assert models("update") == 1
    assert "has no downloaded models; get some with" in capsys.readouterr().err
    server.faults[f"{WEIGHTS}.gz"] = [status(404)]
    assert models("get", "fi") == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("downloading 1 model, with weights of 0.")
    assert lines[0].endswith(f" MB, from {server.address}")
    assert lines[1].startswith("not downloaded: fi-en: http://127.0.0.1:")
    assert lines[2:] == [
        "error: 1 of 1 models have not been downloaded; run the same command again to continue"
    ]
    assert models("get", "fr", "--registry", "http://example.org") == 1
    assert "refused, because anyone" in capsys.readouterr().err


def test_what_can_be_had_comes_and_the_rest_is_named(server: Server, capsys: Capture) -> None:
    assert models("get", "xx", "fi", "yy") == 1
    said = capsys.readouterr()
    assert said.out.startswith(f"{models_folder()}/fi-en: fi → en\n")
    last = said.err.splitlines()[-1]
    assert last == "error: xx, yy: the registry has no released model; it has en, fi, fr"


def test_what_the_registry_spoils_is_named_and_is_a_failure(
    shelf: Shelf, server: Server, capsys: Capture
) -> None:
    assert models("get", "fi") == 0
    capsys.readouterr()
    for source, target in (("en", "fi"), ("pt", "en")):
        shelf.add_small(source, target)["files"]["model"]["path"] = "../" * 40
    shelf.write()
    assert models("get", "fi") == 1
    said = capsys.readouterr()
    assert said.out == f"{models_folder()}: has all of them already (1)\n"
    lines = said.err.splitlines()
    assert lines[0].startswith("left out: http://127.0.0.1:")
    assert lines[0].endswith("/...' could lead out of the registry")
    assert lines[-2].startswith("not downloaded: en-fi: the name '../../")
    assert lines[-1] == "error: en-fi: what the registry says of them cannot be used"
    assert models("get", "pt", "fr") == 1
    said = capsys.readouterr()
    assert sorted(said.out.splitlines()[:2]) == [
        f"{models_folder()}/en-fr: en → fr",
        f"{models_folder()}/fr-en: fr → en",
    ]
    assert said.err.endswith("error: pt-en: what the registry says of them cannot be used\n")
    assert models("get", "fr") == 0, "nothing that was asked for is spoilt"


def test_a_model_is_preferred_by_the_name_that_is_listed(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def listed() -> list[str]:
        capsys.readouterr()
        assert models("list") == 0
        lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
        assert [line[-1] for line in lines if line[0] == "de-en"] == [str(DEFAULT_MODEL)]
        return [line[0] for line in lines]

    monkeypatch.setenv("TRANSLATOR_HOME", str(tmp_path))
    write_model(models_folder() / "own", "de-en")
    assert listed() == ["own", "de-en"]
    assert models("prefer", "de-en") == 0, "the shipped one"
    assert listed() == ["de-en", "own"]
    assert models("prefer", "own") == 0
    assert listed() == ["own", "de-en"]
    assert models("prefer", str(DEFAULT_MODEL)) == 0
    assert listed() == ["de-en", "own"]
    assert models("prefer", "nothing") == 1
    write_model(models_folder() / "de-en", "de-en")
    assert listed() == ["de-en", "own", str(models_folder() / "de-en")]
    assert models("prefer", str(models_folder() / "de-en")) == 0
    capsys.readouterr()
    assert models("list") == 0
    names = [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()]
    assert names == ["de-en", str(DEFAULT_MODEL), "own"]


def test_after_an_interruption_it_is_said_how_to_go_on(
    server: Server, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> Iterator[object]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr("translator.cli.downloads.fetch_releases", interrupted)
    assert models("get", "fi") == 130
    assert capsys.readouterr().err.endswith("interrupted; run the same command again to continue\n")


def test_from_python_nothing_comes_unless_it_is_asked_for(server: Server) -> None:
    with pytest.raises(UnsupportedLanguageError, match="no model here translates fi to en"):
        Translator.load("fi-en")
    assert not models_folder().exists()
    with Translator.load("fi-en", download=True, precision="float32") as translator:
        assert translator.directions == (("fi", "en"),)
    server.shutdown()
    server.server_close()
    with Translator.load("fi-en", download=True, precision="float32"):
        pass  # it is here
    with pytest.raises(DownloadError, match="cannot be reached"):
        Translator.load("fr-en", download=True)
    with pytest.raises(UnsupportedLanguageError, match="no single model translates fi to de; Mod"):
        Translator.load("fi-de")
    with Translator.load("de-en", precision="float32") as translator:
        assert ("de", "en") in translator.directions


def test_a_set_of_models_goes_through_english(server: Server) -> None:
    with ModelSet.load(download=["fr", "fi"], precision="float32") as translator:
        assert {pair for pair in translator.directions if "fr" in pair} == {
            ("en", "fr"),
            ("fr", "en"),
        }
        for target in ("fr", "de"):
            with translator.lease("fi", target) as leases:
                pairs = [(loan.source, loan.target) for loan in leases]
            assert pairs == [("fi", "en"), ("en", target)]


def test_the_shipped_model_only_stands_in_for_what_is_asked_for(
    shelf: Shelf, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    for pair in (("de", "en"), ("en", "de")):
        shelf.add_small(*pair)
    server.faults["models.json"] = [status(404)]
    with ModelSet.load(download=["de"], precision="float32") as translator:
        assert stand_in(translator) == {("de", "en"), ("en", "de")}
    assert "the shipped model translates, since a better one did not come" in caplog.text
    server.faults.clear()
    with ModelSet.load(download=["de"], precision="float32") as translator:
        assert stand_in(translator) == set()
        damaged = models_folder() / "de-en" / "weights.safetensors"
        content = bytearray(damaged.read_bytes())
        content[-1] ^= 1
        damaged.write_bytes(content)
        with translator.lease("de", "en"):
            assert stand_in(translator) == {("de", "en")}, "it cannot be loaded"
    asked = server.asked.total()
    with Translator.load("en-de", download=True, precision="float32") as single:
        assert stand_in(single) == set()
    assert server.asked.total() == asked, "it is here"
