"""How a German sentence addresses its reader: formally (Sie) or informally (du, ihr).

Training learns from it which form a pair has, and the translator checks by it which form came out.
English has one form, but the salutation and the closing of a letter tell which one is meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

Formality = Literal["formal", "informal"]

MARKS: tuple[Formality, ...] = ("formal", "informal")
"""Both forms."""

LANGUAGES = frozenset({"de"})
"""Codes of the languages whose forms of address are known here."""

_SECOND_PLURAL = (
    r"(?:[Hh]abt|[Ss]eid|[Kk]önnt|[Ww]ollt|[Mm]üsst|[Ss]ollt|[Dd]ürft|[Ww]erdet|[Ww]isst)"
)
_INFORMAL = re.compile(
    r"(?<![\w-])(?:[Dd]u|[Dd]ich|[Dd]ir|[Dd]ein(?:e[mnrs]?)?|[Ee]uch|[Ee]uer|[Ee]ure[mnrs]?|"
    rf"{_SECOND_PLURAL} ihr|ihr {_SECOND_PLURAL})(?![\w-])"
)
_FRENCH = re.compile(
    r"\b(?:(?<=[^\W\d_][ ,])[A-ZÀ-Ý][\w’'-]*|[Rr]ue|[Pp]ont|[Tt]our|[Pp]rix|[Pp]lace|[Pp]arc)"
    r" du [A-ZÀ-Ý]"
)
_FORMAL = re.compile(r"(?<![\w-])(?:Sie|Ihnen|Ihr(?:e[mnrs]?)?)(?![\w-])")
_BEGINS = re.compile(r"(?:^|[.!?:…\n]|[\"“”„‚‘’»«›‹(\[–—•*|/-])\s*$")
_READER = re.compile(r"\b(?:you|your|yours|yourself|yourselves)\b", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“”„»«‹›]")
_QUOTATION = re.compile(r"\"[^\"]*\"|[„“][^“”]*[“”]|»[^«]*«|«[^»]*»|›[^‹]*‹|‹[^›]*›")
_OTHERS = re.compile(r"\b(?:she|her|hers|they|them|their|theirs)\b", re.IGNORECASE)

_GREETING = r"(?:Dear|Hello|Hi|Good (?:morning|afternoon|evening|day)),?"
_STRANGER = (
    r"(?:(?:M(?:rs?|s|x)|Dr|Prof)\b\.?|(?:Miss|Professor|Doctor|Sirs?|Madam|Ladies and Gentlemen"
    r"|[Hh]iring [Mm]anager|(?:[Vv]alued )?(?:[Cc]ustomer|[Cc]lient|[Gg]uest|[Aa]pplicant)s?)\b)"
)
_FAMILY = "(?:Mum|Mom|Mummy|Mommy|Dad|Daddy|Gran|Grandma|Grandpa|Nan|Granny)"
_NAMES = r"[A-Z][\w'’-]*(?:(?: and |, | )[A-Z][\w'’-]*){0,2}"
_SALUTATIONS: dict[Formality, re.Pattern[str]] = {
    "formal": re.compile(
        rf"{_GREETING} {_STRANGER}(?! of\b)|(?:To [Ww]hom [Ii]t [Mm]ay [Cc]oncern)\b"
    ),
    "informal": re.compile(
        rf"(?:Hi|Hiya|Hey)(?: there| guys| folks| you(?: two)?| love| mate| {_NAMES})?"
        rf"(?<!Hi)\s?(?:[,!.–—-]|$)|Dear(?:est)? {_FAMILY}\b"
    ),
}
_CLOSINGS: dict[Formality, re.Pattern[str]] = {
    "formal": re.compile(
        r"(?:^|(?<=[.!?] ))(?:Yours (?:very )?(?:sincerely|faithfully|truly)"
        r"|Sincerely(?: yours)?,|Respectfully(?: yours)?,)",
        re.IGNORECASE,
    ),
    "informal": re.compile(
        r"(?:^|(?<=[.!?] ))(?:(?:(?:Lots of|All my|All our|Much|With(?: all my)?) )?[Ll]ove"
        r"|(?:Big )?[Hh]ugs?(?: and kisses)?|Cheers|XO(?:XO)?)(?: from)?"
        rf"(?:[,!]? ?{_NAMES})?[,!]?(?: x{{1,5}})?$"
    ),
}
"""What only strangers, and what only friends, write above a letter and below it."""

_MOST_LINES_ABOVE, _MOST_LINES_BELOW = 12, 6
"""Lines that may stand above a salutation, such as an address, and below a closing."""

_LONGEST_CLOSING = 80
_ENDS_SENTENCE = re.compile(r"(?<!\bDr)(?<!\bSt)[.!?]$")


def formality_of(german: str, english: str = "") -> Formality | None:
    """Return how a German text addresses its reader.

    `Sie` and `Ihr` at the beginning of a sentence are also she, they and their. Such a word counts
    only if the text in English speaks to a reader, and of nobody else.

    Returns:
        `formal` or `informal`; None if the text addresses nobody, or in both ways.
    """
    forms = _forms_of(german, english)
    return forms.pop() if len(forms) == 1 else None


def has_other_form(german: str, english: str, wanted: Formality) -> bool:
    """Whether a German text addresses its reader in another form than wanted, also in places.

    What is quoted may address others, so that it counts only if nothing else addresses anyone. A
    text with a mark of which the other is missing counts only as a whole.
    """
    rest = _QUOTATION.sub("…", german)  # behind which a sentence may begin, as behind the marks
    if not (forms := _forms_of(rest, english)):
        rest, forms = german, _forms_of(german, english)
    return bool(forms - {wanted}) and not (len(forms) > 1 and _QUOTED.search(rest))


def _begins(text: str, start: int) -> bool:
    last = len(text[:start].rstrip()) - 1
    return _BEGINS.search(text, max(0, last), start) is not None


def form_of_letter(english: str) -> Formality | None:
    """Return the form of address that an English letter asks for by its salutation and its closing.

    Returns:
        `formal` or `informal`; None if the text is no letter, or if the two tell different forms.
    """
    lines = [stripped for line in english.splitlines() if (stripped := line.strip())]
    forms = {_salutation(lines), _closing(lines)} - {None}
    return forms.pop() if len(forms) == 1 else None


def _salutation(lines: Sequence[str]) -> Formality | None:
    for line in lines[:_MOST_LINES_ABOVE]:
        for form in MARKS:
            if _SALUTATIONS[form].match(line):
                return form
        if _ENDS_SENTENCE.search(line):
            break
    return None


def _closing(lines: Sequence[str]) -> Formality | None:
    for line in lines[-_MOST_LINES_BELOW:]:
        for form in MARKS:
            if _CLOSINGS[form].search(line[-_LONGEST_CLOSING:]):
                return form
    return None


def _forms_of(german: str, english: str) -> set[Formality]:
    letters = german.replace("SIE", "Sie").replace("DU", "Du") if german.isupper() else german
    forms = set[Formality]()
    if len(_INFORMAL.findall(letters)) > len(_FRENCH.findall(letters)):
        forms.add("informal")
    is_to_reader = bool(_READER.search(english)) and not _OTHERS.search(english)
    if any(
        is_to_reader or not _begins(letters, word.start()) for word in _FORMAL.finditer(letters)
    ):
        forms.add("formal")
    return forms
