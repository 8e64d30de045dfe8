"""How soon the page translates, and how fluid it is to type in, in Chromium.

    python -m tests.benchmarks.page --url http://localhost:5000

The service runs already. What is printed: the time from the end of the pause after the last key to
the first translation on the page, and what typing into the middle of 50,000 characters costs the
page's thread.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from tests.browser.chromium import Chromium
from tests.browser.page import Page

SENTENCES = [
    "Ich habe meinen Schlüssel verloren.",
    "Das Kind schläft heute nicht.",
    "Wir fahren morgen nach Hause.",
    "Der Hund läuft durch den Garten.",
    "Kannst du mir bitte helfen?",
]
ROUNDS = 3
TYPED = "und jetzt kommt noch ein Wort dazu "
WATCH = """(() => {
  globalThis.tasks = [];
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) tasks.push(task.duration);
  }).observe({ type: "longtask" });
  globalThis.keys = [];
  new PerformanceObserver((list) => {
    for (const event of list.getEntries()) keys.push(event.duration);
  }).observe({ type: "event", durationThreshold: 16 });
})()"""
FIRST = """new Promise((done) => {
  const box = document.querySelector("#translation");
  let asked = 0;
  const former = globalThis.fetch;
  globalThis.fetch = (...given) => {
    asked = performance.now();
    globalThis.fetch = former;
    return former(...given);
  };
  new MutationObserver((_, watcher) => {
    if (!asked) return;
    watcher.disconnect();
    requestAnimationFrame(() => done(performance.now() - asked));
  }).observe(box, { childList: true, subtree: true });
  document.querySelector("#q").value = %s;
  document.querySelector("#q").dispatchEvent(new Event("input"));
})"""


def first_translations_ms(page: Page) -> list[float]:
    """Return how long each took, from the request that follows the pause to the next frame."""
    found = []
    for number in range(ROUNDS):
        for sentence in SENTENCES:
            text = f'"{sentence} {number}"'
            found.append(float(page.run(FIRST % text)))
            page.wait("document.querySelector('.result').getAttribute('aria-busy') === 'false'")
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", required=True, help="of a running service")
    url = parser.parse_args().url
    with tempfile.TemporaryDirectory() as folder:
        browser = Chromium(Path(folder))
        try:
            with browser.page(f"{url}/#de/en/") as page:
                first_ms = first_translations_ms(page)
            with browser.page(f"{url}/#de/en/") as page:
                type_into_much(page)
        finally:
            browser.close()
    print(
        f"first translation after the pause: median {statistics.median(first_ms):.0f} ms, "
        f"longest of {len(first_ms)} {max(first_ms):.0f} ms"
    )


def type_into_much(page: Page) -> None:
    """Type into 50,000 characters while they are translated, and again when they are."""
    page.click("#q")
    started_s = time.monotonic()
    page.paste(("Dies ist ein Satz von vielen, und er steht hier. " * 1021)[:49_900])
    for when in ("while it is translated", "when it is translated"):
        if when.startswith("when"):
            page.wait("!document.querySelector('#copy').disabled")
            print(f"50,000 characters are translated in {time.monotonic() - started_s:.0f} s")
        page.run(WATCH)
        page.run("document.querySelector('#q').setSelectionRange(25000, 25000)")
        for character in TYPED:
            page.type(character)
            page.run("new Promise(requestAnimationFrame)")
        page.run("new Promise((done) => setTimeout(done, 600))")
        tasks, keys = page.run("tasks"), page.run("keys")
        print(
            f"typing {len(TYPED)} characters into 50,000 {when}: {len(tasks)} tasks over 50 ms, "
            f"longest {max(tasks, default=0):.0f} ms; from a key to its picture at most "
            f"{max(keys, default=0):.0f} ms"
        )


if __name__ == "__main__":
    main()
