"""The sections of a training recipe about text: which, how much of each, and its subwords."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Literal

from translator.strict import raise_if_wrong
from translator.text.formality import LANGUAGES as FORMALITY_LANGUAGES
from translator.text.formality import MARKS as FORMALITY_MARKS
from translator.text.placeholders import MAX_PLACEHOLDERS

MAX_VOCAB_SIZE = 65_536
"""Ids are stored in 16 bits."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MixConfig:
    """How one corpus takes part in the mixture.

    Attributes:
        weight: how often its pairs are seen, relative to those of other corpora.
        directions: the directions it is used in; all of the recipe's that it has, if empty.
        tag: a mark before each of its sources, such as `synthetic`, by which the model tells them
            from users' text (Caswell et al. 2019).
        clean: whether its pairs are cleaned. What a program has written is good as it is, and
            looks like repetitions: sentences that differ in their numbers only.
    """

    weight: float = 1.0
    directions: tuple[str, ...] = ()
    tag: str = ""
    clean: bool = True

    def __post_init__(self) -> None:
        raise_if_wrong(self)

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        problems = []
        if self.weight <= 0:
            problems.append(f"weight: must be positive, got {self.weight}")
        if self.tag and not self.tag.isalpha():
            problems.append(f"tag: must be letters, got {self.tag!r}")
        return problems


@dataclass(frozen=True, kw_only=True, slots=True)
class DataConfig:
    """Which text to train and develop on.

    Attributes:
        corpora: names of corpora in the catalogue, whose `train` parts are joined.
        dev: parts scored during training, such as `multi30k:val`.
        directions: `source-target` pairs of languages; every corpus that has both languages is
            used in each.
        test: parts scored at the end only.
        temperature: 1 mixes corpora in proportion to their sizes; a higher one gives small corpora
            a larger part (Arivazhagan et al. 2019).
        varied_share: share of the training pairs that are written as people also write, such as in
            capitals or without a full stop; see `rewriting.py`.
        formality_share: share of the pairs with German that addresses a reader whose source says
            in which form, Sie or du, so that users can ask for one; see `rewriting.py`.
        mix: settings of single corpora, by name.
    """

    corpora: tuple[str, ...]
    dev: tuple[str, ...]
    directions: tuple[str, ...]
    test: tuple[str, ...] = ()
    temperature: float = 1.0
    varied_share: float = 0.0
    formality_share: float = 0.0
    mix: dict[str, MixConfig] = field(default_factory=dict)

    def __post_init__(self) -> None:
        raise_if_wrong(self)

    @property
    def languages(self) -> tuple[str, ...]:
        """Codes of all languages named in `directions`, sorted."""
        return tuple(sorted({code for pair in self.directions for code in pair.split("-")}))

    @property
    def tags(self) -> tuple[str, ...]:
        """All marks that sources can carry: tags of the mixture, and forms of address; sorted."""
        forms = FORMALITY_MARKS if self.formality_share else ()
        return tuple(sorted({*(mix.tag for mix in self.mix.values() if mix.tag), *forms}))

    @property
    def formality_targets(self) -> tuple[str, ...]:
        """Codes of the target languages in which a form of address can be asked for, sorted."""
        targets = {pair.partition("-")[2] for pair in self.directions} & FORMALITY_LANGUAGES
        return tuple(sorted(targets)) if self.formality_share else ()

    def mix_of(self, corpus: str) -> MixConfig:
        """Return the settings of one corpus."""
        return self.mix.get(corpus, MixConfig())

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        problems = []
        if not self.corpora:
            problems.append("corpora: name at least one corpus")
        if not self.dev:
            problems.append('dev: name at least one part, such as "multi30k:val"')
        if not self.directions:
            problems.append('directions: name at least one, such as "de-en"')
        if self.temperature < 1:
            problems.append(f"temperature: must be at least 1, got {self.temperature}")
        if not 0 <= self.varied_share <= 1:
            problems.append(f"varied_share: must be in [0, 1], got {self.varied_share}")
        if not 0 <= self.formality_share <= 1:
            problems.append(f"formality_share: must be in [0, 1], got {self.formality_share}")
        if self.formality_share and not self.formality_targets:
            with_forms = ", ".join(sorted(FORMALITY_LANGUAGES))
            problems.append(
                f"formality_share: no direction leads to a language with forms: {with_forms}"
            )
        problems += [
            f'directions: must look like "de-en", got {pair!r}'
            for pair in self.directions
            if len(set(pair.split("-"))) != 2 or not all(pair.split("-"))
        ]
        problems += [
            f'{name}: must look like "corpus:part", got {part!r}'
            for name, parts in (("dev", self.dev), ("test", self.test))
            for part in parts
            if part.count(":") != 1
        ]
        problems += [
            f"mix.{name}: not one of the corpora" for name in set(self.mix) - {*self.corpora}
        ]
        problems += [
            f"mix.{name}.directions: {pair!r} is not one of the recipe's directions"
            for name, mix in self.mix.items()
            for pair in set(mix.directions) - {*self.directions}
        ]
        return problems


@dataclass(frozen=True, kw_only=True, slots=True)
class SubwordsConfig:
    """The joint SentencePiece vocabulary, learned from the training part alone.

    Attributes:
        model: a SentencePiece model to use instead of learning one.
        vocab_size: V, the 256 bytes and the special pieces included.
        algorithm: `unigram` (Kudo 2018) or `bpe` (Sennrich et al. 2016).
        character_coverage: share of characters that get a piece of their own; others become bytes.
        placeholders: how many placeholders there are for URLs, tags and the like, which the model
            copies instead of translating them; see `translator/text/placeholders.py`.
        marked_share: share of the pairs that get placeholders around a phrase, where emphasis and
            links would have theirs; see `rewriting.py`.
    """

    model: str = ""
    vocab_size: int = 8000
    algorithm: Literal["unigram", "bpe"] = "unigram"
    character_coverage: float = 1.0
    placeholders: int = 0
    marked_share: float = 0.0

    def __post_init__(self) -> None:
        raise_if_wrong(self)

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        problems = []
        if not 0 <= self.placeholders <= MAX_PLACEHOLDERS:
            problems.append(
                f"placeholders: must be in 0..{MAX_PLACEHOLDERS}, got {self.placeholders}"
            )
        if not 0 <= self.marked_share <= 1:
            problems.append(f"marked_share: must be in [0, 1], got {self.marked_share}")
        if not 1 <= self.vocab_size <= MAX_VOCAB_SIZE:
            problems.append(f"vocab_size: must be in 1..{MAX_VOCAB_SIZE}, got {self.vocab_size}")
        if not 0 < self.character_coverage <= 1:
            problems.append(f"character_coverage: must be in (0, 1], got {self.character_coverage}")
        learned = ("vocab_size", "algorithm", "character_coverage")
        defaults = {setting.name: setting.default for setting in dataclasses.fields(self)}
        return problems + [
            f"{name}: a vocabulary that comes from a file is not learned; leave this out"
            for name in learned
            if self.model and getattr(self, name) != defaults[name]
        ]
