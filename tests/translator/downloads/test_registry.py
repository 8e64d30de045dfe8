"""What is believed of a registry's list, and what is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.registry import LIST, Shelf
from translator.downloads.registry import (
    MOZILLA,
    Registry,
    check_registry,
    read_registry,
    registry_address,
)
from translator.errors import DownloadError, InputError

SHA256 = "0" * 64


def record(source: str | None = "de", target: str = "en", **said: Any) -> dict[str, Any]:
    weights = {"path": "models/a/model.bin.gz", "uncompressedSize": 9, "uncompressedHash": SHA256}
    files = {"model": weights, "vocab": {"path": "models/a/vocab.spm.gz"}}
    named = {"sourceLanguage": source, "targetLanguage": target, "files": files}
    return {"releaseStatus": "Release", "architecture": "base"} | named | said


def read(folder: Path, *records: Any, **said: Any) -> Registry:
    shelf = Shelf(folder)
    listed = {f"{number}": [one] for number, one in enumerate(records)}
    (shelf.folder / LIST).write_text(json.dumps({"models": listed} | said))
    return read_registry(str(folder))


def test_a_record_becomes_a_release(tmp_path: Path) -> None:
    scores = {"flores200-plus": {"bleu": 38.5, "comet": 0.87, "odd": "x"}}
    found = read(tmp_path, record("zh_hant", "en", metrics=scores), baseUrl=MOZILLA)
    [release] = found.releases
    assert (release.name, release.kind, release.licence) == ("zh-Hant-en", "base", "MPL-2.0")
    assert release.scores == {"bleu": 38.5, "comet": 0.87}
    assert (release.weights.num_bytes, release.weights.sha256) == (9, SHA256)
    assert [file.path for file in release.others] == ["models/a/vocab.spm.gz"]
    assert read(tmp_path, record()).releases[0].licence == "not stated"
    assert read(tmp_path, record(), licence="CC0").releases[0].licence == "CC0"


def test_only_what_is_released_counts_and_the_largest_is_taken(tmp_path: Path) -> None:
    large, small = record(releaseStatus="Release Desktop"), record(releaseStatus="Release Android")
    small["files"]["model"]["uncompressedSize"] = 3
    unreleased = [record("fr", releaseStatus=status) for status in ("Nightly", None)]
    found = read(tmp_path, small, large, small, *unreleased)
    assert [(one.name, one.weights.num_bytes) for one in found.releases] == [("de-en", 9)]
    assert found.codes == ("de", "en")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"path": "../../etc/model.bin.gz"}, "could lead out of the registry"),
        ({"path": "/etc/model.bin.gz"}, "could lead out of the registry"),
        ({"path": "a/..\\..\\model.bin.gz"}, "could lead out of the registry"),
        ({"path": "https://example.org/model.bin.gz"}, "could lead out of the registry"),
        ({"path": "a/.hidden"}, "could lead out of the registry"),
        ({"path": "a//b"}, "could lead out of the registry"),
        ({"path": 7}, "could lead out of the registry"),
        ({"uncompressedSize": 10 * 10**9}, "10000000000 bytes is larger than"),
        ({"uncompressedSize": -1}, "is larger than"),
        ({"uncompressedHash": "abc"}, "is no SHA-256"),
        ({"uncompressedHash": ""}, "names no SHA-256"),
    ],
)
def test_a_record_that_breaks_a_rule_is_left_out_and_named(
    tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    bad, good = record("fr"), record()
    bad["files"]["model"].update(change)
    found = read(tmp_path, bad, good)
    assert [one.name for one in found.releases] == ["de-en"]
    [fault] = found.faults
    assert reason in fault
    assert "\n" not in fault


def test_languages_have_the_form_of_codes(tmp_path: Path) -> None:
    found = read(tmp_path, record("../x"), record("d"), record(None), record("de", "en", files=[]))
    assert found.releases == ()
    assert len(found.faults) == 4


def test_languages_are_named_in_any_usual_form_and_english_is_between_them(tmp_path: Path) -> None:
    pairs = [
        ("de", "en"),
        ("en", "de"),
        ("en", "pt"),
        ("fr", "en"),
        ("zh_hant", "en"),
        ("de", "fr"),
    ]
    found = read(tmp_path, *(record(*pair) for pair in pairs))
    assert [one.name for one in found.among(["pt_BR"])] == ["en-pt"]
    assert [one.name for one in found.among(["zt"])] == ["zh-Hant-en"], "as LibreTranslate writes"
    assert [one.name for one in found.among(["de", "fr"])] == ["de-en", "de-fr", "en-de", "fr-en"]
    assert found.among(["all"]) == found.releases
    with pytest.raises(InputError, match="xx: the registry has no released model; it has de, en"):
        found.among(["xx"])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("nothing", "is not a registry of models (no JSON); check its address"),
        ("[" * 100_000, "is not a registry of models (no JSON); check its address"),
        (" <html>Please log in</html>", "a web page came in its place, perhaps from a proxy"),
        ("[]", "is not a registry of models; check its address"),
        ('{"models": []}', "is not a registry of models; check its address"),
    ],
)
def test_what_is_no_registry_is_said_in_one_line(tmp_path: Path, content: str, reason: str) -> None:
    Shelf(tmp_path)
    (tmp_path / LIST).write_text(content)
    with pytest.raises(DownloadError) as caught:
        read_registry(str(tmp_path))
    assert str(caught.value).startswith(f"{tmp_path / LIST}: ")
    assert reason in str(caught.value)


def test_the_list_may_be_named_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = read(tmp_path, record())
    for address in (str(tmp_path / LIST), f"{tmp_path}/", tmp_path.as_uri()):
        assert read_registry(address).releases == found.releases
    assert registry_address() == MOZILLA
    monkeypatch.setenv("TRANSLATOR_REGISTRY", str(tmp_path))
    assert read_registry().releases == found.releases
    with pytest.raises(DownloadError, match=r"nowhere/db/models.json: No such file"):
        read_registry(str(tmp_path / "nowhere"))


def test_an_address_that_can_never_work_is_known_before_anything_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_registry()
    for address in ("http://127.0.0.1:9", "https://example.org/models", str(tmp_path)):
        check_registry(address)
    for address, why in (
        ("http://example.org", "refused, because anyone on the way"),
        ("ftp://example.org", "must begin with https://, or be a folder"),
        (str(tmp_path / "nowhere"), "nowhere: no such folder"),
        (str(tmp_path / "nowhere" / LIST), "nowhere: no such folder"),
    ):
        monkeypatch.setenv("TRANSLATOR_REGISTRY", address)
        with pytest.raises(DownloadError, match=why):
            check_registry()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=9,
)
KEYS = st.sampled_from(["sourceLanguage", "targetLanguage", "files", "metrics", "releaseStatus"])
FILE_KEYS = st.sampled_from(["path", "uncompressedSize", "uncompressedHash"])


@settings(max_examples=50)  # each writes a list to the disk
@given(st.dictionaries(KEYS, JSON, max_size=3), st.dictionaries(FILE_KEYS, JSON, max_size=2))
def test_no_record_leads_out_or_breaks_the_list(
    tmp_path_factory: pytest.TempPathFactory, said: dict[str, Any], of_file: dict[str, Any]
) -> None:
    strange = record()
    strange["files"]["model"].update(of_file)
    strange.update(said)
    folder = tmp_path_factory.mktemp("registry")
    found = read(folder, strange, record("fr"))
    assert "fr-en" in [one.name for one in found.releases]
    for release in found.releases:
        for file in (release.weights, *release.others):
            assert (folder / file.path).resolve().is_relative_to(folder.resolve())
            assert file.most_bytes <= 2 * 10**9
        assert Path(release.name).name == release.name
