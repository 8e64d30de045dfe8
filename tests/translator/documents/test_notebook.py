"""Notebooks keep their code, their outputs and the lines of their cells."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents import shouted, texts, unchanged
from translator.documents.notebook import read_notebook

FILE = r"""{
 "cells": [
  {
   "cell_type": "markdown",
   "metadata": {"tags": ["a word"]},
   "source": [
    "# A dog\n",
    "\n",
    "It is **\u00e4** \"word\", `x_1` and \\nu.\n",
    "\n"
   ]
  },
  {"cell_type": "code", "source": ["# a comment\n", "x = 1"], "outputs": [{"text": ["Some"]}]},
  {"source": "One string\nin two lines", "cell_type": "markdown", "id": "x"},
  {"cell_type": "raw", "source": ["Some words"]},
  {"cell_type": "markdown", "source": []},
  {"cell_type": "markdown", "source": ["a dog"], "attachments": {"a.png": {"image/png": "a bc"}}}
 ],
 "metadata": {"kernelspec": {"display_name": "Python 3 (a)"}},
 "nbformat": 4
}
"""


def test_cells_of_markdown_are_units_and_nothing_else() -> None:
    document = read_notebook("a.ipynb", FILE.encode())
    assert texts(document) == [
        *('# A dog\n\nIt is **ä** "word", `x_1` and \\nu.', "One string\nin two lines", "a dog")
    ]
    assert unchanged(document) == FILE.encode()


def test_lines_are_written_as_they_were() -> None:
    document = read_notebook("a.ipynb", FILE.encode())
    written = document.rebuild(['One\nÄ "b" \\nu', "One", "a\nb"]).decode()
    first = '"One\\n",\n    "\\u00c4 \\"b\\" \\\\nu\\n",\n    "\\n"\n   ]'
    assert f'"source": [\n    {first}' in written
    assert '"source": "One"' in written
    assert '"source": ["a\\n","b"]' in written
    before, after = json.loads(FILE), json.loads(written)
    for cells in (before, after):
        for number in (0, 2, 5):
            cells["cells"][number].pop("source")
    assert before == after


LINES = st.lists(st.text('aä "\\\\n#`*\n/', max_size=12), max_size=5)


@given(LINES, st.sampled_from([None, 1, 2]), st.booleans())
def test_drawn_cells_come_back(lines: list[str], indent: int | None, only_ascii: bool) -> None:
    source = [*"\n".join(lines).splitlines(keepends=True)]
    cells = [{"cell_type": "markdown", "source": source}, {"cell_type": "code", "source": lines}]
    notebook = {"cells": cells, "metadata": {"a": "über \u2028"}}
    data = json.dumps(notebook, ensure_ascii=only_ascii, indent=indent).encode()
    assert unchanged(read_notebook("a.ipynb", data)) == data
    json.loads(shouted(read_notebook("a.ipynb", data)))


@pytest.mark.parametrize("source", ['["a\\ud800"]', "[1]", "1", "null", '{"a": "b"}'])
def test_odd_cells_stay(source: str) -> None:
    data = f'{{"cells": [1, {{"cell_type": "markdown", "source": {source}}}]}}'.encode()
    document = read_notebook("a.ipynb", data)
    assert texts(document) == []
    assert unchanged(document) == data
