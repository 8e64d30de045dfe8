"""A toy language pair with a real grammar: agreement, articles, and verbs at the end."""

from __future__ import annotations

import random

NOUNS = [
    ("der Hund", "den Hund", "the dog"),
    ("die Katze", "die Katze", "the cat"),
    ("das Kind", "das Kind", "the child"),
    ("der Mann", "den Mann", "the man"),
    ("die Frau", "die Frau", "the woman"),
    ("der Vogel", "den Vogel", "the bird"),
    ("das Pferd", "das Pferd", "the horse"),
]
VERBS = [("sieht", "sees"), ("hört", "hears"), ("sucht", "seeks"), ("mag", "likes")]
PLACES = [
    ("im Garten", "in the garden"),
    ("am Fluss", "at the river"),
    ("auf der Straße", "on the street"),
    ("", ""),
]


def toy_pairs(count: int, generator: random.Random) -> list[tuple[str, str]]:
    """Return `count` pairs (German, English)."""
    pairs = []
    for _ in range(count):
        subject, target = generator.choice(NOUNS), generator.choice(NOUNS)
        verb, place = generator.choice(VERBS), generator.choice(PLACES)
        german = f"{subject[0]} {verb[0]} {target[1]} {place[0]}".strip() + "."
        english = f"{subject[2]} {verb[1]} {target[2]} {place[1]}".strip() + "."
        pairs.append((german[0].upper() + german[1:], english[0].upper() + english[1:]))
    return pairs


def toy_lines(count: int, seed: int = 0) -> list[str]:
    """Return both sides of `count` pairs, one after the other."""
    return [line for pair in toy_pairs(count, random.Random(seed)) for line in pair]


def toy_sides(count: int, seed: int) -> dict[str, list[str]]:
    """Return `count` pairs by language."""
    pairs = toy_pairs(count, random.Random(seed))
    return {"de": [german for german, _ in pairs], "en": [english for _, english in pairs]}
