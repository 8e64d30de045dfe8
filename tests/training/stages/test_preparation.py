"""Several corpora, languages and directions become one stream of pairs."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path

import pytest

from tests.toy import toy_pairs
from tests.toyrun import toy_recipe
from training.data.cleaning import PairJudge
from training.data.corpus import Catalogue, Corpus, CorpusFile, SentencePair
from training.data.sampler import Share
from training.stages.preparation import REWRITTEN, Preparation, StageError, kept_catalogue
from translator.errors import ConfigError
from translator.store.model_directory import LoadedModel, save_model_directory
from translator.text.characters import symbols

MIXTURE = (
    'data.corpora=["a", "b"]',
    'data.dev=["a:dev"]',
    "data.test=[]",
    'data.directions=["de-en", "en-de", "fr-en"]',
)


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    """Corpus `a` in three languages, `b` in two."""
    pairs = list(dict.fromkeys(toy_pairs(400, random.Random(3))))
    parts = {"a": pairs[:150], "b": pairs[150:200], "dev": pairs[200:220]}
    corpora = {}
    for name, languages in (("a", "de en fr"), ("b", "de en")):
        files: dict[str, dict[str, CorpusFile]] = {}
        for part in ("train", "dev"):
            rows = parts[name if part == "train" else "dev"]
            files[part] = {}
            for language in languages.split():
                lines = [{"de": row[0], "en": row[1]}.get(language, f"le {row[1]}") for row in rows]
                path = f"{name}.{part}.{language}"
                (tmp_path / path).write_text("".join(f"{line}\n" for line in lines))
                files[part][language] = CorpusFile(path=path)
        corpora[name] = Corpus(description=name, licence="public domain", files=files)
    return Catalogue(corpora=corpora)


def prepared(folder: Path, catalogue: Catalogue, *overrides: str) -> Preparation:
    recipe = toy_recipe(folder, *MIXTURE, *overrides)
    preparation = Preparation(recipe, folder / "run" / "data", folder, catalogue)
    assert preparation.problems() == []
    preparation.prepare()
    preparation.subwords()
    return preparation


def test_every_corpus_serves_the_directions_it_has(tmp_path: Path, catalogue: Catalogue) -> None:
    preparation = prepared(tmp_path, catalogue)
    found = [(p.corpus, p.languages, p.directions) for p in preparation.train_parts]
    assert found == [
        ("a", ("de", "en"), ("de-en", "en-de")),
        ("a", ("en", "fr"), ("fr-en",)),
        ("b", ("de", "en"), ("de-en", "en-de")),
    ]
    corpus, shares = preparation.train_corpus()
    assert len(corpus) == 3 * 150 + 2 * 50
    assert shares == [*[Share(150, 150)] * 3, *[Share(50, 50)] * 2]
    tokenizer = preparation.tokenizer
    assert tokenizer.languages == ("de", "en", "fr")
    first_french = corpus[300]
    assert first_french.src[0] == tokenizer.tag_id("en")
    assert tokenizer.decode(first_french.src).startswith("le ")


def test_weights_directions_and_tags_of_one_corpus(tmp_path: Path, catalogue: Catalogue) -> None:
    preparation = prepared(
        tmp_path,
        catalogue,
        "data.mix.b.weight=3",
        'data.mix.b.directions=["de-en"]',
        'data.mix.b.tag="synthetic"',
    )
    corpus, shares = preparation.train_corpus()
    assert shares[-1] == Share(50, 150)
    assert len(corpus) == 3 * 150 + 50
    tokenizer = preparation.tokenizer
    tagged, plain = corpus[len(corpus) - 1], corpus[0]
    marks = [tokenizer.tag_id("en"), tokenizer.mark_id("synthetic")]
    assert list(tagged.src[:2]) == marks
    assert marks[1] not in plain.src
    assert corpus.lengths[0, -1] == len(tagged.src)
    dev = preparation.dev_corpus()
    assert all(marks[1] not in dev[i].src for i in range(len(dev)))


def test_a_corpus_that_a_program_wrote_loses_only_what_is_held_out(
    tmp_path: Path, catalogue: Catalogue
) -> None:
    for language in ("de", "en"):
        path = tmp_path / f"b.train.{language}"
        held_out = (tmp_path / f"b.dev.{language}").read_text().splitlines()[0]
        lines = "".join(f"Index {n}, {n}\n" for n in range(9))
        path.write_text(f"{path.read_text()}{lines}{held_out}\n")
    near = 'cleaning.deduplicate="near"'
    for clean, count in (("true", 50 + 1), ("false", 50 + 9)):
        settings = near, 'data.corpora=["b"]', 'data.dev=["b:dev"]', f"data.mix.b.clean={clean}"
        folder = tmp_path / clean
        folder.mkdir()
        recipe = toy_recipe(folder, *MIXTURE, *settings, 'data.directions=["de-en"]')
        preparation = Preparation(recipe, folder / "data", tmp_path, catalogue)
        preparation.prepare()
        assert len(list(preparation.lines(preparation.train_parts[0], "de"))) == count


def test_the_least_probable_pairs_are_dropped_and_listed(
    tmp_path: Path, catalogue: Catalogue, loaded: LoadedModel
) -> None:
    model, settings = tmp_path / "model", ('data.corpora=["b"]', 'data.dev=["b:dev"]')
    weights = loaded.model.state_dict()
    save_model_directory(model, loaded.description, loaded.tokenizer, weights, {})
    recipe = toy_recipe(
        tmp_path, *MIXTURE, *settings, 'data.directions=["de-en"]', f"cleaning.model='{model}'"
    )
    preparation = Preparation(recipe, tmp_path / "run" / "data", tmp_path, catalogue)
    preparation.prepare()
    listed = [
        line.split("\t")
        for line in (tmp_path / "run/data/improbable/b.de-en.tsv").read_text().splitlines()
    ]
    part = preparation.train_parts[0]
    kept = [*zip(*(preparation.lines(part, code) for code in ("de", "en")), strict=True)]
    scores = PairJudge(model).improbability([SentencePair(*pair) for pair in kept], ("de", "en"))
    assert (len(kept), len(listed)) == (45, 5)
    assert min(float(row[0]) for row in listed) >= scores.max() - 0.02
    assert not {(row[1], row[2]) for row in listed} & {*kept}
    report = json.loads((tmp_path / "run/data/report.json").read_text())["b:train de-en"]
    assert (report["num_kept"], report["dropped"]) == (45, {"improbable": 5})


def test_development_sentences_are_kept_out_of_training(
    tmp_path: Path, catalogue: Catalogue
) -> None:
    dev = (tmp_path / "a.dev.de").read_text().splitlines()
    for language in ("de", "en", "fr"):
        path = tmp_path / f"a.train.{language}"
        copied = (tmp_path / f"a.dev.{language}").read_text().splitlines()[3]
        path.write_text(path.read_text() + copied + "\n")
    preparation = prepared(tmp_path, catalogue)
    part = preparation.train_parts[0]
    assert dev[3] not in list(preparation.lines(part, "de"))
    report = (tmp_path / "run" / "data" / "report.json").read_text()
    assert "in a development or test part" in report


def test_names_that_cannot_be_used_are_told(tmp_path: Path, catalogue: Catalogue) -> None:
    recipe = toy_recipe(tmp_path, *MIXTURE, 'data.directions=["cs-en"]')
    preparation = Preparation(recipe, tmp_path / "run" / "data", tmp_path, catalogue)
    problem = "data: a:train has de, en, fr, and so none of the directions"
    assert problem in preparation.problems()


def test_large_corpora_give_a_sample_to_the_vocabulary(
    tmp_path: Path, catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    preparation = prepared(tmp_path, catalogue, "data.mix.b.weight=2")
    everything = list(preparation._vocabulary_lines(""))
    assert len(everything) == 2 * (150 + 150 + 50)
    monkeypatch.setattr("training.stages.preparation.MAX_VOCABULARY_PAIRS", 100)
    sample = list(preparation._vocabulary_lines(""))
    assert 180 <= len(sample) <= 200
    of_b = set(preparation.lines(preparation.train_parts[2], "de"))
    assert sum(line in of_b for line in sample) == pytest.approx(25, abs=6)


def test_pairs_are_encoded_with_placeholders(tmp_path: Path, catalogue: Catalogue) -> None:
    for language in ("de", "en"):
        path = tmp_path / f"b.train.{language}"
        path.write_text(path.read_text().replace(".", " %1."))
    preparation = prepared(
        tmp_path, catalogue, "subwords.placeholders=4", "subwords.vocab_size=330"
    )
    tokenizer = preparation.tokenizer
    assert tokenizer.num_placeholders == 4
    corpus, _ = preparation.train_corpus()
    pairs = corpus.pairs(list(range(len(corpus))))
    pieces = {symbol: tokenizer.encode(symbol)[-1] for symbol in symbols(4)}
    seen = [
        (
            [i for i in pair.src if i in pieces.values()],
            [i for i in pair.tgt if i in pieces.values()],
        )
        for pair in pairs
    ]
    assert all(source == target for source, target in seen)
    assert {i for source, _ in seen for i in source} == {*pieces.values()}


def test_a_share_of_the_training_pairs_is_marked(tmp_path: Path, catalogue: Catalogue) -> None:
    settings = ("subwords.placeholders=4", "subwords.vocab_size=330", "subwords.marked_share=0.5")
    preparation = prepared(tmp_path, catalogue, *settings)
    tokenizer = preparation.tokenizer
    pieces = {tokenizer.encode(symbol)[-1] for symbol in symbols(4)}
    train, dev = preparation.train_corpus()[0], preparation.dev_corpus()
    marks = [len(pieces & {*train[n].src}) for n in range(len(train))]
    assert set(marks) == {0, 2}
    assert 0.2 < sum(marks) / 2 / len(marks) < 0.6
    assert not any(pieces & {*dev[n].src} for n in range(len(dev)))


@pytest.mark.parametrize("placeholders", [0, 4])
def test_a_share_of_the_training_pairs_is_written_otherwise(
    tmp_path: Path, catalogue: Catalogue, placeholders: int
) -> None:
    settings = (f"subwords.placeholders={placeholders}", "data.varied_share=0.5")
    preparation = prepared(tmp_path, catalogue, "subwords.vocab_size=330", *settings)
    train, dev = preparation.train_parts[0], preparation.dev_parts[0]
    for part, is_varied in ((train, True), (dev, False)):
        before, after = ([*preparation.lines(part, "de", end)] for end in ("", REWRITTEN))
        assert (before != after) == is_varied
        assert len(before) == len(after)
    first = next(preparation.lines(train, train.directions[0][:2], REWRITTEN))
    assert [*preparation.train_corpus()[0][0].src][1:-1] == preparation.tokenizer.encode(first)


def test_marks_take_two_placeholders(tmp_path: Path, catalogue: Catalogue) -> None:
    settings = ("subwords.placeholders=1", "subwords.vocab_size=330", "subwords.marked_share=0.5")
    with pytest.raises(ConfigError, match="takes two placeholders"):
        prepared(tmp_path, catalogue, *settings)


def test_sources_say_how_their_german_addresses_its_reader(
    tmp_path: Path, catalogue: Catalogue
) -> None:
    rows = [
        ("Siehst du das?", "Do you see?"),
        ("Sehen Sie das?", "Do you see it?"),
        ("Es ist", "It is"),
    ]
    for language, place in (("de", 0), ("en", 1)):
        path = tmp_path / f"b.train.{language}"
        path.write_text("".join(f"{row[place]}\n" for row in rows) + path.read_text())
    preparation = prepared(tmp_path, catalogue, "data.formality_share=1", "data.mix.b.clean=false")
    corpus, _ = preparation.train_corpus()
    tokenizer = preparation.tokenizer
    marks = {tokenizer.mark_id(name) for name in ("formal", "informal")}
    found: dict[tuple[int, str], set[int]] = {}
    for index in range(len(corpus)):
        source = corpus[index].src
        found.setdefault((source[0], tokenizer.decode(source)), marks & {*source})
    german, english = tokenizer.tag_id("de"), tokenizer.tag_id("en")
    assert found[german, "Do you see?"] == {tokenizer.mark_id("informal")}
    assert found[german, "Do you see it?"] == {tokenizer.mark_id("formal")}
    assert found[german, "It is"] == set()
    assert found[english, "Siehst du das?"] == set()
    dev = preparation.dev_corpus()
    assert not any(marks & {*dev[i].src} for i in range(len(dev)))


def test_a_vocabulary_of_ones_own_is_taken_over(tmp_path: Path, catalogue: Catalogue) -> None:
    learned = prepared(tmp_path, catalogue).tokenizer
    (tmp_path / "own.model").write_bytes(learned.serialized)
    own = ("subwords.vocab_size=8000", "subwords.placeholders=2")
    adopted = prepared(tmp_path, catalogue, *own, f"subwords.model={tmp_path / 'own.model'}")
    tokenizer = adopted.tokenizer
    assert tokenizer.all_pieces == [*learned.all_pieces, *symbols(2)]
    line = next(adopted.lines(adopted.dev_parts[0], "en"))
    assert tokenizer.encode(line) == learned.encode(line)
    recipe = toy_recipe(tmp_path, *MIXTURE, own[0], "subwords.model=none.model")
    missing = Preparation(recipe, tmp_path / "other", tmp_path, catalogue)
    assert missing.problems() == ["subwords.model: no such file: none.model"]


def test_the_catalogue_is_kept_with_the_hashes_of_what_was_read(
    tmp_path: Path, catalogue: Catalogue
) -> None:
    prepared(tmp_path, catalogue)
    kept = kept_catalogue(tmp_path / "run" / "data")
    assert kept.corpora.keys() == {"a", "b"}
    assert kept.corpora["a"].description == catalogue.corpora["a"].description
    for language in ("de", "en", "fr"):
        file = kept.corpora["a"].files["train"][language]
        content = (tmp_path / file.path).read_bytes()
        assert file.sha256 == hashlib.sha256(content).hexdigest()
    with pytest.raises(StageError, match=r"corpora\.json: missing; run `prepare` first"):
        kept_catalogue(tmp_path)
