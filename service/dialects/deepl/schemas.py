"""DeepL's requests and answers over the wire."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field, RootModel

from service.schemas.fields import Answer
from service.schemas.translate.request import FormalityWish
from service.specification.endpoint import Endpoint

TAG = "DeepL"
KEY_ERRORS = (403, 429, 456)
"""Statuses of those who may not ask, or not now."""


class DeepLError(Answer):
    """An error, as DeepL says it."""

    message: str = Field(
        description="What is wrong.", examples=["Value for 'target_lang' not supported."]
    )
    detail: str = Field(default="", description="More of it.")


KEYED = Endpoint(
    summary="", tag=TAG, answers={}, errors=KEY_ERRORS, error=DeepLError, access="keyed"
)
"""What DeepL's addresses have in common: those that count requests say so."""


class DeepLTranslateBody(BaseModel):
    """What to translate, and how."""

    text: list[str] | str = Field(
        description="A text or several; in a form, the field comes once for each.",
        examples=[["Guten Morgen!"]],
    )
    target_lang: str = Field(description="Language wanted.", examples=["EN-US"])
    source_lang: str | None = Field(
        default=None, description="Language of the texts; detected without.", examples=["DE"]
    )
    tag_handling: Literal["xml", "html"] | None = Field(
        default=None, description="What the texts are, if no plain text."
    )
    tag_handling_version: Literal["v1", "v2"] | None = Field(
        default=None, description="Taken, and of no effect."
    )
    outline_detection: bool | None = Field(
        default=None,
        description="Whether tags of XML that enclose whole texts split; on by default.",
    )
    splitting_tags: list[str] | str | None = Field(default=None, description="Tags that split.")
    non_splitting_tags: list[str] | str | None = Field(
        default=None, description="Tags that do not split."
    )
    ignore_tags: list[str] | str | None = Field(
        default=None, description="Tags whose content comes back as it is."
    )
    glossary_id: str | None = Field(default=None, description="A glossary; needs `source_lang`.")
    glossary_ids: list[str] | None = Field(
        default=None, description="Up to five glossaries, the first of which come first."
    )
    formality: FormalityWish | None = Field(
        default=None,
        description="How the translation addresses its reader. Languages without a choice refuse "
        "`more` and `less`, and ignore `prefer_more` and `prefer_less`.",
    )
    model_type: (
        Literal["quality_optimized", "prefer_quality_optimized", "latency_optimized"] | None
    ) = Field(default=None, description="There is one model; the answer names what was asked for.")
    split_sentences: Literal["0", "1", "nonewlines"] | None = Field(
        default=None, description="Taken, and of no effect: sentences are always split."
    )
    preserve_formatting: bool | None = Field(
        default=None, description="Taken, and of no effect: it always is."
    )
    context: str | None = Field(default=None, description="Taken, and of no effect.")
    show_billed_characters: bool | None = Field(
        default=None, description="Whether to tell the number of characters of each text."
    )


class DeepLTranslation(Answer):
    """A text translated."""

    detected_source_language: str = Field(description="Its language.", examples=["DE"])
    text: str = Field(description="The translation.", examples=["Good morning!"])
    billed_characters: int = Field(default=0, description="Characters of the text, if asked for.")
    model_type_used: str = Field(default="", description="The model, if one was asked for.")


class DeepLTranslateAnswer(Answer):
    """The translations, in the order of the texts."""

    translations: list[DeepLTranslation]


class LanguagesQuery(BaseModel):
    """Which languages."""

    type: Literal["source", "target"] = Field(
        default="source", description="Those that are translated from, or into."
    )


class DeepLLanguage(Answer):
    """A language."""

    language: str = Field(description="Its code.", examples=["DE"])
    name: str = Field(description="Its English name.", examples=["German"])
    supports_formality: bool = Field(
        default=False, description="Of targets only: whether `formality` has an effect."
    )


class DeepLLanguages(RootModel[list[DeepLLanguage]]):
    """The languages of the models."""


class ResourceQuery(BaseModel):
    """What languages are wanted for."""

    resource: Literal[
        "translate_text",
        "translate_document",
        "glossary",
        "voice",
        "write",
        "style_rules",
        "translation_memory",
    ] = Field(description="There are no languages for the last four.")


class SupportStatus(Answer):
    """How far a feature has come."""

    status: Literal["stable"]


class SupportedLanguage(Answer):
    """A language, and what can be done with it."""

    lang: str = Field(description="Its code.", examples=["de"])
    name: str = Field(description="Its English name.", examples=["German"])
    status: Literal["stable"]
    usable_as_source: bool = Field(description="Whether it is translated from.")
    usable_as_target: bool = Field(description="Whether it is translated into.")
    features: dict[str, SupportStatus] = Field(description="Its features, by their names.")


class SupportAnswer(RootModel[list[SupportedLanguage]]):
    """The languages that can be used."""


class ResourceFeature(Answer):
    """A feature, and which language of a pair must have it."""

    name: str = Field(description="Its name.", examples=["glossary"])
    needs_source_support: bool = Field(default=False, description="The language of the text.")
    needs_target_support: bool = Field(default=False, description="The language wanted.")


class Resource(Answer):
    """Something that languages can be used for."""

    name: str = Field(description="What it is called.", examples=["translate_text"])
    features: list[ResourceFeature]


class ResourcesAnswer(RootModel[list[Resource]]):
    """All that languages can be used for."""


class UsageAnswer(Answer):
    """What a key has had translated in this month."""

    character_count: int = Field(description="Characters of texts and documents.")
    character_limit: int = Field(description="A number that DeepL writes where there is no limit.")


class DeepLDocumentBody(BaseModel):
    """A document to translate."""

    file: str = Field(description="The file.", json_schema_extra={"format": "binary"})
    target_lang: str = Field(description="Language wanted.", examples=["EN-US"])
    source_lang: str | None = Field(default=None, description="Its language; detected without.")
    filename: str | None = Field(default=None, description="Its name, if it comes without one.")
    output_format: str | None = Field(default=None, description="The file's own ending only.")
    formality: FormalityWish | None = Field(
        default=None,
        description="How the translation addresses its reader. Languages without a choice refuse "
        "`more` and `less`, and ignore `prefer_more` and `prefer_less`.",
    )
    glossary_id: str | None = Field(default=None, description="A glossary; needs `source_lang`.")


class DocumentHandle(Answer):
    """By what a document is asked for."""

    document_id: str = Field(description="Its ID.")
    document_key: str = Field(description="A secret that belongs to it.")


class DocumentKey(BaseModel):
    """The secret of a document."""

    document_key: str = Field(description="As the upload has told it.")


class DocumentState(Answer):
    """What has become of a document."""

    document_id: str = Field(description="Its ID.")
    status: Literal["translating", "done", "error"]
    seconds_remaining: int = Field(default=0, description="A guess, while it is translated.")
    billed_characters: int = Field(default=0, description="Once it is done: its characters.")
    error_message: str = Field(default="", description="Why there is no translation.")


EntriesFormat = Literal["tsv", "csv"]


class PairQuery(BaseModel):
    """A pair of languages."""

    source_lang: str = Field(description="Language of the terms.", examples=["de"])
    target_lang: str = Field(description="Language of what stands for them.", examples=["en"])


class DictionaryBody(PairQuery):
    """The terms of a pair of languages."""

    entries: str = Field(
        description="A term in each line, and what stands for it.", examples=["Haus\thome"]
    )
    entries_format: EntriesFormat = Field(description="What stands between the two.")


class GlossaryBody(DictionaryBody):
    """A glossary of one pair of languages."""

    name: str = Field(description="What it is called.", examples=["Our words"])


class MultilingualBody(BaseModel):
    """A glossary of several pairs of languages."""

    name: str = Field(description="What it is called.", examples=["Our words"])
    dictionaries: list[DictionaryBody] = Field(
        description="A dictionary for each pair; in a form, fields such as "
        "`dictionaries[0].source_lang`."
    )


class PatchBody(BaseModel):
    """What to change of a glossary."""

    name: str | None = Field(default=None, description="Another name.")
    dictionaries: list[DictionaryBody] | None = Field(
        default=None, description="Terms that are added, or replace those that are the same."
    )


class LanguagePair(Answer):
    """A pair of languages."""

    source_lang: str
    target_lang: str


class PairsAnswer(Answer):
    """The pairs of languages that a glossary may have."""

    supported_languages: list[LanguagePair]


class GlossaryAnswer(Answer):
    """What is known of a glossary of one pair."""

    glossary_id: str
    name: str
    ready: bool = Field(description="Always.")
    source_lang: str
    target_lang: str
    creation_time: str
    entry_count: int


class GlossariesAnswer(Answer):
    """The glossaries of a key that have one pair of languages."""

    glossaries: list[GlossaryAnswer]


class DictionaryAnswer(LanguagePair):
    """What is known of a dictionary."""

    entry_count: int


class MultilingualAnswer(Answer):
    """What is known of a glossary."""

    glossary_id: str
    name: str
    dictionaries: list[DictionaryAnswer]
    creation_time: str


class MultilingualsAnswer(Answer):
    """The glossaries of a key."""

    glossaries: list[MultilingualAnswer]


class DictionaryEntries(LanguagePair):
    """The terms of a pair of languages."""

    entries: str
    entries_format: Literal["tsv"]


class EntriesAnswer(Answer):
    """The dictionary that was asked for."""

    dictionaries: list[DictionaryEntries]
