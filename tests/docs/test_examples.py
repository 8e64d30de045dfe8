"""Every marked example of the documentation runs, offline, in a copy of the repository.

A block of code with `<!-- test -->` in the line above it runs as it stands, after those above it on
its page. While one with `<!-- test: server -->` runs, the service listens where it asks.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from service.config import ServiceConfig
from tests.checkout import ROOT, copy_checkout
from tests.docs.pages import all_pages, read
from tests.serving import serving

MARK = re.compile(r"^<!-- test(?P<server>: server)? -->\n", re.MULTILINE)
BLOCK = re.compile(r"```(?P<language>\w+)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
RUNNERS = {"sh": ["bash", "-euo", "pipefail", "-c"], "python": [sys.executable, "-c"]}
ADDRESS = f"localhost:{ServiceConfig().port}"
NO_PROXY = "http://127.0.0.1:9"  # a port on which nothing listens
BLOCK_TIMEOUT_S = 900


@dataclass(frozen=True)
class Example:
    """A marked block of code, and the line of its page that it begins on."""

    line: int
    language: str
    code: str
    needs_server: bool


def examples(text: str) -> list[Example]:
    """Return the marked blocks of a page."""
    found = []
    for mark in MARK.finditer(text):
        line = text.count("\n", 0, mark.end()) + 1
        block = BLOCK.match(text, mark.end())
        assert block, f"line {line}: a block of code must follow the mark at once"
        assert block["language"] in RUNNERS, f"line {line}: runs as none of {', '.join(RUNNERS)}"
        if mark["server"]:
            assert ADDRESS in block["code"], f"line {line}: must ask {ADDRESS}"
        found.append(Example(line, block["language"], block["code"], bool(mark["server"])))
    return found


PAGES = {
    page.relative_to(ROOT).as_posix(): page for page in all_pages() if "<!-- test" in read(page)
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same for all pages, so that int8 is compiled only once."""
    return tmp_path_factory.mktemp("examples")


@pytest.fixture
def checkout(place: Path) -> Path:
    """Return a fresh copy, with an environment where the pages say that it is."""
    folder = place / "checkout"
    shutil.rmtree(folder, ignore_errors=True)
    copy_checkout(folder)
    (folder / ".venv").symlink_to(sys.prefix)
    return folder


@pytest.fixture
def environment(place: Path) -> dict[str, str]:
    """Return the variables of someone who has activated the environment, without a network."""
    (place / ".curlrc").write_text("fail-with-body\nshow-error\n")  # an answer of 400 is a failure
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("TRANSLATOR_", "MAKE", "MFLAGS", "PYTHONPATH"))
    }
    return kept | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "CURL_HOME": str(place),
        "NUMBA_CACHE_DIR": str(place / "compiled"),
        "PIP_NO_INDEX": "1",
        "no_proxy": "localhost,127.0.0.1",
        **dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), NO_PROXY),
    }


def run(example: Example, page: str, folder: Path, environment: dict[str, str]) -> None:
    """Run one example; fail with its output if it does."""

    def execute(code: str) -> None:
        done = subprocess.run(
            [*RUNNERS[example.language], code],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=BLOCK_TIMEOUT_S,
            check=False,
        )
        if done.returncode:
            where = f"{page}, line {example.line}"
            pytest.fail(f"{where}, ends with {done.returncode}:\n{done.stdout}", pytrace=False)

    if not example.needs_server:
        execute(example.code)
        return
    with serving(folder / "service.log", folder=folder, environment=environment) as port:
        execute(example.code.replace(ADDRESS, f"localhost:{port}"))


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_run(page: str, checkout: Path, environment: dict[str, str]) -> None:
    for example in examples(read(PAGES[page])):
        run(example, page, checkout, environment)


def test_the_pages_that_people_begin_with_have_examples_that_run() -> None:
    assert {*PAGES} >= {"README.md", "docs/training.md"}


def test_every_mark_stands_above_a_block_that_can_run() -> None:
    for page in PAGES.values():
        assert examples(read(page)), page
        assert len(examples(read(page))) == read(page).count("<!-- test"), page


@pytest.mark.parametrize("code", ["exit 3", "false | true", "echo $NOT_SET"])
def test_a_failing_example_is_told_with_page_and_line(
    code: str, tmp_path: Path, environment: dict[str, str]
) -> None:
    [example] = examples(f"# Page\n\n<!-- test -->\n```sh\necho before\n{code}\n```\n")
    with pytest.raises(pytest.fail.Exception, match=r"a\.md, line 4, ends with \d:\nbefore"):
        run(example, "a.md", tmp_path, environment)


def test_a_server_example_must_ask_the_default_address() -> None:
    with pytest.raises(AssertionError, match="line 2: must ask localhost:5000"):
        examples("<!-- test: server -->\n```sh\ncurl localhost:1\n```\n")
