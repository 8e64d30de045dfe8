from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.translator.pipeline.models.test_residence import A, B, Fake, installed
from translator.pipeline.models.residence import LoadError, Resident, Wait, estimate_of, key_of
from translator.pipeline.translator import Translator


def resident(translator: Any = None) -> Resident:
    found = Resident(A, estimate_of(A))
    if translator is not None:
        found.translator = cast(Translator, translator)
    return found


def test_a_directory_that_was_replaced_is_another_model() -> None:
    assert key_of(A) == (Path("A"), "A")
    assert key_of(A) != key_of(B)


def test_a_model_stored_in_8_bits_is_not_taken_for_one_of_floats() -> None:
    small = replace(A, description=replace(A.description, weights="int8"))
    assert estimate_of(small) == estimate_of(A) // 2 == A.num_bytes


def test_memory_is_estimated_until_it_is_measured() -> None:
    one = resident()
    assert one.num_bytes == 100
    one.translator = cast(Translator, Fake(installed("A", 30)))
    assert one.num_bytes == 60
    cast(Any, one.translator).num_bytes = 37
    assert one.num_bytes == 37


def test_who_holds_a_model_twice_must_let_go_twice() -> None:
    one = resident(Fake(A))
    assert one.is_idle
    one.hold(1, used=3)
    one.hold(1, used=4)
    one.let_go(1)
    assert not one.is_idle
    one.let_go(1)
    assert one.is_idle
    assert one.used == 4


def test_newcomers_get_no_model_that_leaves_or_has_died() -> None:
    assert resident().is_open
    assert resident(Fake(A)).is_open
    assert not resident(SimpleNamespace(**{**vars(Fake(A)), "is_alive": False})).is_open
    one = resident(Fake(A))
    one.is_leaving = True
    assert not one.is_open


def test_a_wait_is_over_when_all_models_are_there() -> None:
    first, second = resident(Fake(A)), Resident(B, estimate_of(B))
    wait = Wait((A, B), thread=1)
    assert wait.loaded() is None
    wait.lease = [first, second]
    assert wait.loaded() is None
    second.translator = cast(Translator, Fake(B))
    assert wait.loaded() == [first.translator, second.translator]
    second.error = ValueError("broken")
    with pytest.raises(LoadError) as caught:
        wait.loaded()
    assert caught.value.model is B
    assert caught.value.__cause__ is second.error
