"""One page of the browser: what a person does there, and what there is to be seen."""

from __future__ import annotations

import base64
import json
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.browser.chromium import Chromium

TIMEOUT_S = 60
KEYS = {
    "Enter": ("Enter", 13, "\r"),
    "Tab": ("Tab", 9, ""),
    "Escape": ("Escape", 27, ""),
    "Space": ("Space", 32, " "),
    "ArrowLeft": ("ArrowLeft", 37, ""),
    "ArrowUp": ("ArrowUp", 38, ""),
    "ArrowRight": ("ArrowRight", 39, ""),
    "ArrowDown": ("ArrowDown", 40, ""),
    "Home": ("Home", 36, ""),
    "End": ("End", 35, ""),
    "z": ("KeyZ", 90, "z"),
}
SHIFT, CONTROL = 8, 2
IS_LEFT = re.compile("navigated or closed|context was destroyed|find context")
IS_PAINTED = "performance.getEntriesByType('paint').length > 0"
IS_SHOWN = "document.querySelector({selector})?.checkVisibility() ?? false"


class ProtocolError(Exception):
    """What Chromium answers to a command that it cannot carry out."""


class Page:
    """One page, driven by what a person has: pointer, keys, eyes."""

    def __init__(self, browser: Chromium, session: str, downloads: Path, context: str) -> None:
        """Take over a page that has just been opened."""
        self._browser, self._session = browser, session
        self.downloads = downloads
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")
        browser.send(
            "Browser.setDownloadBehavior",
            behavior="allow",
            browserContextId=context,
            downloadPath=str(downloads),
        )

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Carry out a command of the protocol."""
        return self._browser.send(method, self._session, **params)

    def look(
        self,
        *,
        width: int = 1200,
        height: int = 800,
        zoom: float = 1.0,
        is_dark: bool = False,
        is_touched: bool = False,
        language: str = "en",
    ) -> None:
        """Set what the page is looked at with.

        Args:
            width, height: of the window, in pixels of CSS before zooming.
            zoom: as with Ctrl and +: what is left are fewer, larger pixels.
            is_dark: whether the reader prefers a dark page.
            is_touched: whether there is a finger instead of a pointer.
            language: that the browser asks for.
        """
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=round(width / zoom),
            height=round(height / zoom),
            deviceScaleFactor=zoom,
            mobile=False,
        )
        self.send("Emulation.setTouchEmulationEnabled", enabled=is_touched)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])
        agent = self._browser.send("Browser.getVersion")["userAgent"]
        self.send("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=language)

    def open(self, url: str) -> None:
        """Go to an address, and wait until all of it has run."""
        self.send("Page.navigate", url=url)
        here = json.dumps(url.partition("#")[0])
        self.wait(f"document.readyState === 'complete' && location.href.startsWith({here})")

    def run(self, script: str) -> Any:
        """Return the value of an expression of JavaScript; promises are waited for."""
        done = self.send(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in done:
            raise AssertionError(f"{script}: {done['exceptionDetails']}")
        return done["result"].get("value")

    def wait(self, condition: str) -> Any:
        """Wait until an expression is true, and return its value.

        A page that is being left, as by a link, answers nothing: the next one is asked.
        """
        end_s = time.monotonic() + TIMEOUT_S
        while True:
            try:
                if value := self.run(condition):
                    return value
            except ProtocolError as error:
                if not IS_LEFT.search(str(error)):
                    raise
            assert time.monotonic() < end_s, f"never came true: {condition}\n{self.problems()}"
            time.sleep(0.02)

    def text(self, selector: str) -> str:
        """Return the text that an element shows."""
        return str(self.run(f"document.querySelector({json.dumps(selector)}).innerText"))

    def value(self, selector: str) -> str:
        """Return what stands in a field."""
        return str(self.run(f"document.querySelector({json.dumps(selector)}).value"))

    def is_shown(self, selector: str) -> bool:
        """Return whether there is such an element and it can be seen."""
        return bool(self.run(IS_SHOWN.format(selector=json.dumps(selector))))

    def place(self, selector: str, word: str | None = None) -> tuple[float, float]:
        """Return the middle of an element on the screen, or of a word in it.

        Until a page is complete its elements still move, and until it is painted Chromium drops
        clicks: they would be lost. An answer that arrives moves them as well, so the place has to
        be the same in two frames. An element that is not shown yet is waited for.
        """
        self.wait(f"document.readyState === 'complete' && {IS_PAINTED}")
        self.wait(IS_SHOWN.format(selector=json.dumps(selector)))
        script = f"""(async () => {{
          const middle = () => {{
            const element = document.querySelector({json.dumps(selector)});
            element.scrollIntoView({{ block: "center", behavior: "instant" }});
            let box = element.getBoundingClientRect();
            const word = {json.dumps(word)};
            if (word !== null) {{
              const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
              while (texts.nextNode()) {{
                const at = texts.currentNode.data.indexOf(word);
                if (at < 0) continue;
                const range = document.createRange();
                range.setStart(texts.currentNode, at);
                range.setEnd(texts.currentNode, at + word.length);
                box = range.getBoundingClientRect();
                break;
              }}
            }}
            return [box.x + box.width / 2, box.y + box.height / 2];
          }};
          let before = null, now = middle();
          while (String(before) !== String(now)) {{
            await new Promise((resume) => requestAnimationFrame(resume));
            [before, now] = [now, middle()];
          }}
          return now;
        }})()"""
        x, y = self.run(script)
        return x, y

    def hover(self, selector: str, word: str | None = None) -> tuple[float, float]:
        """Put the pointer on an element, or on a word in it."""
        x, y = self.place(selector, word)
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        return x, y

    def hover_until(self, condition: str, selector: str, word: str | None = None) -> None:
        """Move the pointer about on an element, or on a word in it, until an expression is true.

        A hand is never still either: a page that is drawn anew under a pointer at rest may not hear
        of it.
        """
        end_s = time.monotonic() + TIMEOUT_S
        while True:
            x, y = self.hover(selector, word)
            self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x + 1, y=y)
            if self.run(condition):
                return
            assert time.monotonic() < end_s, f"never came true: {condition}\n{self.problems()}"
            time.sleep(0.02)

    def click(self, selector: str, word: str | None = None) -> None:
        """Click on an element, or on a word in it."""
        x, y = self.hover(selector, word)
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def tap(self, selector: str, word: str | None = None) -> None:
        """Tap on an element, or on a word in it."""
        x, y = self.place(selector, word)
        self.send("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def type(self, text: str) -> None:
        """Type a text key by key, where the focus is."""
        for character in text:
            self.send("Input.dispatchKeyEvent", type="char", text=character)

    def paste(self, text: str) -> None:
        """Put in a text at once, where the focus is."""
        self.send("Input.insertText", text=text)

    def write(self, text: str) -> None:
        """Put in a text to translate, at once, in place of the one that is there."""
        self.run("document.querySelector('#q').focus()")
        self.run("document.querySelector('#q').select()")
        self.paste(text)

    def has(self, text: str) -> None:
        """Wait until that is the whole translation, and said to be."""
        shown = f"document.querySelector('#translation')?.textContent === {json.dumps(text)}"
        is_whole = "!document.querySelector('#copy').disabled" if text else "true"
        self.wait(f"{shown} && {is_whole}")

    def press(self, key: str, modifiers: int = 0) -> None:
        """Press and release a key of `KEYS`."""
        code, number, text = KEYS[key]
        name = " " if key == "Space" else key
        held = {"key": name, "code": code, "windowsVirtualKeyCode": number, "modifiers": modifiers}
        if text and not modifiers & CONTROL:
            held |= {"text": text}
        self.send("Input.dispatchKeyEvent", type="keyDown", **held)
        held.pop("text", None)
        self.send("Input.dispatchKeyEvent", type="keyUp", **held)

    def choose(self, selector: str, value: str) -> None:
        """Choose from a list, as a person does: the page hears of it."""
        self.run(
            f"""(() => {{
              const list = document.querySelector({json.dumps(selector)});
              list.value = {json.dumps(value)};
              list.dispatchEvent(new Event("change", {{ bubbles: true }}));
            }})()"""
        )

    def give_files(self, selector: str, *paths: Path) -> None:
        """Choose files for an input."""
        root = self.send("DOM.getDocument")["root"]["nodeId"]
        node = self.send("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.send("DOM.setFileInputFiles", nodeId=node, files=[str(path) for path in paths])

    def go_offline(self, is_offline: bool = True) -> None:
        """Cut the connection, or bring it back."""
        self.send(
            "Network.emulateNetworkConditions",
            offline=is_offline,
            latency=0,
            downloadThroughput=-1,
            uploadThroughput=-1,
        )

    def picture(self, path: Path, *, is_whole: bool = False) -> None:
        """Write what is to be seen as PNG; the whole page, or what fits the window."""
        if is_whole:
            self.run("scrollTo(0, 0)")
        found = self.send("Page.captureScreenshot", captureBeyondViewport=is_whole)
        path.write_bytes(base64.b64decode(found["data"]))

    def events(self, method: str) -> list[dict[str, Any]]:
        """Return what the page has told of one kind."""
        told = list(self._browser.events.get(self._session, []))
        return [event["params"] for event in told if event["method"] == method]

    def requests(self) -> list[str]:
        """Return all addresses that the page has asked for."""
        return [told["request"]["url"] for told in self.events("Network.requestWillBeSent")]

    def problems(self) -> list[str]:
        """Return errors of scripts, and what the policy has refused."""
        errors = [str(told["exceptionDetails"]) for told in self.events("Runtime.exceptionThrown")]
        entries = [told["entry"] for told in self.events("Log.entryAdded")]
        return errors + [
            f"{entry['source']}: {entry['text']}"
            for entry in entries
            if entry["level"] == "error" and entry["source"] != "network"
        ]
