"""The pipeline: a text goes down its steps to the model, and its translation comes up again.

Each step takes texts down, and brings up the sentences of their translations, in batches: what is
done at the same time comes up together, so that a step which has to ask the model, where a tag
belongs for example, asks once for all of them. A whole translation is the list of a stream.

    texts                                              translations
      │  format       paragraphs, cells, attributes               │
      │  languages    parts in one language each                  │
      │  spacing                        no space where none belongs
      │  terms        terms of the glossary in their places       │
      │  beginnings                     headings keep their capital
      │  amounts            `850.00` beside `1,204.17` as that is written
      │  words                           where each word is from  │
      │  tags         without tags        tags where they belong  │
      ▼  sentences    the steps of `translator.text`, the search  ┘

From `words` on, each model has steps of its own; a way through a third language has two models.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from translator.pipeline.options import OnStep
from translator.pipeline.translation import SentenceTranslation, of_one_text
from translator.text.marked import MarkedText

if TYPE_CHECKING:
    from translator.alignment.alignment import Aligner, Alignment
    from translator.deadline import Deadline

Texts = Sequence[MarkedText]
NumberedSentence = tuple[int, SentenceTranslation]
Batches = Iterator[Sequence[NumberedSentence]]
"""The sentences of texts, each with the number of its text, in order. The last one of a text is
empty, and has what stands behind the others."""


class Step(Protocol):
    """A step of the pipeline."""

    name: str

    def down(self, texts: Texts) -> Texts:
        """Return what the next step gets instead of some texts."""
        ...

    def up(self, batches: Batches) -> Batches:
        """Yield the sentences of the texts from those of what `down` returned."""
        ...


class Question(NamedTuple):
    """What a step has to know of a sentence before it can bring it up.

    Attributes:
        source, target: the sentence and its translation, as the model reads them.
        answer: returns the sentence, given which pieces of both belong together; None if that
            cannot be told.
    """

    source: str
    target: str
    answer: Callable[[Alignment | None], SentenceTranslation]


BringUp = Callable[[SentenceTranslation], SentenceTranslation | Question]
"""Brings up the sentences of a text, one after the other."""


class TextStep:
    """A step that takes each text down by itself, and brings it up sentence by sentence."""

    name: str

    def __init__(self) -> None:
        """Begin with no text."""
        self._bring_ups: dict[int, BringUp] = {}

    def take_down(self, text: MarkedText) -> tuple[MarkedText, BringUp | None]:
        """Return a text as the next step gets it, and what brings it up; None leaves it as it is.

        Subclasses say how.
        """
        raise NotImplementedError

    def down(self, texts: Texts) -> Texts:
        """Take each text down; see `Step.down`."""
        below = list[MarkedText]()
        for number, text in enumerate(texts):
            taken, bring_up = self.take_down(text)
            below.append(taken)
            if bring_up is not None:
                self._bring_ups[number] = bring_up
        return below

    def up(self, batches: Batches) -> Batches:
        """Bring up each sentence; see `Step.up`."""
        return map(self._up, batches) if self._bring_ups else batches

    def _up(self, batch: Sequence[NumberedSentence]) -> Sequence[NumberedSentence]:
        bring_ups = self._bring_ups
        risen = [
            (number, bring_ups[number](sentence) if number in bring_ups else sentence)
            for number, sentence in batch
        ]
        questions = [answer for _, answer in risen if isinstance(answer, Question)]
        alignments = iter(self.align(questions) if questions else ())
        return [
            (number, sentence.answer(next(alignments)))
            if isinstance(sentence, Question)
            else (number, sentence)
            for number, sentence in risen
        ]

    def align(self, questions: Sequence[Question]) -> Sequence[Alignment | None]:
        """Return what is asked for; subclasses that have questions say how."""
        raise NotImplementedError


class ModelStep(TextStep):
    """A step that may ask the model which words belong together, and how probable they are."""

    has_log_probs = False

    def __init__(self, aligner: Aligner, target: str, deadline: Deadline) -> None:
        """Take what aligns sentences with translations into a language."""
        super().__init__()
        self.aligner, self.target, self._deadline = aligner, target, deadline

    def align(self, questions: Sequence[Question]) -> Sequence[Alignment | None]:
        """Ask the model, once for all questions."""
        pairs = [(question.source, question.target) for question in questions]
        return self.aligner.align(pairs, self.target, self._deadline.look, self.has_log_probs)


def down_and_up(
    steps: Sequence[Step],
    texts: Texts,
    bottom: Callable[[Texts], Batches],
    on_step: OnStep | None = None,
) -> Batches:
    """Take texts down some steps, and return their translations as these bring them up.

    The highest step comes first, and `bottom` translates what the last one hands down. For
    `on_step` see `TextOptions`.
    """
    for step in steps:
        texts = step.down(texts)
        if on_step is not None:
            on_step(step.name, [text.text for text in texts])
    batches = bottom(texts)
    for step in reversed(steps):
        batches = step.up(batches)
        if on_step is not None:
            batches = _watched(batches, f"{step.name}, up", on_step)
    return batches


def _watched(batches: Batches, name: str, on_step: OnStep) -> Batches:
    for batch in batches:
        on_step(name, [sentence.text for _, sentence in batch if sentence.source])
        yield batch


def numbered(batches: Batches) -> Iterator[NumberedSentence]:
    """Yield the sentences of all batches."""
    for batch in batches:
        yield from batch


def text_by_text(batches: Batches, count: int) -> Iterator[list[SentenceTranslation]]:
    """Yield the sentences of each of so many texts."""
    sentences = numbered(batches)
    for _ in range(count):
        yield list(of_one_text(sentences))
