"""How many files a request passes on its way from the route to the first kernel."""

from __future__ import annotations

from tests.alone import run_alone

MOST_FILES = 50
"""Each file with a function that is called on the way counts. It may only become less."""

TRACE = f"""
import sys, threading
from pathlib import Path

root, passed, is_over = str(Path.cwd()) + "/", dict(), False

def note(frame, event, argument):
    global is_over
    name = frame.f_code.co_filename
    if event != "call" or is_over or not name.startswith(root):
        return
    name = name.removeprefix(root)
    if not name.startswith(("translator/", "service/")):
        return
    is_route = name == "service/libretranslate/routes.py"
    if passed or is_route:
        passed.setdefault(name, frame.f_code.co_name)
        is_over = name.startswith("translator/runtime/compiled/")

threading.setprofile(note)
from service.config import ServiceConfig
from service.start.app import create_app
from translator import Translator

with Translator.load() as translator:
    client = create_app(ServiceConfig(), translator).test_client()
    fields = {{"q": "Ich habe meinen Schlüssel verloren.", "source": "de", "target": "en"}}
    assert client.post("/translate", json=fields).status_code == 200  # loads what is loaded late
    passed.clear()
    is_over = False
    sys.setprofile(note)
    answer = client.post("/translate", json=fields | {{"q": "Ich bin müde."}})
    sys.setprofile(None)
assert answer.json["translatedText"] == "I'm tired.", answer.json
assert is_over, "no kernel has been reached"
assert len(passed) <= {MOST_FILES}, passed
"""


def test_the_way_to_the_first_kernel_has_become_no_longer() -> None:
    run_alone(TRACE)
