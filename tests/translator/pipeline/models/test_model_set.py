"""Many models as one: what they answer together is what each answers by itself."""

from __future__ import annotations

import random
import shutil
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.small_models import write_model
from tests.translator.pipeline.models.conftest import load_one
from translator.config import DecodingOptions
from translator.deadline import Deadline
from translator.errors import (
    DeadlineExceededError,
    EngineClosedError,
    InputError,
    UnsupportedLanguageError,
)
from translator.pipeline.models.model_set import ModelSet
from translator.pipeline.translation import Translation
from translator.pipeline.translator import Translator
from translator.store.installed import InstalledModel
from translator.store.names import WEIGHTS

LoadSet = Callable[..., ModelSet]
TEXT = "Der Hund sieht die Katze.\n\n- Die Frau mag das Pferd! Und {0}, https://a.b/c?\n"


def by_hand(single: dict[str, Translator], text: str, first: str, second: str) -> list[str]:
    """Return the sentences of a text after two single models."""
    source, pivot = first.rsplit("-", 1)
    target = second.split("-")[1]
    [between] = single[first].translate([text], source=source, target=pivot)
    sentences = [sentence.text for sentence in between.sentences]
    done = single[second].translate(sentences, source=pivot, target=target)
    return [one.text for one in done]


def test_a_direction_is_translated_as_by_its_model_alone(
    folder: Path, load_set: LoadSet, single: dict[str, Translator]
) -> None:
    models = load_set(folder)
    for name, source, target in [
        ("de-en", "de", "en"),
        ("de-en", "en", "de"),
        ("pt-en", "pt-BR", "en"),
    ]:
        expected = single[name].translate([TEXT], source=source, target=target, num_alternatives=1)
        found = models.translate([TEXT], source=source, target=target, num_alternatives=1)
        assert found == expected
        assert list(models.stream([TEXT], source=source, target=target)) == list(
            single[name].stream([TEXT], source=source, target=target)
        )
        assert models.fingerprint(source, target) == single[name].checksum
        assert models.cards(source, target) == (single[name].card,)
    assert [state.loads for state in models.models()] == [1, 0, 0, 0, 1], "others are not loaded"


def test_a_pair_that_none_has_goes_through_english(
    folder: Path, load_set: LoadSet, single: dict[str, Translator]
) -> None:
    models = load_set(folder)
    [found] = models.translate([TEXT], source="de", target="fr")
    assert found.via == "en"
    assert [one.text for one in found.sentences] == by_hand(single, TEXT, "de-en", "en-fr")
    assert found.sentences[0].source == "Der Hund sieht die Katze."
    assert found.text.endswith("\n")
    assert found.alternatives == ()
    [found] = models.translate([TEXT], source="de", target="fr", num_alternatives=2)
    assert 0 < len(found.alternatives) <= 2
    with models.lease("de", "fr") as leases:
        assert [(lease.source, lease.target) for lease in leases] == [("de", "en"), ("en", "fr")]
    assert models.fingerprint("de", "fr").count("+") == 1
    assert [card["name"] for card in models.cards("de", "fr")] == ["de-en", "en-fr"]


def test_another_pivot_or_none(tmp_path: Path, load_set: LoadSet) -> None:
    write_model(tmp_path / "one", "de-es")
    write_model(tmp_path / "two", "es-fr")
    [found] = load_set(tmp_path, pivot="es").translate(["Der Hund."], source="de", target="fr")
    assert found.via == "es"
    for pivot in ("", "en"):
        models = load_set(tmp_path, pivot=pivot)
        with pytest.raises(UnsupportedLanguageError, match="de to fr is not a direction of any"):
            models.translate(["Der Hund."], source="de", target="fr")
        assert models.directions == (("de", "es"), ("es", "fr"))


def test_a_text_in_the_language_wanted_comes_back(folder: Path, load_set: LoadSet) -> None:
    models = load_set(folder)
    assert models.translate([TEXT], source="de", target="de") == [Translation(text=TEXT)]
    [(number, sentence)] = models.stream([TEXT], source="de", target="de")
    assert (number, sentence.separator, sentence.source, sentence.text) == (0, TEXT, "", "")
    with models.lease("de", "de") as leases:
        assert leases == []
        assert not any(state.is_loaded for state in models.models())


def test_options_go_to_both_legs(folder: Path, load_set: LoadSet) -> None:
    models = load_set(folder)
    greedy = DecodingOptions(beam_size=1, max_length_factor=0.01, max_length_offset=1)
    [found] = models.translate(["Der Hund."], source="de", target="fr", options=greedy)
    assert {*found.finish_reasons} == {"length"}, "of both hops"
    assert len(found.text) < 20
    with pytest.raises(InputError, match="num_alternatives"):
        models.translate(["Der Hund."], source="de", target="en", num_alternatives=-1)


@pytest.mark.slow
def test_models_come_and_go_and_no_answer_changes(folder: Path, load_set: LoadSet) -> None:
    pairs = [("de", "en"), ("en", "fr"), ("es", "en"), ("it", "en"), ("pt-BR", "fr"), ("it", "de")]
    all_stay = load_set(folder)
    expected = {pair: all_stay.translate([TEXT], source=pair[0], target=pair[1]) for pair in pairs}
    size = max(state.num_bytes for state in all_stay.models())
    models = load_set(folder, max_bytes=2 * size)
    for source, target in pairs:
        models.translate(["Der Hund."], source=source, target=target)  # so all have been measured
    most, is_over = list[int](), threading.Event()

    def watch() -> None:
        while not is_over.wait(0.001):
            most.append(sum(one.num_bytes for one in models.models() if one.is_loaded))

    def work(seed: int) -> None:
        rng = random.Random(seed)
        for _ in range(8):
            source, target = rng.choice(pairs)
            found = models.translate([TEXT], source=source, target=target)
            assert found == expected[source, target]

    watcher = threading.Thread(target=watch)
    watcher.start()
    with ThreadPoolExecutor(16) as pool:
        for done in [pool.submit(work, seed) for seed in range(16)]:
            done.result(120)
    is_over.set()
    watcher.join()
    assert max(most) <= 2 * size, "the memory budget"
    assert sum(state.evictions for state in models.models()) > 3, "models have come and gone"
    assert models.statistics().sentences >= 16 * 8 * 3


def test_all_engines_together_take_no_more_threads_than_one(
    folder: Path, load_set: LoadSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    from translator.engine.native import NativeEngine

    running, most, lock = set[int](), list[int](), threading.Lock()
    take_turn = NativeEngine._take_turn

    def noted(engine: NativeEngine, *arguments: object) -> None:
        with lock:
            running.add(id(engine))
            most.append(len(running))
        take_turn(engine, *arguments)  # type: ignore[arg-type]
        with lock:
            running.discard(id(engine))

    monkeypatch.setattr(NativeEngine, "_take_turn", noted)
    models = load_set(folder)
    pairs = [("de", "en"), ("en", "fr"), ("es", "en"), ("it", "en")]
    with ThreadPoolExecutor(8) as pool:
        list(
            pool.map(
                lambda n: models.translate([TEXT], source=pairs[n % 4][0], target=pairs[n % 4][1]),
                range(16),
            )
        )
    assert {*most} == {1}, "engines that took a turn at a time"


def test_a_first_load_that_takes_too_long_ends_in_time(folder: Path) -> None:
    may_go_on = threading.Event()

    def slow(model: InstalledModel) -> Translator:
        assert may_go_on.wait(60)
        return load_one(model)

    models = ModelSet([folder], slow, pivot="en")
    for pair in (("de", "en"), ("de", "fr")):
        with pytest.raises(DeadlineExceededError, match="loading de-en"):
            models.translate(
                ["Der Hund."], source=pair[0], target=pair[1], deadline=Deadline.within(0.01)
            )
        with pytest.raises(DeadlineExceededError, match="loading de-en"):
            next(
                models.stream(
                    ["Der Hund."], source=pair[0], target=pair[1], deadline=Deadline.within(0.01)
                )
            )
    may_go_on.set()
    assert models.translate(["Der Hund."], source="de", target="en", deadline=Deadline.within(60))[
        0
    ].text
    models.close()


def test_weights_that_are_altered_are_found_by_loading(
    folder: Path, tmp_path: Path, load_set: LoadSet
) -> None:
    copy = tmp_path / "models"
    shutil.copytree(folder, copy)
    weights = bytearray((copy / "de-en" / WEIGHTS).read_bytes())
    weights[-1] ^= 1
    (copy / "de-en" / WEIGHTS).write_bytes(weights)
    models = load_set(copy, folder / "de-en")
    [found] = models.translate(["Der Hund."], source="de", target="en")
    assert found.text
    assert len(models.models()) == 5, "the damaged one is left out"
    alone = load_set(copy)
    with pytest.raises(UnsupportedLanguageError, match="de is not supported"):
        alone.translate(["Der Hund."], source="de", target="en")
    assert alone.translate(["Der Hund."], source="en", target="fr")[0].text


def test_where_the_direct_model_is_damaged_the_pivot_leads_there(
    folder: Path, tmp_path: Path, load_set: LoadSet
) -> None:
    copy = tmp_path / "models"
    shutil.copytree(folder, copy)
    write_model(copy / "de-fr", "de-fr")
    models = load_set(copy)
    assert ("de", "fr") in models.directions
    weights = bytearray((copy / "de-fr" / WEIGHTS).read_bytes())
    weights[-1] ^= 1
    (copy / "de-fr" / WEIGHTS).write_bytes(weights)
    told = list(models.stream(["Der Hund."], source="de", target="fr"))
    [found] = models.translate(["Der Hund."], source="de", target="fr")
    assert found.via == told[0][1].via == "en"
    assert found == load_set(folder).translate(["Der Hund."], source="de", target="fr")[0]


def test_a_model_that_was_replaced_behind_our_back_is_not_taken_for_the_old_one(
    folder: Path, tmp_path: Path, load_set: LoadSet
) -> None:
    copy = tmp_path / "models"
    shutil.copytree(folder, copy)
    models = load_set(copy)
    write_model(copy / "de-en", "de-en", seed=99)
    with pytest.raises(UnsupportedLanguageError, match="de is not supported"):
        models.translate(["Der Hund."], source="de", target="en")
    models.refresh()
    assert models.translate(["Der Hund."], source="de", target="en")[0].text


def test_a_closed_set_says_so(folder: Path) -> None:
    with ModelSet.load([folder], precision="float32") as models:
        assert models.is_alive
        assert [language.code for language in models.languages][:3] == ["de", "en", "es"]
    assert not models.is_alive
    with pytest.raises(EngineClosedError):
        models.translate(["Der Hund."], source="de", target="en")
