"""Both kinds of vocabulary can do what the port says."""

from __future__ import annotations

from tests.translator.store.imports.foreign import piece_model, pieces_of
from translator.store.imports.pieces import made_form
from translator.store.model_directory import LoadedModel
from translator.tokens.imported import ImportedVocabulary
from translator.tokens.port import Vocabulary

NAMES = [name for name in vars(Vocabulary) if not name.startswith("_")]


def test_nothing_of_the_port_is_missing(loaded: LoadedModel) -> None:
    serialized = piece_model()
    pieces = ("</s>", "<unk>", "<pad>", *pieces_of(serialized))
    form = made_form(pieces=pieces, pad_id=2, start=("<pad>",), forbidden_ids=(2,))
    assert len(NAMES) > 15
    for vocabulary in (loaded.tokenizer, ImportedVocabulary(form, serialized)):
        assert [name for name in NAMES if not hasattr(vocabulary, name)] == []
