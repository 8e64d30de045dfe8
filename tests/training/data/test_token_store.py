"""Encoded text on disk: what goes in comes out, and a damaged file is named."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from training.data import token_store
from training.data.token_store import StoreError, TokenStore

SENTENCES = [[1, 2, 3], [], [65535], [7] * 5]


def write(folder: Path, sentences: list[list[int]] = SENTENCES) -> TokenStore:
    TokenStore.write(folder / "text", sentences)
    return TokenStore(folder / "text")


@pytest.mark.parametrize("ids_per_write", [1, 3, 1000])
def test_sentences_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ids_per_write: int
) -> None:
    monkeypatch.setattr(token_store, "IDS_PER_WRITE", ids_per_write)
    assert TokenStore.write(tmp_path / "deep" / "text", SENTENCES) == 4
    store = TokenStore(tmp_path / "deep" / "text")
    assert [store[i].tolist() for i in range(len(store))] == SENTENCES
    assert store.lengths.tolist() == [3, 0, 1, 5]


def test_an_empty_text_has_no_sentences(tmp_path: Path) -> None:
    store = write(tmp_path, [])
    assert (len(store), store.lengths.tolist()) == (0, [])


def test_a_store_is_sent_to_other_processes_as_its_path(tmp_path: Path) -> None:
    store = write(tmp_path, [[1] * 10_000])
    sent = pickle.dumps(store)
    assert len(sent) < 1000
    assert pickle.loads(sent)[0].tolist() == store[0].tolist()


def test_a_missing_file_says_which_stage_writes_it(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "text.ends").unlink()
    with pytest.raises(StoreError, match=r"text\.ends: No such file.*; run `subwords` first"):
        TokenStore(tmp_path / "text")


@pytest.mark.parametrize(("suffix", "left"), [("ids", 4), ("ids", 3), ("ends", 8), ("ends", 5)])
def test_a_truncated_file_is_named(tmp_path: Path, suffix: str, left: int) -> None:
    write(tmp_path)
    path = tmp_path / f"text.{suffix}"
    path.write_bytes(path.read_bytes()[:left])
    with pytest.raises(StoreError, match=r"text\.\w+: truncated; run `subwords` again"):
        TokenStore(tmp_path / "text")


def test_writing_anew_leaves_those_alone_that_share_the_old_files(tmp_path: Path) -> None:
    write(tmp_path)
    for suffix in ("ids", "ends"):
        os.link(tmp_path / f"text.{suffix}", tmp_path / f"linked.{suffix}")
    assert write(tmp_path, [[9]])[0].tolist() == [9]
    linked = TokenStore(tmp_path / "linked")
    assert [linked[i].tolist() for i in range(len(linked))] == SENTENCES
    assert not list(tmp_path.glob("*.tmp"))
