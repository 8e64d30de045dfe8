"""Clients from npm, as they are, against a running server."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

CLIENTS = [
    *("libretranslate@1.0.1", "libretranslate-ts@0.5.12", "translate@3.1.0"),
    "deepl-node@1.28.0",
]
GERMAN = "Wir gehen heute nicht nach Hause."
INSTALL_TIMEOUT_S, RUN_TIMEOUT_S = 300, 240

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (shutil.which("node") and shutil.which("npm")), reason="for npm: apt-get install npm"
    ),
]

LIBRETRANSLATE = """
const { translate } = require("libretranslate");
const ask = (fields) => translate({ apiurl: SERVER, query: TEXT, target: "en", ...fields });
Promise.all([ask({ source: "de" }), ask({ source: "auto", apiKey: "none" }), ask({})]).then(tell);
"""

LIBRETRANSLATE_TS = """
const { libreTranslate } = require("libretranslate-ts");
libreTranslate.setApiEndpoint(SERVER);
Promise.all([
  libreTranslate.translate(TEXT, "de", "en"),
  libreTranslate.translate(TEXT, "auto", "en", 2),
  libreTranslate.translate(TEXT, "de", "zz"),
  libreTranslate.detect(TEXT),
  libreTranslate.listLanguages(),
]).then(tell);
"""

TRANSLATE = """
import("translate").then(async ({ Translate, default: translate }) => {
  const own = Translate({ engine: "libre", url: SERVER + "/translate" });
  const failed = await own(TEXT, { from: "de", to: "fr" }).catch((error) => String(error));
  tell([await own(TEXT, { from: "de", to: "en" }), failed]);
});
"""

DEEPL = """
const fs = require("fs");
const { DeepLClient, GlossaryEntries } = require("deepl-node");
const client = new DeepLClient("any key", { serverUrl: SERVER });
const entries = (terms) => new GlossaryEntries({ entries: terms });
(async () => {
  const one = await client.translateText(TEXT, null, "en-US", { modelType: "latency_optimized" });
  const texts = ["<a>eins</a>", "<raw>zwei</raw>"];
  const options = { tagHandling: "xml", ignoreTags: ["raw"], formality: "prefer_less" };
  const several = await client.translateText(texts, "de", "en-US", options);
  const failed = await client.translateText(TEXT, "de", "xx").catch((error) => String(error));
  const sources = await client.getSourceLanguages();
  const targets = await client.getTargetLanguages();
  const usage = await client.getUsage();
  const pairs = await client.getGlossaryLanguagePairs();
  const old = await client.createGlossary("old", "de", "en", entries({ Haus: "home" }));
  const glossary = await client.createMultilingualGlossary("words", [
    { sourceLangCode: "de", targetLangCode: "en", entries: entries({ Haus: "home" }) },
    { sourceLangCode: "en", targetLangCode: "pt", entries: entries({ house: "casa" }) },
  ]);
  const id = glossary.glossaryId;
  const kept = await client.getMultilingualGlossaryDictionaryEntries(id, "de", "en");
  const house = await client.translateText("das Haus", "de", "en-US", { glossary: old.glossaryId });
  await client.deleteGlossary(old.glossaryId);
  const gone = await client.getGlossary(old.glossaryId).catch((error) => error.constructor.name);
  const [input, output] = [FOLDER + "/in.txt", FOLDER + "/out.txt"];
  fs.writeFileSync(input, TEXT);
  const state = await client.translateDocument(input, output, "de", "en-US");
  tell({
    one, several, failed, sources, targets, usage, pairs, old, glossary, kept, house, gone, state,
    file: fs.readFileSync(output, "utf-8"),
  });
})();
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the clients into a new folder."""
    folder = tmp_path_factory.mktemp("node")
    (folder / "package.json").write_text("{}")
    options = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(folder)]
    done = subprocess.run(
        ["npm", "install", *options, *CLIENTS],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=INSTALL_TIMEOUT_S,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"for npm's registry: a network ({done.stderr[-500:]})")
    return folder


def run(folder: Path, url: str, program: str) -> Any:
    """Run a program that tells what its client has answered."""
    values = {"SERVER": url, "TEXT": GERMAN, "FOLDER": str(folder)}
    head = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in values.items())
    head += "const tell = (answers) => console.log(JSON.stringify(answers));\n"
    done = subprocess.run(
        ["node", "-e", head + program],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=RUN_TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_libretranslate(folder: Path, url: str) -> None:
    assert run(folder, url, LIBRETRANSLATE) == [GERMAN.upper()] * 3


def test_libretranslate_ts(folder: Path, url: str) -> None:
    plain, other, wrong, detected, languages = run(folder, url, LIBRETRANSLATE_TS)
    assert plain == {"status": 200, "translatedText": GERMAN.upper()}
    assert other["alternatives"] == [f"{GERMAN.upper()} {rank}" for rank in range(2)]
    assert wrong["error"] == "zz is not supported"
    assert (detected["language"], detected["status"]) == ("de", 200)
    assert detected["confidence"] > 50
    assert [language["code"] for language in languages] == ["de", "en", "pt-BR"]


def test_translate(folder: Path, url: str) -> None:
    translated, failed = run(folder, url, TRANSLATE)
    assert translated == GERMAN.upper()
    assert "fr is not supported" in failed


def test_deepl_node(folder: Path, url: str) -> None:
    told = run(folder, url, DEEPL)
    assert told["one"] == {
        "text": GERMAN.upper(),
        "detectedSourceLang": "de",
        "billedCharacters": len(GERMAN),
        "modelTypeUsed": "latency_optimized",
    }
    assert [one["text"] for one in told["several"]] == ["<a>EINS</a>", "<raw>zwei</raw>"]
    assert "Value for 'target_lang' not supported" in told["failed"]
    assert [one["code"] for one in told["sources"]] == ["de", "en"]
    assert [one["code"] for one in told["targets"]] == ["en-GB", "en-US", "pt-BR"]
    assert told["usage"]["character"]["count"] > 0
    assert {"sourceLang": "de", "targetLang": "en"} in told["pairs"]
    assert (told["old"]["entryCount"], told["house"]["text"]) == (1, "DAS home")
    assert [one["entryCount"] for one in told["glossary"]["dictionaries"]] == [1, 1]
    assert "Haus" in json.dumps(told["kept"])
    assert told["gone"] == "GlossaryNotFoundError"
    assert (told["state"]["status"], told["file"]) == ("done", GERMAN.upper())
