"""Every choice of a model's configuration computes the same wherever it runs.

The choices are the fields of `ModelConfig` that are literal types. A new value, or a new field, is
tried without a line of this file changing: a place that lacks it fails. If a place cannot have it,
`REFUSED` says so.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
import re
import typing
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import pytest
import torch
from torch import Tensor

import translator.model
from tests.cpu import NEEDS_INT8
from tests.ctranslate2 import load_translator
from tests.translator.runtime.rounded import rounded_model
from tests.translator.runtime.stepping import begun, full, log_probs
from translator.config import DecodingOptions, ModelConfig
from translator.engine.running_batch import decode_batch
from translator.errors import ConfigError, InputError
from translator.model.transformer import Transformer, make_model
from translator.runtime.arrange import arrange
from translator.runtime.compiled.model import CompiledRuntime
from translator.runtime.ctranslate2 import make_spec
from translator.runtime.device.model import DeviceRuntime
from translator.runtime.eager import EagerRuntime
from translator.runtime.kernels import arithmetic
from translator.runtime.kernels.arithmetic import ACTIVATIONS
from translator.runtime.plan import Plan
from translator.search.rows import Array
from translator.tokens.port import SpecialIds

CHOICES = {
    name: typing.get_args(kind)
    for name, kind in typing.get_type_hints(ModelConfig).items()
    if typing.get_origin(kind) is Literal
}
PLAIN = {name: values[0] for name, values in CHOICES.items()}
ARCHITECTURES = [
    PLAIN | {"norm": norm, name: value}
    for norm in CHOICES["norm"]
    for name, values in CHOICES.items()
    for value in values
    if name != "norm" and value != PLAIN[name]
] + [PLAIN | {"norm": norm} for norm in CHOICES["norm"]]
"""Each value with each placement of norms, everything else plain."""

NEEDS = {"learned": {"max_positions": 96}}
"""Fields without which a value means nothing."""

REFUSED = {("ctranslate2", "decoder", "ssru")}
"""What is refused on purpose: place, field and value, as in ("compiled", "activation", "mish")."""

SPECIAL = SpecialIds(bos_id=2, eos_id=3, forbidden_ids=(0, 1, 2))
SOURCES = [[4, 9, 8, 7, 3], [4, 11, 3], [4, *range(20, 50), 3]]
TARGETS = [[2, 8, 30, 5, 6, 7, 21], [2, 9, 9, 41, 12, 5, 33], [2, 17, 4, 6, 30, 58, 44]]

each_architecture = pytest.mark.parametrize(
    "choices", ARCHITECTURES, ids=lambda choices: "-".join(choices.values())
)


def tiny_model(choices: dict[str, Any]) -> Transformer:
    """Return a model whose biases and norms are away from their neutral values."""
    torch.manual_seed(0)
    needed = [NEEDS[value] for value in choices.values() if value in NEEDS]
    given: dict[str, Any] = functools.reduce(operator.or_, needed, choices)
    config = ModelConfig(
        vocab_size=60,
        d_model=32,
        d_ff=48,
        num_heads=4,
        num_encoder_layers=2,
        num_decoder_layers=2,
        **given,
    )
    model = make_model(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    return model


FORMS: list[dict[str, Any]] = [
    {"tied": "target", "source_vocab_size": 70, "positions": "sinusoidal_halves"},
    {"tied": "none", "output_bias": True, "norm": "post", "activation": "silu"},
    {"scale_embedding": False, "position_offset": 2, "positions": "sinusoidal_fairseq"},
    {"tied": "target", "positions": "learned", "max_positions": 96, "position_offset": 3},
]
"""Models as other projects make them."""

each_form = pytest.mark.parametrize(
    "form", FORMS, ids=lambda form: "-".join(f"{value}" for value in form.values())
)


def supported(place: str, make: Callable[[], Any], choices: dict[str, str]) -> Any:
    """Return what `make` makes; None if it refuses by name what it is meant to refuse."""
    meant = [(f, value) for f, value in choices.items() if (place, f, value) in REFUSED]
    if not meant:
        return make()
    with pytest.raises(ConfigError) as caught:
        make()
    [problem] = caught.value.problems
    assert any(problem.startswith(f"{f}: ") and repr(value) in problem for f, value in meant)
    return None


def plan_of(model: Transformer) -> Plan[Array]:
    return arrange(model, SPECIAL.forbidden_ids)


def steps(inference: Any) -> Iterator[Tensor]:
    """Yield the log-probabilities (B, V) after every id of the targets."""
    batch = begun(inference, SOURCES)
    for ids in zip(*TARGETS, strict=True):
        yield log_probs(batch, ids)


def test_there_are_choices() -> None:
    assert {"activation", "norm", "positions"} <= set(CHOICES)
    assert len(ARCHITECTURES) >= 12
    tried = {(name, value) for choices in ARCHITECTURES for name, value in choices.items()}
    assert tried == {(name, value) for name, values in CHOICES.items() for value in values}


def assert_exact(model: Transformer, *runtimes: Any) -> None:
    """Check that runtimes in floats compute what the model computes."""
    wanted = []
    for source, target in zip(SOURCES, TARGETS, strict=True):
        logits = model(torch.tensor([source]), torch.tensor([target]), None)[0]
        logits[:, list(SPECIAL.forbidden_ids)] = -1e9
        wanted.append(logits.log_softmax(-1))
    expected = torch.stack(wanted, dim=1)  # (T, rows, V)
    possible = expected > -1e6
    for runtime in runtimes:
        found = torch.stack([*steps(runtime)])
        assert (found[~possible] < -1e6).all()
        torch.testing.assert_close(found[possible], expected[possible], atol=1e-4, rtol=0)


@each_architecture
@torch.inference_mode()
def test_eager_computes_what_the_model_computes(choices: dict[str, Any]) -> None:
    model = tiny_model(choices)
    assert_exact(model, EagerRuntime(plan_of(model)))


@NEEDS_INT8
@each_architecture
@torch.inference_mode()
def test_float32_computes_what_the_model_computes(choices: dict[str, Any]) -> None:
    model = tiny_model(choices)
    compiled = supported("compiled", lambda: CompiledRuntime(plan_of(model), "float32"), choices)
    if compiled is not None:
        assert_exact(model, compiled)


@NEEDS_INT8
@each_architecture
@torch.inference_mode()
def test_int8_is_within_tolerance(choices: dict[str, Any]) -> None:
    """Of rounded layers, all but equal; of the model itself, so far as its rounding goes."""
    model = tiny_model(choices)
    int8 = supported(
        "int8", lambda: CompiledRuntime(arrange(model, SPECIAL.forbidden_ids)), choices
    )
    if int8 is None:
        return
    rounded = rounded_model(model, SPECIAL.forbidden_ids)
    exact = EagerRuntime(plan_of(model))
    for found, alike, expected in zip(steps(int8), steps(rounded), steps(exact), strict=True):
        possible = expected > -50
        assert found.isfinite().all()
        assert (found - alike)[possible].abs().mean() < 0.01
        assert (found - expected)[possible].abs().mean() < 0.1


@each_architecture
@torch.inference_mode()
def test_ctranslate2_translates_as_the_model_does(choices: dict[str, Any]) -> None:
    model = tiny_model(choices)
    pieces = ["<pad>", "<unk>", "<s>", "</s>", *(f"piece{i}" for i in range(4, 60))]
    spec = supported(
        "ctranslate2", lambda: make_spec(plan_of(model), pieces, SPECIAL, 1, pieces), choices
    )
    if spec is None:
        return
    translator = load_translator(spec, "float32", 1)
    given = [[pieces[piece_id] for piece_id in source] for source in SOURCES]
    for beam_size in (1, 3):
        results = translator.translate_batch(
            given,
            beam_size=beam_size,
            num_hypotheses=beam_size,
            length_penalty=0.0,
            max_decoding_length=12,
            min_decoding_length=12,
            return_scores=True,
        )
        for source, result in zip(SOURCES, results, strict=True):
            for names, score in zip(result.hypotheses, result.scores, strict=True):
                ids = [pieces.index(name) for name in names]
                assert len(ids) == 12
                assert score == pytest.approx(forced(model, source, ids), rel=1e-4)
            if beam_size == 1:
                assert ids == greedy(model, source, 12)


def forced(model: Transformer, source: list[int], target: list[int]) -> float:
    """Return log P(target | source), where EOS and some ids are forbidden."""
    logits = model(torch.tensor([source]), torch.tensor([[2, *target[:-1]]]), None)[0]
    logits[:, [*SPECIAL.forbidden_ids, SPECIAL.eos_id]] = -torch.inf
    return float(logits.log_softmax(-1).gather(1, torch.tensor(target)[:, None]).sum())


def greedy(
    model: Transformer, source: list[int], length: int, start: Sequence[int] = (2,)
) -> list[int]:
    """Return the most probable id after each, EOS and forbidden ids left out."""
    ids: list[int] = []
    for _ in range(length):
        log_probs_of_next = full(model, source, [*start, *ids])
        log_probs_of_next[[*SPECIAL.forbidden_ids, SPECIAL.eos_id]] = -torch.inf
        ids.append(int(log_probs_of_next.argmax()))
    return ids


# --- other projects' models -----------------------------------------------------------------------


@NEEDS_INT8
@each_form
@torch.inference_mode()
def test_every_runtime_computes_other_projects_models(form: dict[str, Any]) -> None:
    model = tiny_model(form)
    plan = plan_of(model)
    assert_exact(model, EagerRuntime(plan), CompiledRuntime(plan, "float32"))
    rounded = rounded_model(model, SPECIAL.forbidden_ids)
    for found, alike in zip(steps(CompiledRuntime(plan)), steps(rounded), strict=True):
        assert (found - alike)[alike > -50].abs().mean() < 0.01


@each_form
@torch.inference_mode()
def test_ctranslate2_translates_other_projects_models(form: dict[str, Any]) -> None:
    model = tiny_model(form)
    names, own = [f"piece{i}" for i in range(60)], [f"source{i}" for i in range(70)]
    source_names = own if form.get("source_vocab_size") else names
    spec = make_spec(plan_of(model), names, SPECIAL, 1, source_names)
    translator = load_translator(spec, "float32", 1)
    given = [[source_names[piece_id] for piece_id in source] for source in SOURCES]
    results = translator.translate_batch(
        given, beam_size=1, max_decoding_length=12, min_decoding_length=12, return_scores=True
    )
    for source, result in zip(SOURCES, results, strict=True):
        ids = [names.index(name) for name in result.hypotheses[0]]
        assert ids == greedy(model, source, 12)
        assert result.scores[0] * 12 == pytest.approx(forced(model, source, ids), rel=1e-4)


@NEEDS_INT8
@pytest.mark.parametrize("beam_size", [1, 3])
@torch.inference_mode()
def test_every_runtime_starts_as_it_is_told(beam_size: int) -> None:
    """As M2M100 and NLLB do, whose decoder reads EOS and the language before it chooses.

    So does a translation that is to begin with some words.
    """
    model, starts = tiny_model(FORMS[2]), [[3, 7], [2], [3, 9, 8, *range(10, 30)]]
    options = DecodingOptions(
        beam_size=beam_size, max_length_factor=1e-9, max_length_offset=9, search_again=False
    )
    plan = arrange(model, (*SPECIAL.forbidden_ids, SPECIAL.eos_id))
    expected = [
        greedy(model, source, 9, start) for source, start in zip(SOURCES, starts, strict=True)
    ]
    exact = EagerRuntime(plan), CompiledRuntime(plan, "float32")
    together = [decode_batch(one, SOURCES, options, SPECIAL, starts) for one in exact]
    assert [[h.ids for h in found] for found in together[0]] == [
        [h.ids for h in found] for found in together[1]
    ]
    if beam_size == 1:
        assert [[*found[0].ids] for found in together[0]] == expected
    for runtime in (*exact, CompiledRuntime(plan)):
        batch = decode_batch(runtime, SOURCES, options, SPECIAL, starts)
        for source, start, found in zip(SOURCES, starts, batch, strict=True):
            [alone] = decode_batch(runtime, [source], options, SPECIAL, [start])
            assert [h.ids for h in alone] == [h.ids for h in found]


@NEEDS_INT8
@pytest.mark.parametrize("make", [EagerRuntime, CompiledRuntime, DeviceRuntime])
@torch.inference_mode()
def test_sentences_end_where_learned_positions_do(make: Any) -> None:
    model = tiny_model(PLAIN | {"positions": "learned"})
    model.embedding.weight[3] = 0
    options = DecodingOptions(beam_size=2, max_length_factor=20, max_length_offset=900)
    runtime, sources = make(plan_of(model)), [[4, 9, 3], [4, *range(5, 57), 3]]
    for starts in (None, [[2, 5, 6]] * 2):
        for [found] in decode_batch(runtime, sources, options, SPECIAL, starts):
            assert len(found.ids) <= (96 if starts is None else 94)
    with pytest.raises(InputError, match="97 pieces are too long for this model; at most 96"):
        runtime.batch(2, 2, 3).admit([[4] * 97], [9], [options], [()])


# --- a value that a place does not know -----------------------------------------------------------


def test_the_model_refuses_a_value_that_it_does_not_know() -> None:
    for field in CHOICES:
        with pytest.raises(ConfigError, match=rf"{field}: the model has no 'made-up', only "):
            tiny_model({field: "made-up"})


@pytest.mark.parametrize("place", ["compiled", "ctranslate2"])
def test_a_refusal_passes_only_if_it_is_meant(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    def refuse() -> None:
        raise ConfigError(["activation: this place has no 'mish', only relu"], "model")

    choices = {"activation": "mish", "norm": "pre"}
    with pytest.raises(ConfigError):
        supported(place, refuse, choices)
    monkeypatch.setitem(globals(), "REFUSED", {(place, "activation", "mish")})
    assert supported(place, refuse, choices) is None
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        supported(place, lambda: None, choices)


def test_the_list_of_places_is_whole() -> None:
    """The docstring of the package names each file that gives a choice a meaning."""
    package = Path(translator.model.__file__).parents[1]
    table = re.compile(
        r"(?m)^(ACTIVATIONS|IS_PRE_NORM|IS_RECURRENT|POSITIONS|OWN_MATRICES|DECODERS)\b"
    )
    found = {
        path.relative_to(package).as_posix(): table.findall(path.read_text(encoding="utf-8"))
        for room in ("model", "runtime")
        for path in (package / room).rglob("*.py")
    }
    listed = re.findall(r"(?m)^`([\w/]+\.py)` ", translator.model.__doc__ or "")
    assert sorted(listed) == sorted(path for path, tables in found.items() if tables)
    names = [name for tables in found.values() for name in tables]
    assert names.count("ACTIVATIONS") == 3, "one more should be a change in three places"
    assert len(set(names)) == len(names) - 2, "and of anything else a change in one"


@pytest.mark.parametrize("field", CHOICES)
def test_the_plan_refuses_a_value_that_it_does_not_know(field: str) -> None:
    model = tiny_model({})
    model.config = dataclasses.replace(model.config, **{field: "made-up"})  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=re.escape(f"{field}: ") + r".* has no 'made-up', only "):
        plan_of(model)


PLACES: dict[str, Callable[[Plan[Array]], object]] = {
    "compiled": CompiledRuntime,
    "ctranslate2": lambda plan: make_spec(plan, [*map(str, range(60))], SPECIAL, 1, []),
}


@pytest.mark.parametrize("place", [*PLACES])
def test_every_place_refuses_an_activation_that_it_does_not_know(place: str) -> None:
    plan = plan_of(tiny_model({}))
    config = dataclasses.replace(plan.config, activation="made-up")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=r"activation: .* has no 'made-up', only "):
        PLACES[place](dataclasses.replace(plan, config=config))


@NEEDS_INT8
@torch.inference_mode()
def test_a_number_without_a_formula_does_not_pass_for_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(arithmetic.ACTIVATIONS, "silu", len(ACTIVATIONS))
    int8 = CompiledRuntime(plan_of(tiny_model({"activation": "silu"})))
    with pytest.raises(ValueError, match="activate has no formula for this activation"):
        next(steps(int8))
