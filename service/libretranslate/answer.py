"""POST /translate: the answer, at once or as a series of events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

from pydantic import AfterValidator, Field, RootModel

from service.http.errors import DetectedLanguage
from service.http.fields import Answer, Json
from service.http.streaming import ErrorEvent
from service.libretranslate.request import TranslateRequest

if TYPE_CHECKING:
    from translator import Detected, SentenceTranslation, Translation


Value = TypeVar("Value")


class SourceWord(Answer):
    """A word of a sentence of the source."""

    start: int = Field(description="Where it begins in `source`, in characters (code points).")
    end: int = Field(description="Where it ends.")
    weight: Annotated[float, AfterValidator(partial(round, ndigits=3))] = Field(
        description="Its share, up to 1, of the attention that the translated word gives."
    )


class Word(Answer):
    """A word of the translation."""

    start: int = Field(description="Where it begins in `text`, in characters (code points).")
    end: int = Field(description="Where it ends.")
    log_prob: Annotated[float, AfterValidator(partial(round, ndigits=4))] = Field(
        description="The logarithm of its probability: the lower, the less sure the model was."
    )
    sources: list[SourceWord] = Field(
        description="The words that it comes from, the one with most weight first."
    )


class Numbers(Answer):
    """Numbers of a sentence that are not those of its translation."""

    missing: list[str] = Field(
        description="Numbers of the sentence that its translation lacks.", examples=[["5.592.260"]]
    )
    added: list[str] = Field(
        description="Numbers that only the translation has.", examples=[["5,59260"]]
    )

    @classmethod
    def of(cls, sentence: SentenceTranslation) -> Numbers:
        """Return those of a sentence."""
        missing, added = sentence.numbers
        return cls(missing=list(missing), added=list(added))


class SentenceAnswer(Answer):
    """A sentence and its translation."""

    separator: str = Field(
        description="What stands before the sentence, and before its translation."
    )
    source: str = Field(description="The sentence.", examples=["Guten Morgen!"])
    text: str = Field(description="Its translation.", examples=["Good morning!"])
    score: float | None = Field(
        description="Log-probability of the translation, divided by the model's length penalty. "
        "The nearer to zero, the surer the model. Null if there was nothing to translate."
    )
    finish_reasons: list[str] = Field(
        description="Why each part ended: `eos`, or `length` if it was cut off.", examples=[["eos"]]
    )
    flags: list[str] = Field(description="What is or was wrong with it.", examples=[["retried"]])
    numbers: Numbers | None = Field(
        default=None, description="With the flag `numbers`: the numbers that are wrong."
    )
    alignment: list[Word] | None = Field(
        default=None,
        description="The words of the translation, if they were asked for. Null if the sentence "
        "has tags of HTML, came back as it was, or is very long.",
    )


class TextDetails(Answer):
    """How one text was translated."""

    score: float | None = Field(description="Mean score of its sentences.")
    flags: list[str] = Field(description="What is or was wrong with any of its sentences.")
    via: str = Field(
        default="",
        description="The language that it went through, if no model translates the pair directly.",
        examples=["en"],
    )
    queue_ms: float = Field(
        description="Milliseconds that its first sentence waited for the model."
    )
    compute_ms: float = Field(
        description="Milliseconds from then until its last sentence was translated. Both are 0 for "
        "a text whose translation was in the cache."
    )
    sentences: list[SentenceAnswer] = Field(
        description="The text, sentence by sentence; empty if it came back as it was."
    )


class ModelAnswer(Answer):
    """The model that has translated, as its card names it."""

    name: str | None = Field(examples=["de-en"])
    version: str | None = Field(examples=["bc53710bd494"])


class Details(Answer):
    """How the texts were translated."""

    model: ModelAnswer
    models: list[ModelAnswer] = Field(
        default_factory=list,
        description="All models that took part, in order, if there were several.",
    )
    total_ms: float = Field(
        description="Milliseconds for detection and translation, waiting included."
    )
    texts: list[TextDetails | None] = Field(
        description="An entry for each text of `q`; null for one with an error."
    )


class TranslateAnswer(Answer):
    """Translations; where `q` is an array, each is an array with an entry for each of its texts."""

    translatedText: str | list[str | None] = Field(
        description="The translation.", examples=["Good morning!"]
    )
    detectedLanguage: DetectedLanguage | list[DetectedLanguage | None] = Field(
        default_factory=list, description="With `source: auto`: the language detected."
    )
    alternatives: list[str] | list[list[str]] = Field(
        default_factory=list, description="Other translations, if asked for; the best one first."
    )
    flags: list[str] | list[list[str]] = Field(
        default_factory=list, description="What is or was wrong with the translation, if anything."
    )
    via: str | list[str | None] = Field(
        default="",
        description="The language that a text went through, if no model translates the pair "
        "directly.",
        examples=["en"],
    )
    glossary_terms: list[str] | list[list[str]] = Field(
        default_factory=list,
        description="Terms of `glossary` and `do_not_translate` that the text has.",
    )
    details: Details | None = Field(
        default=None, description="Sentences, scores and times, if they were asked for."
    )
    errors: list[str | None] = Field(
        default_factory=list,
        description="For each text why it was not translated; null if it was. An answer has this "
        "with `errors: per_item`, and if a text of an array is in a language that no model reads.",
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What came of a request.

    Attributes:
        translations: one a text; None, or the text as it was, for those that have faults.
        detected: with `auto`, the language of each text; None for one that is no text.
        faults: why texts were not translated, by number.
        models: that have translated, in order; for details.
    """

    translations: Sequence[Translation | None]
    detected: Sequence[Detected | None] = ()
    faults: Mapping[int, str] = field(default_factory=dict)
    models: Sequence[ModelAnswer] = ()
    total_ms: float = 0.0


def answer_to_json(request: TranslateRequest, outcome: Outcome) -> Json:
    """Return the answer: a value per text for an array `q`, a bare value for a string `q`."""
    translations, faults = outcome.translations, outcome.faults

    def shaped(values: Iterable[Value]) -> Value | list[Value]:
        each = list(values)
        return each if request.is_batch else each[0]

    fields: Json = {"translatedText": shaped(t.text if t else None for t in translations)}
    if outcome.detected:
        fields["detectedLanguage"] = shaped(
            detected and DetectedLanguage.of(detected) for detected in outcome.detected
        )
    if request.num_alternatives:
        fields["alternatives"] = shaped(list(t.alternatives) if t else [] for t in translations)
    if any(t and t.flags for t in translations):
        fields["flags"] = shaped(list(t.flags) if t else [] for t in translations)
    if any(t and t.via for t in translations):
        fields["via"] = shaped((t.via or None) if t else None for t in translations)
    if request.pairs or request.kept:
        fields["glossary_terms"] = shaped(list(t.terms) if t else [] for t in translations)
    if request.has_errors or faults:
        fields["errors"] = [faults.get(number) for number in range(len(translations))]
    if request.has_details:
        models = list(outcome.models)
        several = {"models": models} if models[1:] else {}
        fields["details"] = Details(
            model=models[0] if models else ModelAnswer(name=None, version=None),
            **several,
            total_ms=round(outcome.total_ms, 3),
            texts=[_details(t, request.has_alignment) if t else None for t in translations],
        )
    return TranslateAnswer(**fields).model_dump(exclude_unset=True)


def sentence_to_answer(sentence: SentenceTranslation, has_alignment: bool) -> SentenceAnswer:
    """Return a sentence as it is answered, with its words or without."""
    further: Json = {"alignment": _alignment(sentence)} if has_alignment else {}
    if "numbers" in sentence.flags:
        further["numbers"] = Numbers.of(sentence)
    return SentenceAnswer(
        separator=sentence.separator,
        source=sentence.source,
        text=sentence.text,
        score=sentence.score,
        finish_reasons=list(sentence.finish_reasons),
        flags=list(sentence.flags),
        **further,
    )


def _alignment(sentence: SentenceTranslation) -> list[Word] | None:
    if sentence.words is None:
        return None
    return [Word.model_validate(word, from_attributes=True) for word in sentence.words]


def _details(translation: Translation, has_alignment: bool) -> TextDetails:
    times = translation.times
    between = {"via": translation.via} if translation.via else {}
    return TextDetails(
        **between,
        score=translation.score,
        flags=list(translation.flags),
        queue_ms=round(times.queue_ms, 3) if times else 0.0,
        compute_ms=round(times.compute_ms, 3) if times else 0.0,
        sentences=[
            sentence_to_answer(sentence, has_alignment) for sentence in translation.sentences
        ],
    )


class SentenceEvent(SentenceAnswer):
    """A sentence is translated.

    Separators and translations of a text joined are its whole translation; behind its last sentence
    comes an empty one, with the separator that is left.
    """

    type: Literal["sentence"]
    index: int = Field(description="The number of the text in `q`, from 0.")
    detectedLanguage: DetectedLanguage | None = Field(
        default=None,
        description="With `source: auto`, in the first event of a text: the language detected.",
    )


class AnswerEvent(Answer):
    """All is translated. This is the last event."""

    type: Literal["answer"]
    answer: TranslateAnswer = Field(description="What would be answered without streaming.")


class StreamEvent(
    RootModel[Annotated[SentenceEvent | AnswerEvent | ErrorEvent, Field(discriminator="type")]]
):
    """One line of NDJSON, or the data of one server-sent event."""
