"""The calls that a program makes: texts and files, translated whole or sentence by sentence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from translator.config import DecodingOptions
from translator.deadline import NO_DEADLINE, Deadline
from translator.documents.kinds import NO_OPTIONS, FileOptions, read_file
from translator.pipeline.documents import translate_document
from translator.pipeline.face import AnyTranslator
from translator.pipeline.options import TextFormat, TextOptions
from translator.pipeline.texts import stream_texts, translate_texts
from translator.pipeline.translation import SentenceStream, Translation
from translator.rules.formality import Formality
from translator.text.glossary import Glossary


class TextTranslator:
    """The calls that every translator offers to a program; all but `AnyTranslator` is here."""

    def translate(
        self: AnyTranslator,
        texts: Sequence[str],
        *,
        source: str,
        target: str,
        text_format: TextFormat = "text",
        glossary: Glossary | None = None,
        options: DecodingOptions | None = None,
        formality: Formality | None = None,
        num_alternatives: int | None = None,
        prefixes: Sequence[str | None] = (),
        deadline: Deadline = NO_DEADLINE,
    ) -> list[Translation]:
        """Translate texts, exactly as the service does.

        The white space between sentences comes back byte for byte. A visibly wrong sentence is
        translated once more, and `Translation.flags` says so; `options.search_again = False`
        switches that off.

        Args:
            texts: of any length. A text without letters is returned as it is.
            source: language code of all texts.
            target: language code wanted. If it is `source`, the texts come back unchanged.
            text_format: of all texts, whole pages or fragments. Each paragraph of HTML or XML, and
                each attribute, is one sentence, and has its tags.
            glossary: terms whose translation is given.
            options: options of the search; the model's own by default.
            formality: how to address the reader, as `formal` (Sie) or `informal` (du), by the
                first model that has learned it; as the model does by default. A sentence that came
                out otherwise is flagged `formality`.
            num_alternatives: most other translations of each text to return; by default one less
                than `num_hypotheses` of the options. There are none of other formats than `text`.
            prefixes: what the translation of each text, plain text only, begins with; None leaves
                that to the model. A prefix has whole words of the first sentence that is
                translated, and the score is that of what follows them. Alternatives begin with it
                too, and each goes on with another word; so they do behind an empty prefix.
            deadline: how long to wait, what is called meanwhile, and who is told of the progress.

        Returns:
            one translation for each text, in order.

        Raises:
            UnsupportedLanguageError: no model translates that pair.
            InputError: a text is not valid Unicode, the options do not suit the model,
                num_alternatives is negative or not below MAX_BEAM_SIZE, a prefix cannot be kept,
                or no model has learned the form of address; `Language.formality` says which
                targets have a choice.
            EngineOverloadedError: the queue is full of sentences of other callers.
            EngineClosedError: the translator has been closed.
            DeadlineExceededError: the deadline passes before the translation is done.
        """
        wanted = TextOptions(
            source=source,
            target=target,
            text_format=text_format,
            glossary=glossary,
            decoding=options,
            formality=formality,
            num_alternatives=num_alternatives,
            prefixes=prefixes,
        )
        return translate_texts(self, texts, wanted, deadline)

    def stream(
        self: AnyTranslator,
        texts: Sequence[str],
        *,
        source: str,
        target: str,
        text_format: TextFormat = "text",
        glossary: Glossary | None = None,
        options: DecodingOptions | None = None,
        formality: Formality | None = None,
        deadline: Deadline = NO_DEADLINE,
    ) -> SentenceStream:
        """Translate as `translate` does, and yield each sentence when it is done.

        All texts are in the engine when this returns. Close the stream if you need no more of it:
        the remaining sentences then leave the engine. Arguments and errors are those of
        `translate`.

        Yields:
            the number of a text, from 0, and its next sentence. The separators and translations of
            a text, joined, are its whole translation. After its last sentence comes an empty one,
            whose separator is the rest of the text.
        """
        wanted = TextOptions(
            source=source,
            target=target,
            text_format=text_format,
            glossary=glossary,
            decoding=options,
            formality=formality,
        )
        return stream_texts(self, texts, wanted, deadline)

    def translate_file(
        self: AnyTranslator,
        file: str | Path,
        *,
        source: str,
        target: str,
        glossary: Glossary | None = None,
        options: DecodingOptions | None = None,
        formality: Formality | None = None,
        file_options: FileOptions = NO_OPTIONS,
        deadline: Deadline = NO_DEADLINE,
    ) -> bytes:
        """Return a file in another language, with everything else in it as it was.

        Args: see `translate`, and:
            file: of any kind that the service translates, such as `.docx`, `.pdf`, `.po` or `.txt`.
            file_options: of tables: which columns, and whether names of sheets are translated.

        Raises:
            InputError: the file cannot be read.
            OSError: it cannot be opened.
            TranslatorError: see `translate`.
        """
        path = Path(file)
        document = read_file(str(path), path.read_bytes(), target, file_options)
        wanted = TextOptions(
            source=source, target=target, glossary=glossary, decoding=options, formality=formality
        )
        return translate_document(self, document, wanted, deadline)
