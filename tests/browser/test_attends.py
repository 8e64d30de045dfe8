"""The page that explains attention, on the reader's sentence and with the serving model."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from operator import mul
from urllib.request import Request, urlopen

import pytest

from tests.browser.chromium import Chromium
from tests.browser.conftest import MODEL, needs_chromium
from tests.browser.page import Page

pytestmark = needs_chromium
CHOICES = ("layer", "head")


@pytest.fixture
def page(browser: Chromium, real: str) -> Iterator[Page]:
    with browser.page(f"{real}/how-it-attends#de/en/Das%20Kind%20schl%C3%A4ft.") as opened:
        opened.wait("document.querySelector('#difference') !== null")
        yield opened


def test_the_weights_computed_from_the_vectors_are_those_of_the_model(page: Page) -> None:
    assert float(page.run("document.querySelector('#difference').dataset.difference")) < 0.002
    assert page.text("#said") == "The model translates: The child is sleeping."
    steps = page.run("[...document.querySelectorAll('.step h2')].map((one) => one.innerText)")
    assert [step.split("\n")[-1] for step in steps] == [
        *("Similarity", "Weights", "Scaling", "Weighted sum"),
        *("Several heads", "Causal mask", "Cross-attention", "What each layer does"),
    ]
    assert page.run("document.querySelectorAll('.step math').length") >= 8


def worked(page: Page, step: str) -> str:
    return page.text(f"#worked-{step}").replace("\u00a0", " ")


def test_each_formula_is_worked_out_with_the_numbers_of_the_sentence(page: Page, real: str) -> None:
    asked = {"q": "Das Kind schläft.", "source": "de", "target": "en", "kinds": ["encoder"]}
    layer, head = (int(page.run(f"document.querySelector('#{one}').value")) for one in CHOICES)
    body = json.dumps({**asked, "layer": layer, "head": head, "vectors": True}).encode()
    request = Request(f"{real}/attention", body, {"Content-Type": "application/json"})
    with urlopen(request) as answer:
        said = json.load(answer)
    chosen = int(page.run("document.querySelector('[name=piece]:checked').value"))
    query, keys = said["vectors"]["query"][chosen], said["vectors"]["key"]
    scores = [sum(map(mul, query, key)) for key in keys]
    best = scores.index(max(scores))
    total = sum(map(math.exp, scores))
    root = math.sqrt(len(query))
    scaled = math.exp(scores[best] / root) / sum(math.exp(score / root) for score in scores)
    assert f" = {scores[best]:.2f}. Three of {len(query)} products" in worked(
        page, "similarity"
    ).replace("−", "-")
    assert f"= {100 * math.exp(scores[best]) / total:.0f} %." in worked(page, "weights")
    assert f"√{len(query)} = {root:.2f}. The similarity" in worked(page, "scaled")
    assert f" to {100 * scaled:.0f} %." in worked(page, "scaled")
    weights, values = said["maps"][0]["weights"][chosen], said["vectors"]["value"]
    mixed = sum(weight * value[0] for weight, value in zip(weights, values, strict=True))
    shown = float(worked(page, "sum").partition("… = ")[2].split(". ")[0].replace("−", "-"))
    assert shown == pytest.approx(mixed, abs=0.01)
    assert f"{MODEL.num_heads} heads, and each finds {len(query)} numbers" in worked(page, "heads")
    assert "it can look at" in worked(page, "mask")
    assert "when the model writes “" in worked(page, "cross")


def test_every_step_follows_the_chosen_piece_layer_and_head(page: Page) -> None:
    before = page.text("#figure-weights")
    page.click("#choose-piece label:nth-of-type(2)")
    assert page.text("#figure-similarity tr.chosen th") == "Das"
    assert page.text("#figure-weights") != before
    before = page.text("#figure-weights")
    other = page.run("document.querySelector('#layer option:not(:checked)').value")
    page.choose("#layer", other)
    page.wait(f"document.querySelector('#figure-weights').innerText !== {before!r}")
    assert float(page.run("document.querySelector('#difference').dataset.difference")) < 0.002


def test_the_decoder_does_not_see_what_is_to_come(page: Page) -> None:
    seen = page.run("document.querySelectorAll('#map-decoder .cell:not(.unseen)').length")
    unseen = page.run("document.querySelectorAll('#map-decoder .unseen').length")
    rows = page.run("document.querySelectorAll('#map-decoder .row').length")
    assert (seen, unseen) == (rows * (rows + 1) / 2, rows * (rows - 1) / 2)


def test_another_sentence_can_be_shown_and_sent_on(page: Page) -> None:
    page.run("document.querySelector('#sentence').select()")
    page.paste("Ich bin müde.")
    page.press("Enter")
    page.wait("document.querySelector('#said').innerText.includes('tired')")
    assert page.run("location.hash") == "#de/en/Ich%20bin%20m%C3%BCde."
    page.run("document.querySelector('#sentence').value = 'Haus '.repeat(150)")
    page.run("document.querySelector('#ask').requestSubmit()")
    page.wait("!document.querySelector('#problem').hidden")
    assert page.text("#problem").startswith("The sentence is too long for a map")


def test_the_shares_of_a_layer_sum_to_one(page: Page) -> None:
    rows = page.run(
        """[...document.querySelectorAll('#figure-layers tbody tr')].map((row) =>
          [...row.querySelectorAll('.measured .figure-number')]
            .reduce((sum, one) => sum + parseInt(one.innerText), 0))"""
    )
    assert len(rows) == MODEL.num_encoder_layers + 2 * MODEL.num_decoder_layers
    assert all(98 <= total <= 102 for total in rows), rows
