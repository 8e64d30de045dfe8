"""POST /attention: what the model attends to in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from flask import Blueprint, Response, jsonify, request
from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from service.access.guard import config_of_caller
from service.http.context import Context
from service.http.endpoint import JSON, Endpoint, Example, describe
from service.http.errors import DetectedLanguage
from service.http.fields import Answer, Body, Flag, Info, Json, json_of, json_type, read_fields
from service.http.streaming import deadline_of
from service.libretranslate.request import TranslateRequest
from service.libretranslate.work import TextPlan, make_plan
from translator import TextOptions
from translator.errors import InputError, UnsupportedLanguageError

if TYPE_CHECKING:
    from translator import AttentionRecord


Kind = Literal["encoder", "decoder", "cross"]
KINDS: tuple[Kind, ...] = ("encoder", "decoder", "cross")
MOST_CHARS = 1000
SAME_LANGUAGE = "Invalid request: source and target must be two languages"
MOST_WEIGHTS = 500_000
"""In one answer: some three megabytes."""

DECIMALS = 3


def _sentence(text: str, info: Info) -> str:
    if len(text) > MOST_CHARS:
        raise InputError(
            f"Invalid request: {info.field_name} has {len(text)} characters; attention is shown of "
            f"one sentence, of at most {MOST_CHARS}",
            "text_too_long",
            MOST_CHARS,
        )
    return text


def _kinds(value: object, info: Info) -> tuple[object, ...]:
    """Return the kinds of a request: an array, in a form written as JSON, or one name."""
    kinds = [value] if value in KINDS else json_of(value, info)
    if not isinstance(kinds, list) or not all(kind in KINDS for kind in kinds):
        raise InputError(f"Invalid request: kinds must be an array of {', '.join(KINDS)}")
    return tuple(dict.fromkeys(kinds)) or ("cross",)


def _number(value: object, info: Info) -> int:
    """Return a number from 1, written as such or as a string."""
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if not (text.isascii() and text.isdecimal() and 0 < len(text) < 4 and int(text) > 0):
        got = f"{text!r}" if text else json_type(value)
        raise InputError(f"Invalid request: {info.field_name} must be a number from 1, got {got}")
    return int(text)


Sentence = Annotated[
    str, AfterValidator(_sentence), Field(json_schema_extra={"maxLength": MOST_CHARS})
]
Number = Annotated[int | None, BeforeValidator(_number)]


class AttentionBody(Body):
    """A sentence, and which of the model's attention weights to tell."""

    nouns: ClassVar = {"q": "one sentence"}

    q: Sentence = Field(description="One sentence.", examples=["Das Kind schläft."])
    source: str = Field(description="Code of its language, or `auto`.", examples=["de"])
    target: str = Field(description="Code of the language of its translation.", examples=["en"])
    translation: Sentence | None = Field(
        default=None,
        description="The translation to look at; the model's own by default.",
        examples=["The child is sleeping."],
    )
    kinds: Annotated[
        tuple[Kind, ...], BeforeValidator(_kinds, json_schema_input_type=list[Kind] | None)
    ] = Field(
        default=("cross",),
        description="`cross`: from the translation to the sentence; `encoder`: inside the "
        "sentence; `decoder`: inside the translation.",
    )
    layer: Number = Field(default=None, description="One layer, from 1; all by default.")
    head: Number = Field(default=None, description="One head, from 1; all by default.")
    vectors: Flag = Field(
        default=False,
        description="Whether the answer also has queries, keys and values. Name one kind, layer "
        "and head for that.",
    )
    api_key: str | None = Field(default=None, description="Your key, where one is needed.")

    @model_validator(mode="after")
    def _vectors_are_of_one_head(self) -> Self:
        if self.vectors and (len(self.kinds) > 1 or self.layer is None or self.head is None):
            raise InputError(
                "Invalid request: vectors are returned for one head; name one kind, layer and head"
            )
        return self


class Piece(Answer):
    """A piece of a sentence, as the model reads it."""

    piece: str = Field(
        description="As it is in the vocabulary: `▁` is a space before it; `<2en>` asks for "
        "English, `<s>` begins a translation, `</s>` ends a sentence.",
        examples=["▁Kind"],
    )
    start: int = Field(description="Where it begins in the text, in characters.")
    end: int = Field(
        description="Where it ends; the same as `start` for a piece that is not in the text."
    )


class AttentionMapAnswer(Answer):
    """The weights of one head."""

    kind: Kind
    layer: int = Field(description="Number of the layer, from 1.")
    head: int = Field(description="Number of the head, from 1.")
    weights: list[list[float]] = Field(
        description="A row for each query and a column for each key. A row sums to 1, but for "
        "rounding to three decimals. Queries are pieces of the translation; for `encoder`, of the "
        "sentence. Keys are pieces of the sentence; for `decoder`, of the translation."
    )


class VectorsAnswer(Answer):
    """What one head weighs, and by what: weights are softmax(query · key / √K)."""

    query: list[list[float]] = Field(description="A vector of K numbers for each query.")
    key: list[list[float]] = Field(description="A vector of K numbers for each key.")
    value: list[list[float]] = Field(description="A vector for each key.")


class AttentionAnswer(Answer):
    """What the model attends to."""

    translatedText: str = Field(description="The translation.", examples=["The child is sleeping."])
    detectedLanguage: DetectedLanguage | None = Field(
        default=None, description="With `source: auto`: the language detected."
    )
    source: list[Piece] = Field(description="What the encoder reads.")
    target: list[Piece] = Field(
        description="What the decoder reads: `<s>` and the translation. At each piece it predicts "
        "the next one, so the row of `<s>` shows where the first piece comes from."
    )
    layers: dict[Kind, int] = Field(description="How many layers the model has, by kind.")
    heads: int = Field(description="How many heads each layer has.")
    maps: list[AttentionMapAnswer]
    vectors: VectorsAnswer | None = Field(
        default=None, description="Queries, keys and values, if they were asked for."
    )


def attention_to_json(
    body: AttentionBody,
    record: AttentionRecord,
    translation: str,
    detected: DetectedLanguage | None,
) -> Json:
    """Return the answer; refuse one too large, and a layer or head that there is not."""
    maps = list(_maps(body, record))
    answer: Json = {
        "translatedText": translation,
        "source": _pieces(record.source, record.source_places),
        "target": _pieces(record.target, record.target_places),
        "layers": {kind: len(getattr(record.weights, kind)) for kind in KINDS},
        "heads": record.weights.cross[0].size(1),
        "maps": maps,
    }
    if detected is not None:
        answer["detectedLanguage"] = detected
    if record.vectors is not None:
        answer["vectors"] = {
            name: rounded(getattr(record.vectors, name)) for name in ("query", "key", "value")
        }
    return AttentionAnswer(**answer).model_dump(exclude_unset=True)


def _maps(body: AttentionBody, record: AttentionRecord) -> Iterator[Json]:
    left = MOST_WEIGHTS
    for kind in body.kinds:
        layer_weights = getattr(record.weights, kind)
        for layer in _chosen(body.layer, len(layer_weights)):
            heads = _chosen(body.head, layer_weights[0].size(1))
            for head in heads:
                weights = record.select(kind, layer, head).weights
                left -= weights.numel()
                if left < 0:
                    raise InputError(
                        f"Invalid request: more than {MOST_WEIGHTS:,} weights; "
                        "ask for one kind, layer or head"
                    )
                yield {"kind": kind, "layer": layer, "head": head, "weights": rounded(weights)}


def _chosen(number: int | None, count: int) -> Iterable[int]:
    return range(1, count + 1) if number is None else [number]


def _pieces(pieces: Sequence[str], places: Sequence[tuple[int, int]]) -> list[Json]:
    return [
        {"piece": piece, "start": start, "end": end}
        for piece, (start, end) in zip(pieces, places, strict=True)
    ]


def rounded(values: Any) -> list[list[float]]:
    """Return the rows of a tensor of two dimensions, to three decimals."""
    rows: list[list[float]] = values.cpu().double().numpy().round(DECIMALS).tolist()
    return rows


ATTENTION = Endpoint(
    summary="What the model attends to in a sentence",
    description="The model reads the sentence and its translation once more, and keeps its "
    "attention weights. Each side has at most 1,000 characters and 100 pieces. The fields may also "
    "be in the query string, which writes `kinds` as JSON.",
    tag="translation",
    body=AttentionBody,
    answers={JSON: AttentionAnswer},
    errors=(400, 403, 413, 429, 503, 504),
    examples=(
        Example(
            summary="One head of the last layer",
            fields={
                "q": "Ja.",
                "source": "de",
                "target": "en",
                "translation": "Yes.",
                "layer": 2,
                "head": 1,
            },
            answer={
                "translatedText": "Yes.",
                "source": [
                    {"piece": "<2en>", "start": 0, "end": 0},
                    {"piece": "▁Ja", "start": 0, "end": 2},
                    {"piece": ".", "start": 2, "end": 3},
                    {"piece": "</s>", "start": 3, "end": 3},
                ],
                "target": [
                    {"piece": "<s>", "start": 0, "end": 0},
                    {"piece": "▁Yes", "start": 0, "end": 3},
                    {"piece": ".", "start": 3, "end": 4},
                ],
                "layers": {"encoder": 6, "decoder": 2, "cross": 2},
                "heads": 4,
                "maps": [
                    {
                        "kind": "cross",
                        "layer": 2,
                        "head": 1,
                        "weights": [
                            [0.004, 0.962, 0.021, 0.013],
                            [0.113, 0.042, 0.771, 0.074],
                            [0.02, 0.006, 0.03, 0.944],
                        ],
                    }
                ],
            },
        ),
    ),
    access="counted",
    takes_slot=True,
    is_repeatable=True,
)


def blueprint(context: Context) -> Blueprint:
    """Return the address."""
    routes = Blueprint("attention", __name__)

    @routes.post("/attention")
    @describe(ATTENTION)
    def attention() -> Response:
        translator = context.translator
        config = config_of_caller(context.config)
        body = AttentionBody.read(read_fields(request), config)
        text_fields = body.model_dump(include={"q", "source", "target"})
        text = TranslateRequest.read(text_fields, translator.languages, config)
        if text.source == text.target:
            raise InputError(SAME_LANGUAGE, "same_language")
        with context.slot():
            plan = make_plan(text, translator.languages, context.detector)
            source = next(iter(plan.groups))
            if source == text.target:
                raise InputError(SAME_LANGUAGE, "same_language")
            return jsonify(_record(context, body, text.target, source, plan))

    return routes


def _record(
    context: Context, body: AttentionBody, target: str, source: str, plan: TextPlan
) -> dict[str, object]:
    from translator import Head, record_alone  # loads PyTorch

    translator, head = context.translator, None
    if body.vectors and body.layer and body.head:
        head = Head(body.kinds[0], body.layer, body.head)
    deadline = deadline_of(context.config, request)
    with translator.lease(source, target, deadline) as leases:
        if len(leases) != 1:
            raise UnsupportedLanguageError(
                f"no single model translates {source} to {target}", "no_single_model"
            )
        aligner = leases[0].model.aligner(source)
        translation = body.translation or ""
        if not translation.strip():
            options = TextOptions(source=source, target=target)
            [translated] = context.served.translate([body.q], options, deadline)
            translation = translated.text
        record = record_alone(
            aligner, source=body.q, target=translation, target_language=target, vectors_of=head
        )
    detection = next(iter(plan.detected), None)
    detected = DetectedLanguage.of(detection) if detection else None
    return attention_to_json(body, record, translation, detected)
