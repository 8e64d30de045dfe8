"""Vocabularies of `transformers`' directories: which pieces there are, and of which languages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from translator.config import ModelConfig
from translator.errors import ImportedModelError
from translator.store.imports.languages import own_codes, tags_and_pairs
from translator.store.imports.pieces import filled, made_form, ordered, pieces_by_id, sentencepieces
from translator.store.imports.reading import read_bytes, read_json, read_table
from translator.tokens.imported import SOURCE, TARGET, ImportedVocabulary

CONFIG, GENERATION, VOCABULARY = "config.json", "generation_config.json", "vocab.json"
FAIRSEQ_MODEL = "sentencepiece.bpe.model"
# fmt: off
M2M100_LANGUAGES = [
    "af", "am", "ar", "ast", "az", "ba", "be", "bg", "bn", "br", "bs", "ca", "ceb", "cs", "cy",
    "da", "de", "el", "en", "es", "et", "fa", "ff", "fi", "fr", "fy", "ga", "gd", "gl", "gu",
    "ha", "he", "hi", "hr", "ht", "hu", "hy", "id", "ig", "ilo", "is", "it", "ja", "jv", "ka",
    "kk", "km", "kn", "ko", "lb", "lg", "ln", "lo", "lt", "lv", "mg", "mk", "ml", "mn", "mr",
    "ms", "my", "ne", "nl", "no", "ns", "oc", "or", "pa", "pl", "ps", "pt", "ro", "ru", "sd",
    "si", "sk", "sl", "so", "sq", "sr", "ss", "su", "sv", "sw", "ta", "th", "tl", "tn", "tr",
    "uk", "ur", "uz", "vi", "wo", "xh", "yi", "yo", "zh", "zu",
]
# fmt: on
"""In the order of their ids, as the dictionary of the published models has them."""

_NLLB_LANGUAGE = re.compile(r"[a-z]{3}_[A-Z][a-z]{3}")
_PAIR = re.compile(r"(?:opus-mt-(?:tc-(?:big-|base-|bible-big-)?)?)?([a-z]{2,3})-([a-z]{2,3})")


def _forbidden(generation: Mapping[str, Any], pad_id: int, vocab_size: int) -> tuple[int, ...]:
    """Return pad, and the single ids that the generation's configuration calls bad words."""
    words = generation.get("bad_words_ids") or []
    if not isinstance(words, list):
        raise ImportedModelError(f"{GENERATION}: bad_words_ids must be a list, got {words!r}")
    single = {word[0] for word in words if isinstance(word, list) and len(word) == 1}
    bad = [word for word in single if type(word) is not int or not 0 <= word < vocab_size]
    if bad:
        raise ImportedModelError(f"{GENERATION}: bad_words_ids has {bad[0]!r}, which is no id")
    return tuple(sorted({*single, pad_id}))


# --- Marian --------------------------------------------------------------------------------------


def marian_vocabulary(
    folder: Path,
    config: ModelConfig,
    table: Mapping[str, Any],
    generation: Mapping[str, Any],
    languages: tuple[str, str] | None,
) -> tuple[ImportedVocabulary, Sequence[Any]]:
    """Return the vocabulary and the pairs of languages of an OPUS-MT model."""
    pieces = pieces_by_id(read_json(folder / VOCABULARY), config.num_source_pieces, VOCABULARY)
    source_pieces: tuple[str, ...] = ()
    if (folder / "target_vocab.json").exists():
        source_pieces = pieces
        name = "target_vocab.json"
        pieces = pieces_by_id(read_json(folder / name), config.vocab_size, name)
    elif config.source_vocab_size:
        raise ImportedModelError(f"{folder}: has no target_vocab.json beside {VOCABULARY}")
    settings = _settings(folder)
    pair = languages or _pair(folder, table, settings)
    by_code, pairs = tags_and_pairs(source_pieces or pieces, pair)
    start = table.get("decoder_start_token_id", config.pad_id)
    if type(start) is not int or not 0 <= start < config.vocab_size:
        raise ImportedModelError(f"{CONFIG}: decoder_start_token_id is {start!r}, which is no id")
    form = made_form(
        pieces=pieces,
        source_pieces=source_pieces,
        pad_id=config.pad_id,
        before=(TARGET,) if by_code else (),
        start=(pieces[start],),
        languages=by_code,
        forbidden_ids=_forbidden(generation, config.pad_id, config.vocab_size),
    )
    models = [read_bytes(folder / name) for name in ("source.spm", "target.spm")]
    return ImportedVocabulary(form, *models), pairs


def _pair(folder: Path, table: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[str, str]:
    """Return source and target language, from the tokenizer's settings or the model's name."""
    named = settings.get("source_lang"), settings.get("target_lang")
    if all(isinstance(code, str) and code for code in named):
        return str(named[0]), str(named[1])
    for name in (table.get("_name_or_path"), folder.name):
        found = _PAIR.search(str(name))
        if found:
            return found[1], found[2]
    raise ImportedModelError(f"{folder}: does not tell its languages; give --from and --to")


# --- M2M100 and NLLB -----------------------------------------------------------------------------


def fairseq_vocabulary(folder: Path, config: ModelConfig) -> ImportedVocabulary:
    """Return the vocabulary of M2M100, which has a `vocab.json`, or of NLLB, which has none."""
    model, settings = read_bytes(folder / FAIRSEQ_MODEL), _settings(folder)
    generation = read_table(folder / GENERATION) if (folder / GENERATION).exists() else {}
    if (folder / VOCABULARY).exists():
        listed = read_json(folder / VOCABULARY)
        own = _listed_languages(settings, r"__([a-z]{2,3})__") or M2M100_LANGUAGES
        tokens = {code: f"__{code}__" for code in own}
        names = ordered(listed, VOCABULARY)
        pieces = filled([*names, *tokens.values()], config.vocab_size, VOCABULARY)
    else:
        named = _listed_languages(settings, f"({_NLLB_LANGUAGE.pattern})")
        if not named:
            raise ImportedModelError(
                f"{folder}: neither tokenizer.json nor special_tokens_map.json lists its languages"
            )
        tokens = {code: code for code in named}
        names = ["<s>", "<pad>", "</s>", "<unk>", *sentencepieces(model, FAIRSEQ_MODEL)[3:]]
        pieces = filled([*names, *named, "<mask>"], config.vocab_size, FAIRSEQ_MODEL)
    is_legacy = bool(settings.get("legacy_behaviour"))
    form = made_form(
        pieces=pieces,
        pad_id=config.pad_id,
        before=() if is_legacy else (SOURCE,),
        behind=("</s>", SOURCE) if is_legacy else ("</s>",),
        start=("</s>", TARGET),
        languages={name: tokens[code] for name, code in own_codes(tokens).items()},
        forbidden_ids=_forbidden(generation, config.pad_id, config.vocab_size),
    )
    return ImportedVocabulary(form, model)


def _settings(folder: Path) -> dict[str, Any]:
    """Return what the tokenizer's files say, all together."""
    settings: dict[str, Any] = {}
    for name in ("special_tokens_map.json", "tokenizer_config.json"):
        if (folder / name).exists():
            settings |= {k: v for k, v in read_table(folder / name).items() if v is not None}
    if (folder / "tokenizer.json").exists():
        added = read_table(folder / "tokenizer.json").get("added_tokens")
        settings["added_tokens"] = added if isinstance(added, list) else []
    return settings


def _listed_languages(settings: Mapping[str, Any], pattern: str) -> list[str]:
    """Return the languages among the added tokens, in the order of their ids."""
    listed = [*settings.get("added_tokens", [])]
    listed = sorted(
        (token for token in listed if isinstance(token, dict) and type(token.get("id")) is int),
        key=lambda token: token["id"],
    )
    for key in ("additional_special_tokens", "extra_special_tokens"):
        listed += settings[key] if isinstance(settings.get(key), list) else []
    names = [token.get("content") if isinstance(token, dict) else token for token in listed]
    found = (re.fullmatch(pattern, name) for name in names if isinstance(name, str))
    return [*dict.fromkeys(match[1] for match in found if match)]
