"""Files of other projects are read with suspicion; pieces and codes become this project's."""

from __future__ import annotations

import gzip
import io
import pickle
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.translator.store.imports.foreign import marian_folder
from translator.errors import ImportedModelError
from translator.files import zstd
from translator.store.imports.archives import unpacked
from translator.store.imports.huggingface import read_huggingface
from translator.store.imports.importing import import_model
from translator.store.imports.pieces import (
    filled,
    made_form,
    ordered,
    own_code,
    own_codes,
    tags_and_pairs,
    with_zero_piece,
    with_zero_row,
)
from translator.store.imports.reading import read_bytes, read_table, read_tensors


class Touch:
    """Unpickled, it makes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[Path]]:
        return Path.touch, (self.path,)


@pytest.mark.parametrize("protocol", [2, 4])
def test_code_in_a_pickle_does_not_run(tmp_path: Path, protocol: int) -> None:
    made = tmp_path / "made"
    (tmp_path / "one.bin").write_bytes(pickle.dumps({"a": Touch(made)}, protocol=protocol))
    torch.save({"a": Touch(made)}, tmp_path / "two.bin")
    for name in ("one.bin", "two.bin"):
        with pytest.raises(ImportedModelError, match=r"could run code; refused|damaged"):
            read_tensors(tmp_path / name)
    assert not made.exists()


@pytest.mark.parametrize("name", ["a.bin", "a.safetensors"])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.99])
def test_truncated_weights_are_refused(tmp_path: Path, name: str, share: float) -> None:
    import safetensors.torch

    tensors = {"weight": torch.randn(400, 50)}
    path = tmp_path / name
    if path.suffix == ".bin":
        torch.save(tensors, path)
    else:
        safetensors.torch.save_file(tensors, path)
    assert np.array_equal(read_tensors(path)["weight"], tensors["weight"].numpy())
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(ImportedModelError, match=f"{name}: "):
        read_tensors(path)


def test_a_zip_bomb_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.bin", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/data/0", bytes(200_000_000))
    with pytest.raises(
        ImportedModelError, match="a compressed archive of 200000000 bytes; refused"
    ):
        read_tensors(tmp_path / "a.bin")


def test_a_tensor_larger_than_its_file_is_refused(tmp_path: Path) -> None:
    torch.save({"weight": torch.zeros(1).expand(10**9)}, tmp_path / "a.bin")
    with pytest.raises(ImportedModelError, match="weight is larger than what is stored of it"):
        read_tensors(tmp_path / "a.bin")


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"[1]", "must be a table, got list"), (b"{", "is not JSON"), (b"[" * 10**5, "is not JSON")],
)
def test_a_bad_table_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "config.json").write_bytes(content)
    with pytest.raises(ImportedModelError, match=message):
        read_table(tmp_path / "config.json")


def test_a_file_has_a_most_size(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(bytes(11))
    with pytest.raises(ImportedModelError, match="larger than 10 bytes"):
        read_bytes(tmp_path / "a", most=10)
    with pytest.raises(ImportedModelError, match="No such file"):
        read_bytes(tmp_path / "b")


def test_a_pickle_with_code_in_a_directory_is_refused(tmp_path: Path) -> None:
    marian_folder(tmp_path / "theirs")
    (tmp_path / "theirs" / "model.safetensors").unlink()
    torch.save({"a": Touch(tmp_path / "made")}, tmp_path / "theirs" / "pytorch_model.bin")
    with pytest.raises(ImportedModelError, match="refused"):
        read_huggingface(tmp_path / "theirs")
    assert not (tmp_path / "made").exists()


def zipped(path: Path, contents: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return path


@pytest.mark.parametrize("name", ["metadata.json", "decoder.yml", "a.npz"])
def test_the_folder_of_the_model_is_found(tmp_path: Path, name: str) -> None:
    contents = {f"inner/{name}": b"1", "inner/stanza/a.pkl": b"2", "b/model.txt": b"3"}
    with unpacked(zipped(tmp_path / "a.zip", contents)) as folder:
        assert [path.name for path in folder.iterdir()] == [name]
        assert (folder / name).read_bytes() == b"1"
    assert not folder.exists()


def test_folders_and_weights_are_given_back(tmp_path: Path) -> None:
    for path in (tmp_path, zipped(tmp_path / "a.npz", {"a.npy": b""})):
        with unpacked(path) as found:
            assert found == path


@pytest.mark.parametrize(
    "name", ["../outside", "/tmp/outside", "translate-de_en/../../outside", "C:\\outside"]
)
def test_a_name_that_leads_out_is_refused(tmp_path: Path, name: str) -> None:
    path = zipped(tmp_path / "a.argosmodel", {"p/metadata.json": b"{}", name: b"x"})
    with pytest.raises(ImportedModelError, match="leads out of the package; refused"):
        import_model(str(path), tmp_path / "model")
    assert not (tmp_path / "outside").exists()


def test_a_zip_bomb_is_refused(tmp_path: Path) -> None:
    contents = {"p/metadata.json": b"{}", "p/model/model.bin": bytes(300_000_000)}
    path = zipped(tmp_path / "a.argosmodel", contents)
    with pytest.raises(ImportedModelError, match="would grow to 300000002 bytes"):
        import_model(str(path), tmp_path / "model")


def test_what_is_truncated_or_holds_no_model_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.argosmodel", {"a.txt": b"1"})
    with pytest.raises(ImportedModelError, match=r"not a package: has none of metadata.json"):
        import_model(str(path), tmp_path / "model")
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(ImportedModelError, match="not a whole package"):
        import_model(str(path), tmp_path / "model")


@pytest.mark.parametrize(("ending", "pack"), [("gz", gzip.compress), ("zst", zstd.compress)])
def test_packed_files_of_a_folder_are_unpacked_beside_the_others(
    tmp_path: Path, ending: str, pack: Callable[[bytes], bytes]
) -> None:
    folder = tmp_path / "csen"
    folder.mkdir()
    (folder / f"model.csen.bin.{ending}").write_bytes(pack(b"1"))
    (folder / "metadata.json").write_bytes(b"2")
    with unpacked(folder) as found:
        assert found.name == "csen"
        assert (found / "model.csen.bin").read_bytes() == b"1"
        assert (found / "metadata.json").read_bytes() == b"2"
    assert not found.exists()
    assert len([*folder.iterdir()]) == 2
    with unpacked(folder / f"model.csen.bin.{ending}") as found:
        assert found.name == "model.csen.bin"
        assert found.read_bytes() == b"1"


def test_a_bomb_among_packed_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.bin.gz").write_bytes(gzip.compress(bytes(30_000_000)))
    message = "a.bin.gz: grows beyond 20 times; refused"
    with pytest.raises(ImportedModelError, match=message), unpacked(tmp_path):
        pass
    for name, whole in (
        ("a.bin.gz", gzip.compress(bytes(3000))),
        ("b.zst", zstd.compress(b"1" * 99)),
    ):
        (tmp_path / name).write_bytes(whole[:-9])
        with pytest.raises(ImportedModelError, match="not a whole package"), unpacked(tmp_path):
            pass
        (tmp_path / name).unlink()


def test_what_git_lfs_has_left_in_the_place_of_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "model.csen.intgemm.alphas.bin.gz").write_text(
        "version https://git-lfs.github.com/spec/v1\noid sha256:7966382f\nsize 2341409\n"
    )
    with pytest.raises(ImportedModelError, match="only a pointer of Git LFS; run `git lfs pull`"):
        import_model(str(tmp_path), tmp_path / "model")


def tarred(path: Path, contents: dict[str, bytes], kind: bytes = tarfile.REGTYPE) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in contents.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.type, entry.linkname = len(content), kind, "/etc/passwd"
            archive.addfile(entry, io.BytesIO(content))
    return path


def test_tar_files_are_unpacked_within_bounds(tmp_path: Path) -> None:
    contents = {"ende.tiny/model.ende.bin": b"1", "ende.tiny/vocab.spm": b"2"}
    with unpacked(tarred(tmp_path / "a.tar.gz", contents)) as found:
        assert found.name == "ende.tiny"
        assert {file.name for file in found.iterdir()} == {"model.ende.bin", "vocab.spm"}
    outside = tarred(tmp_path / "a.tar.gz", {"../outside": b"1"})
    with pytest.raises(ImportedModelError, match="not a whole package"), unpacked(outside):
        pass
    links = tarred(tmp_path / "a.tar.gz", {"model.ende.bin": b""}, tarfile.SYMTYPE)
    with pytest.raises(ImportedModelError, match="not a package: has none of"), unpacked(links):
        pass
    bomb = tarred(tmp_path / "a.tar.gz", {"model.ende.bin": bytes(30_000_000)})
    with pytest.raises(ImportedModelError, match="grows beyond 20 times"), unpacked(bomb):
        pass
    assert not (tmp_path.parent / "outside").exists()


def test_pieces_stand_in_the_order_of_their_ids() -> None:
    assert ordered({"b": 1, "a": 0, "c": 2}, "vocab.json") == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("listed", "message"),
    [
        (["a"], "vocab.json: must be a table from pieces to ids"),
        ({"a": True}, "vocab.json: must be a table from pieces to ids"),
        ({"a": 0, "b": 2}, "vocab.json: its ids are not 0 to 1, each once"),
        ({"a": 0, "b": 0}, "vocab.json: its ids are not 0 to 1, each once"),
        ({"a": 0}, "vocab.json: has 1 pieces, the model 2; they do not belong together"),
    ],
)
def test_a_list_with_gaps_or_of_another_size_is_refused(listed: object, message: str) -> None:
    with pytest.raises(ImportedModelError, match=message):
        filled(ordered(listed, "vocab.json"), 2, "vocab.json", most=0)


def test_a_few_ids_at_the_end_may_lack_a_piece() -> None:
    assert filled(["a"], 3, "vocab.json") == ("a", "<unused 1>", "<unused 2>")
    for size in (0, 66):
        with pytest.raises(ImportedModelError, match=f"has 1 pieces, the model {size}"):
            filled(["a"], size, "vocab.json")


def test_a_wrong_form_is_told_in_one_line() -> None:
    with pytest.raises(ImportedModelError, match=r"^vocabulary: 7: must be an id below 3"):
        made_form(pieces=("a", "</s>", "<unk>"), pad_id=7, start=("</s>",))


def test_matrices_and_vectors_get_zeros() -> None:
    assert with_zero_row(np.ones((2, 1)), 1).tolist() == [[1], [0], [1]]
    found = with_zero_row(np.ones(2, np.float16), 2)
    assert found.tolist() == [1, 1, 0]
    assert found.dtype == np.float16


def test_its_name_is_one_that_no_piece_has() -> None:
    assert with_zero_piece(["a", "b"], 1) == ("a", "<pad>", "b")
    assert with_zero_piece(["<pad>", "b"], 2) == ("<pad>", "b", "<<pad>>")


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("de", "de"),
        ("deu", "de"),
        ("deu_Latn", "de"),
        ("zho_Hans", "zh"),
        ("zho_Hant", "zh-Hant"),
        ("cmn_Hant", "zh-Hant"),
        ("srp_Cyrl", "sr"),
        ("srp_Latn", "sr-Latn"),
        ("kor_Hang", "ko"),
        ("pt_br", "pt-BR"),
        ("arb_Arab", "ar"),
        ("ROMANCE", "ROMANCE"),
    ],
)
def test_codes_become_our_own(theirs: str, ours: str) -> None:
    assert own_code(theirs) == ours


def test_of_two_with_one_name_the_first_has_it() -> None:
    assert own_codes(["arb", "arb_Arab"]) == {"ar": "arb", "arb_Arab": "arb_Arab"}


def test_a_model_without_tags_has_the_pair_that_it_is_said_to_have() -> None:
    assert tags_and_pairs(["</s>", "a"], ("deu", "eng")) == ({}, [("de", "en")])


def test_tags_tell_the_targets_and_the_name_the_sources() -> None:
    pieces = ["</s>", ">>fra<<", ">>cmn_Hant<<", ">>deu<<", ">>", "a"]
    by_code, pairs = tags_and_pairs(pieces, ("deu+eng", "mul"))
    assert by_code == {"fr": ">>fra<<", "zh-Hant": ">>cmn_Hant<<", "de": ">>deu<<"}
    assert pairs == [("de", "fr"), ("de", "zh-Hant"), ("en", "fr"), ("en", "zh-Hant"), ("en", "de")]
