"""Lists of pieces in every form that Marian has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.translator.store.imports.foreign import piece_model
from tests.translator.store.imports.marian.published import yaml_vocabulary
from translator.config import ModelConfig
from translator.errors import ImportedModelError
from translator.store.imports.marian.vocabulary import listed_pieces, marian_vocabulary

PIECES = ["</s>", "<unk>", "▁ba", "de", ".", "\u2028"]


def test_every_form_gives_the_same_pieces(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text(yaml_vocabulary(PIECES), encoding="utf-8")
    (tmp_path / "a.json").write_text(json.dumps({p: i for i, p in enumerate(PIECES)}))
    (tmp_path / "a.vocab").write_bytes("\n".join([*PIECES, ""]).encode())
    for name in ("a.yml", "a.json", "a.vocab"):
        assert listed_pieces(tmp_path / name) == PIECES, name
    (tmp_path / "a.spm").write_bytes(piece_model())
    assert listed_pieces(tmp_path / "a.spm")[:3] == ["<unk>", "<s>", "</s>"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.yml", b"a: b", "an id is no number"),
        ("a.yml", b"a: 1", "its ids are not 0 to 0, each once"),
        ("a.vocab", b"\xff", "is not UTF-8"),
        ("a.spm", b"no", "not a SentencePiece model"),
    ],
)
def test_damage_is_named(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ImportedModelError, match=f"{name}: {message}"):
        listed_pieces(tmp_path / name)


def test_what_is_unknown_is_produced_only_where_that_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "a.vocab").write_text("\n".join(PIECES), encoding="utf-8")
    for name in ("source.spm", "target.spm"):
        (tmp_path / name).write_bytes(piece_model())
    config = ModelConfig(vocab_size=8, pad_id=7)
    given = [tmp_path / "a.vocab"] * 2, config, ("deu", "eng")
    vocabulary, pairs = marian_vocabulary(*given, allows_unk=False)
    assert pairs == [("de", "en")]
    assert vocabulary.all_pieces == [*PIECES, "<unused 6>", "<pad>"]
    assert vocabulary.start_ids("en") == (7,)
    assert vocabulary.forbidden_ids == (1, 7)
    vocabulary, _ = marian_vocabulary(*given, allows_unk=True)
    assert vocabulary.forbidden_ids == (7,)
