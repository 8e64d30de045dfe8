"""Words that are typed without a sign that they are spelt with: `havent` is `haven't`."""

from __future__ import annotations

import re

from translator.text.characters import small_words, word_set

_NEGATED = (
    "ai|are|could|did|does|do|had|has|have|is|might|must|need|ought|sha|should|was|were|would"
)
_SHORT_FORMS = word_set(
    f"{_NEGATED.replace('|', 'nt ')}nt cant couldve hes heres hows im itll ive lets shes shouldve"
    " thats theres theyll theyre theyve weve whats wheres whos wont wouldve youll youre youve"
)
"""English ones that are typed without an apostrophe."""

_VERBS = (
    "accept|access|add|afford|agree|allow|answer|be|believe|buy|call|change|check|come|connect"
    "|delete|do|download|drink|drive|eat|even|ever|expect|explain|face|feel|find|fix|forget|get"
    "|give|go|have|hear|help|hurt|imagine|install|just|keep|know|leave|let|listen|live|log|look"
    "|make|meet|move|not|offer|open|pay|play|possibly|promise|put|read|really|remember|run|save"
    "|say|see|seem|sell|send|show|sign|sit|sleep|speak|stand|start|stay|stop|swim|take|talk|tell"
    "|think|trust|try|turn|understand|use|wait|walk|work|write"
)
_PRONOUNS = "anyone|everyone|he|i|it|nobody|one|people|she|someone|they|we|who|you"
_BEGINNING = r"(?:^|[.!?:;,–—(\"“]\s?|\b(?:but|now|ok|okay|please|so|then|well)\s)"
_CLAUSE = (
    r"\b(?:afraid|and|as|because|bet|cause|feel|guess|hello|hey|hi|hope|how|if|know|like|mean|no"
    r"|or|say|since|sorry|suppose|sure|that|think|though|till|until|what|when|where|while|who|wish"
    r"|yeah|yes)\s"
)
_START, _END = r"(?<![\w'’.@/-])", r"(?![\w'’@/-]|\.\w)"
_APOSTROPHES = tuple(
    (re.compile(pattern, re.IGNORECASE), r"\1'\2")
    for pattern in (
        rf"{_START}((?:{_NEGATED})n)(t){_END}",
        rf"{_START}((?:{_PRONOUNS}|how|why)\s(?:ca|wo)n)(t){_END}(?!\s(?:of|to)\b)",
        r"(?<!\ba )(?<!\bof )(?<!\bthe )(?<!\bto )"
        rf"{_START}((?:ca|wo)n)(t)(?=\s(?:{_PRONOUNS}|{_VERBS})\b)",
        rf"((?:{_BEGINNING}|{_CLAUSE})i)(m)(?=\s(?!(?!open|ten|even|often)[a-z]+en\b)(?-i:[a-z]))",
        rf"(?-i:{_START}([Ii])(ve)(?=\s(?!(?:ha[ds]|is|sa(?:id|ys)|was|will)\b)[a-z]))",
        rf"({_BEGINNING}let)(s)(?=\s(?:{_VERBS})\b)",
        rf"{_START}(s?he)(s)(?=\s(?-i:[a-z0-9]))",
        rf"{_START}((?:here|how|that|there|what|where|who))(s){_END}",
        rf"{_START}((?:they|you))(re){_END}",
        rf"{_START}((?:could|should|they|we|would|you))(ve){_END}",
        rf"{_START}((?:it|they|you))(ll){_END}",
    )
)
"""`cant` and `wont` are nouns, too, `im` is German, `Ive` is a name, and `lets` is a verb."""

_BACKTICK = re.compile(r"(?<=[^\W\d_])`(?=[a-z]{1,2}\b)", re.IGNORECASE)


def with_apostrophes(text: str) -> str:
    """Return an English text with the apostrophes that its short forms lack.

    A model that has hardly seen `hasnt` takes it for something else, and loses the negation.

    Args:
        text: a sentence, with placeholders.
    """
    if "`" in text:
        text = _BACKTICK.sub("'", text)
    if not _SHORT_FORMS.isdisjoint(small_words(text)):
        for typed, spelt in _APOSTROPHES:
            text = typed.sub(spelt, text)
    return text
