"""Words that are typed without a sign that they are spelt with."""

from __future__ import annotations

import pytest

from translator.text.negation import turned_round
from translator.text.spelling import with_apostrophes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We havent paid, and she hasnt.", "We haven't paid, and she hasn't."),
        ("Dont! IT DOESNT WORK", "Don't! IT DOESN'T WORK"),
        ("You mustn`t tell, they won`t pay.", "You mustn't tell, they won't pay."),
        ("He cant swim and she wont.", "He can't swim and she won't."),
        ("My car wont start. Cant you help?", "My car won't start. Can't you help?"),
        ("the cant of thieves, as was his wont", "the cant of thieves, as was his wont"),
        ("He was wont to cant about it.", "He was wont to cant about it."),
        ("im home and I think im ill", "i'm home and I think i'm ill"),
        ("Send an im. Freiburg im Breisgau", "Send an im. Freiburg im Breisgau"),
        ("Im Westen, im neuen Haus", "Im Westen, im neuen Haus"),
        ("ive seen it, Ive lost", "i've seen it, I've lost"),
        ("Jony Ive has left. Ive was here.", "Jony Ive has left. Ive was here."),
        ("Lets go! Ok lets eat.", "Let's go! Ok let's eat."),
        ("It lets go. Lets you choose, Lets users", "It lets go. Lets you choose, Lets users"),
        ("Hes ill, shes my sister.", "He's ill, she's my sister."),
        ("Thats all, whos there?", "That's all, who's there?"),
        ("theyre late, youll see, weve won", "they're late, you'll see, we've won"),
        ("its ill, well, were, shell and wed", "its ill, well, were, shell and wed"),
        ("dont.py, user@dont.com, pre-cant, arent-x", "dont.py, user@dont.com, pre-cant, arent-x"),
    ],
)
def test_short_forms_get_their_apostrophes(text: str, expected: str) -> None:
    assert with_apostrophes(text) == expected


@pytest.mark.parametrize("text", ["He hasnt paid.", "we cant pay", "It won`t start."])
def test_a_negation_without_its_apostrophe_is_one(text: str) -> None:
    assert turned_round("en", "de", with_apostrophes(text))("Er hat bezahlt.")
