"""The numbers of one chunk, compared with those of its translations."""

from __future__ import annotations

import functools

from translator.text.numbers.agreement import AGREED, Disagreement, disagreement
from translator.text.numbers.mentions import mentions_in
from translator.text.numbers.writing import replacements
from translator.text.spans import find_spans
from translator.tokens.chunks import Chunk
from translator.tokens.port import Vocabulary
from translator.translate.numbers.variants import Variant, variants_of


class NumberCheck:
    """Says which numbers of a chunk a translation has wrong, and how to ask for it otherwise."""

    def __init__(self, chunk: Chunk, tokenizer: Vocabulary, max_ids: int) -> None:
        """Check translations of a chunk.

        Args:
            chunk: of a sentence.
            tokenizer: of the model.
            max_ids: the most source ids of a chunk.
        """
        self._chunk, self._tokenizer, self._max_ids = chunk, tokenizer, max_ids

    def wrong(self, translation: str) -> Disagreement:
        """Return which numbers of the chunk and of a translation do not agree.

        Args:
            translation: as the model has written it, with placeholders.
        """
        languages = self._chunk.languages
        if not all(languages):
            return AGREED
        written = self._chunk.written(translation)
        return disagreement(self._source, self._without_spans(written), languages)

    def variants(self, wrong: Disagreement) -> list[Variant]:
        """Return other ways to ask for the chunk, the best first."""
        languages = self._chunk.languages
        mentions = mentions_in(self._source, languages[0])
        found = list(replacements(mentions, wrong.missing, self._source, languages))
        return list(variants_of(self._chunk, found, self._tokenizer, self._max_ids))

    @functools.cached_property
    def _source(self) -> str:
        return self._without_spans(self._chunk.protected.text)

    def _without_spans(self, text: str) -> str:
        """Return a text of as many characters, where a model without placeholders reads addresses.

        What is misspelled there is put back later.
        """
        if self._tokenizer.num_placeholders:
            return text
        for start, end in find_spans(text):
            text = text[:start] + "_" * (end - start) + text[end:]
        return text
