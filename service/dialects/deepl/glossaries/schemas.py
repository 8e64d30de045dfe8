"""DeepL's glossaries over the wire: those of version 2 have one pair of languages."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from service.dialects.deepl.schemas import DeepLAnswer

EntriesFormat = Literal["tsv", "csv"]


class DictionaryBody(BaseModel):
    """The terms of a pair of languages."""

    source_lang: str = Field(description="Language of the terms.", examples=["de"])
    target_lang: str = Field(description="Language of what stands for them.", examples=["en"])
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


class PairQuery(BaseModel):
    """A pair of languages."""

    source_lang: str = Field(description="Language of the terms.", examples=["de"])
    target_lang: str = Field(description="Language of what stands for them.", examples=["en"])


class LanguagePair(DeepLAnswer):
    """A pair of languages."""

    source_lang: str
    target_lang: str


class PairsAnswer(DeepLAnswer):
    """The pairs of languages that a glossary may have."""

    supported_languages: list[LanguagePair]


class GlossaryAnswer(DeepLAnswer):
    """What is known of a glossary of one pair."""

    glossary_id: str
    name: str
    ready: bool = Field(description="Always.")
    source_lang: str
    target_lang: str
    creation_time: str
    entry_count: int


class GlossariesAnswer(DeepLAnswer):
    """The glossaries of a key that have one pair of languages."""

    glossaries: list[GlossaryAnswer]


class DictionaryAnswer(DeepLAnswer):
    """What is known of a dictionary."""

    source_lang: str
    target_lang: str
    entry_count: int


class MultilingualAnswer(DeepLAnswer):
    """What is known of a glossary."""

    glossary_id: str
    name: str
    dictionaries: list[DictionaryAnswer]
    creation_time: str


class MultilingualsAnswer(DeepLAnswer):
    """The glossaries of a key."""

    glossaries: list[MultilingualAnswer]


class DictionaryEntries(DeepLAnswer):
    """The terms of a pair of languages."""

    source_lang: str
    target_lang: str
    entries: str
    entries_format: Literal["tsv"]


class EntriesAnswer(DeepLAnswer):
    """The dictionary that was asked for."""

    dictionaries: list[DictionaryEntries]
