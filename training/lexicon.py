"""What words mean most often in parallel texts, by alignment with IBM Model 1.

A word list has lemmas, and says little of what is usual. Texts have "keeps" and "heftig" a hundred
times, in sentences, and a model that has read them there does not know these words alone. Both
together give lines from which it learns them.

Source: Brown et al. 1993, The Mathematics of Statistical Machine Translation, §4.2 (Model 1).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.data.corpus import SentencePair
from training.word_list import LANGUAGES, UMLAUTS, Senses, forms_of, is_listed, senses_of
from translator.errors import InputError
from translator.files import read_lines
from translator.pipeline.sentence_search import LEAST_OF_RARE_WORD
from translator.pipeline.translation import Translation
from translator.pipeline.translator import Translator
from translator.tokens.lexicon import Entry

WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
LONGEST_SENTENCE = 25
"""In words. In long sentences everything stands beside everything."""

FEWEST_USES = 3
LEAST_KEPT = 0.03
LEAST_LISTED = (0.05, 0.02)
"""That a word is translated so, and its translation by that word, if the word list has both."""
LEAST_UNLISTED = (0.45, 0.25)
FEWEST_UNLISTED_USES = 6
LEAST_COPIED = 0.1  # "Schneider" is more often a name than a tailor, and the model keeps it
LEAST_MEANING = 0.08

FEWEST_LETTERS = 3
LEAST_SURE = -0.3
"""In nats an id. Most translations of words that stand alone which are more probable than this are
right, even if neither the texts nor the word list confirm them."""

Spellings = tuple[Set[str], Set[str]]
"""Of both languages, the words as the word list writes them."""


@dataclass(slots=True)
class ParallelWords:
    """The words of both sides of parallel texts, each spelled as inside a sentence.

    Attributes:
        sides: of each language, the words by their numbers, the most frequent first.
        uses: of each language, how often words occur.
        pairs: the sentences of both sides as such numbers; words that are too rare are left out.
    """

    sides: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))
    uses: tuple[Counter[str], Counter[str]] = field(default_factory=lambda: (Counter(), Counter()))
    pairs: list[tuple[list[int], list[int]]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class AlignedWord:
    """What a word means.

    Attributes:
        meanings: the likeliest first; at least one.
        aligned: all words, in small letters, that the alignment has seen opposite the word.
    """

    meanings: Sequence[str]
    aligned: frozenset[str] = frozenset()


def read_words(pairs: Iterable[SentencePair]) -> ParallelWords:
    """Read short pairs of sentences word by word.

    The first word of a sentence has a capital; it loses it if that is how it is mostly written
    inside sentences.
    """
    split = [[WORD.findall(side) for side in pair.sides] for pair in pairs]
    split = [p for p in split if all(1 <= len(side) <= LONGEST_SENTENCE for side in p)]
    inside: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for pair in split:
        for side, counts in zip(pair, inside, strict=True):
            counts.update(side[1:])
    words = ParallelWords()
    for pair in split:
        for side, counts, uses in zip(pair, inside, words.uses, strict=True):
            small = side[0][0].lower() + side[0][1:]
            if counts[small] and counts[small] >= counts[side[0]]:
                side[0] = small
            uses.update(side)
    numbers = list[dict[str, int]]()
    for known, uses in zip(words.sides, words.uses, strict=True):
        known += [word for word, count in uses.most_common() if count >= FEWEST_USES]
        numbers.append({word: number for number, word in enumerate(known)})
    for pair in split:
        first, second = (
            [ours[word] for word in side if word in ours]
            for side, ours in zip(pair, numbers, strict=True)
        )
        if first and second:
            words.pairs.append((first, second))
    return words


def model_1(
    pairs: Sequence[tuple[Sequence[int], Sequence[int]]],
    num_sources: int,
    num_targets: int,
    iterations: int = 5,
) -> dict[tuple[int, int], float]:
    """Return t(target word | source word) of IBM Model 1, by expectation maximisation.

    Args:
        pairs: numbers of the source words, and of the target words, of each pair of sentences.
        num_sources: of different source words. One more stands for no word at all.
        num_targets: of different target words.
        iterations: of expectation maximisation, from equal probabilities.

    Returns:
        the probabilities of (source word, target word) that are at least LEAST_KEPT.

    Source: Brown et al. 1993, §4.2, Eq. 14 and 17.
    """
    no_word = num_sources
    cells, targets_of_cells = [], []
    num_tokens = 0
    for source, target in pairs:
        sources = np.array([*source, no_word], np.int64)
        targets = np.array(target, np.int64)
        cells.append((targets[:, None] + sources[None, :] * num_targets).ravel())  # (T * (S + 1),)
        tokens = np.arange(num_tokens, num_tokens + len(targets), dtype=np.int32)
        targets_of_cells.append(np.repeat(tokens, len(sources)))
        num_tokens += len(targets)
    entries, entry_of_cell = np.unique(np.concatenate(cells), return_inverse=True)
    token_of_cell = np.concatenate(targets_of_cells)
    source_of_entry = entries // num_targets
    likely: NDArray[np.float64] = np.ones(len(entries))
    for _ in range(iterations):
        shares = likely[entry_of_cell]
        shares /= np.bincount(token_of_cell, shares, minlength=num_tokens)[token_of_cell]
        counts = np.bincount(entry_of_cell, shares, minlength=len(entries))
        likely = counts / np.bincount(source_of_entry, counts, num_sources + 1)[source_of_entry]
    kept = (likely >= LEAST_KEPT) & (source_of_entry != no_word)
    found = zip(entries[kept].tolist(), likely[kept].tolist(), strict=True)
    return {divmod(entry, num_targets): probability for entry, probability in found}


def lexicon(
    words: ParallelWords, lists: tuple[Senses, Senses], spellings: Spellings, side: int
) -> dict[str, AlignedWord]:
    """Return the words of one language with what they mean, the most frequent words first.

    A meaning is one that the word list has, in whatever form, or one that both directions of the
    alignment are sure of. An inflected German word becomes the form that the list has for the very
    word: "large" is "groß", not "große". `side` is 0 if German words are translated, 1 if English
    ones are; the spellings tell whether words have a capital.
    """
    sizes = [len(known) for known in words.sides]
    ours = model_1([(p[side], p[1 - side]) for p in words.pairs], sizes[side], sizes[1 - side])
    back = model_1([(p[1 - side], p[side]) for p in words.pairs], sizes[1 - side], sizes[side])
    candidates: dict[int, list[tuple[int, float, float]]] = defaultdict(list)
    for (source, target), likely in ours.items():
        if (target, source) in back:
            candidates[source].append((target, likely, back[target, source]))
    found = dict[str, AlignedWord]()
    for number, word in enumerate(words.sides[side]):
        aligned = [(words.sides[1 - side][t], there, here) for t, there, here in candidates[number]]
        uses = words.uses[side][word]
        likely_of = _meanings(word, uses, aligned, lists[side], spellings[1 - side], side)
        best = max(likely_of.values(), default=0.0)
        means = [
            text
            for text, likely in sorted(likely_of.items(), key=lambda item: -item[1])
            if likely >= max(best / 2, LEAST_MEANING)
        ]
        if means and (len(word) > 1 or word in ("a", "I")):
            found[word] = AlignedWord(means, frozenset(text.lower() for text, _, _ in aligned))
    return found


def _meanings(
    word: str,
    uses: int,
    aligned: Iterable[tuple[str, float, float]],
    senses: Senses,
    written: Set[str],
    side: int,
) -> dict[str, float]:
    known = senses_of(word, senses, LANGUAGES[side])
    exact = senses.get(word.lower().translate(UMLAUTS), set())
    target_language = LANGUAGES[1 - side]
    likely_of: dict[str, float] = defaultdict(float)
    for text, likely, back in aligned:
        is_known = bool(known) and is_listed(text, known, target_language)
        if is_known and likely >= LEAST_LISTED[0] and back >= LEAST_LISTED[1]:
            form = _base(text, word, exact, written) if target_language == "de" else text
            likely_of[_as_written(form, written)] += likely
        elif (
            likely >= LEAST_UNLISTED[0]
            and back >= LEAST_UNLISTED[1]
            and uses >= FEWEST_UNLISTED_USES
        ) or (word == text and likely >= LEAST_COPIED):
            likely_of[text] += likely
    return likely_of


def _base(text: str, word: str, exact: Iterable[str], written: Set[str]) -> str:
    """Return the form of a German word that the word list has for an English one."""
    if text.lower() in exact:
        return text
    forms = forms_of(text.lower(), "de")
    bases = [base for base in exact if " " not in base and base.translate(UMLAUTS) in forms]
    if not bases:
        return text
    base = min(bases, key=lambda base: (len(base), base))
    is_noun = text[0].isupper() and word[0].islower()
    return _as_written(base.capitalize() if is_noun else base, written)


def _as_written(text: str, written: Set[str]) -> str:
    return next((one for one in (text, text.lower(), text.capitalize()) if one in written), text)


def is_known(answer: str, word: str, means: Iterable[str], senses: Senses, side: int) -> bool:
    """Return whether an answer of a model is one of a word's meanings, or listed for it."""
    if answer.lower() in {meaning.lower() for meaning in means}:
        return True
    known = senses_of(word, senses, LANGUAGES[side])
    return bool(known) and is_listed(answer, known, LANGUAGES[1 - side])


def lines_of(
    entries: Mapping[str, AlignedWord], is_missed: Mapping[str, bool], side: int
) -> Iterator[SentencePair]:
    """Yield the lines from which words are learned, those that a model misses several times.

    A quarter of the words in small letters have a capital, as at the beginning of a line.
    """
    line = 0
    for word, entry in entries.items():
        usual, *others = entry.meanings[:2]
        texts = [usual, usual, *others] * 4 if is_missed[word] else [usual, *others]
        for text in texts:
            line += 1
            sides = [word, text]
            capital = word[0].upper() + word[1:]
            if line % 4 == 0 and word != capital and capital not in entries:
                sides = [capital, text[0].upper() + text[1:]]
            yield SentencePair(*(sides[::-1] if side else sides))


def typed_words(words: Iterable[str], uses: Mapping[str, int], side: int) -> dict[str, str]:
    """Return words by what people type: with a capital and, if they are German, also without.

    A spelling that texts use half as often as the usual one is another word: "Sue" and "to sue".
    `side` is 0 if the words are German, 1 if they are English.
    """
    typed = {word: word for word in words}
    for word in typed.copy():
        small, capital = word[0].lower() + word[1:], word[0].upper() + word[1:]
        for other in (capital, small) if side == 0 else (capital,):
            if not word.isupper() and 2 * uses.get(other, 0) < uses.get(word, 0):
                typed.setdefault(other, word)
    return typed


def unknown_alone(
    answers: Mapping[str, Translation],
    usual: Mapping[str, str],
    is_rare: Callable[[str], bool],
    entries: Mapping[str, AlignedWord],
    senses: Senses,
    side: int,
) -> Iterator[tuple[str, str]]:
    """Yield the words that a model translates badly when they stand alone, with what they mean.

    Its translation is not known, and is the word itself or little probable. Or the word is rare,
    and its translation is known, but so improbable that the word would be left as it is. The
    meaning is one that the word list confirms. A word with a capital that is usually written
    without, as in labels, has a meaning with a capital; there a translation is also known if the
    alignment has seen one of its words, since labels have words of their own: `Teilen` is `Share`.

    Args:
        answers: of the model, from one search each, with their candidates.
        usual: the usual spelling of each word that was asked for.
        is_rare: whether the model's vocabulary has a word only in pieces.
        entries: of words in that spelling.
        senses: what the word list gives for words.
        side: 0 if German words are translated, 1 if English ones are.
    """
    for typed, answer in answers.items():
        word = usual[typed]
        means, known = entries[word].meanings, senses_of(word, senses, LANGUAGES[side])
        meaning, is_copy = means[0], answer.text.casefold() == typed.casefold()
        is_right = is_known(answer.text, word, means, senses, side) or (
            not is_copy and _is_label_for(answer.text, typed, entries)
        )
        score = answer.candidates[0].score if answer.candidates else 0.0
        is_lost = score < LEAST_OF_RARE_WORD and is_rare(typed)
        if (
            (is_lost if is_right else is_copy or score < LEAST_SURE)
            and len(word) >= FEWEST_LETTERS
            and not word.isupper()
            and meaning.casefold() != word.casefold()
            and is_listed(meaning, known, LANGUAGES[1 - side])
        ):
            has_capital = typed[0].isupper() and word[0].islower()
            yield typed, meaning[0].upper() + meaning[1:] if has_capital else meaning


def _is_label_for(text: str, typed: str, entries: Mapping[str, AlignedWord]) -> bool:
    """Return whether a text may be the label for a word with a capital that texts have without."""
    small = entries.get(typed[0].lower() + typed[1:])
    if typed[0].islower() or small is None:
        return False
    aligned = small.aligned | (entries[typed].aligned if typed in entries else frozenset())
    return any(len(word) >= FEWEST_LETTERS and word in aligned for word in text.lower().split())


SET_PHRASES = Path(__file__).with_name("set_phrases.tsv")
"""What is said as a whole: greetings, wishes, signs. A small model translates them word by word,
since each is a handful of lines in millions. Lines are those of a lexicon: language, language
wanted, phrase, meaning."""

_I = re.compile(r"I\b")


def read_set_phrases(path: Path = SET_PHRASES) -> Iterator[Entry]:
    """Yield the phrases of a file, and after each the same in small letters.

    A meaning in German keeps its first capital, which may be that of a noun.

    Raises:
        InputError: a line has other columns.
    """
    for number, line in enumerate(read_lines(path), 1):
        columns = line.split("\t")
        if len(columns) != 4 or not all(columns):
            raise InputError(
                f"{path}, line {number}: must have a language, the language wanted, a phrase and "
                "what it means, with tabs between them"
            )
        source, target, phrase, meaning = columns
        yield source, target, phrase, meaning
        if target == "en" and not _I.match(meaning):
            meaning = meaning[0].lower() + meaning[1:]
        yield source, target, phrase.lower(), meaning


def unknown_phrases(translator: Translator, phrases: Iterable[Entry]) -> list[Entry]:
    """Return the phrases that a model translates otherwise."""
    unknown = list[Entry]()
    by_pair: dict[tuple[str, str], list[Entry]] = {}
    for entry in phrases:
        by_pair.setdefault(entry[:2], []).append(entry)
    for (source, target), entries in by_pair.items():
        texts = [phrase for _, _, phrase, _ in entries]
        answers = translator.translate(texts, source=source, target=target)
        pairs = zip(entries, answers, strict=True)
        unknown += [entry for entry, answer in pairs if answer.text != entry[3]]
    return unknown
