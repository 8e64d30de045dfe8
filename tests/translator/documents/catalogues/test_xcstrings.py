"""Catalogues of Xcode get the languages that they lack."""

from __future__ import annotations

import json

from tests.documents import shouted, texts, unchanged
from translator.documents.catalogues.xcstrings import read_xcstrings

FILE = """{
  "sourceLanguage" : "en",
  "strings" : {
    "" : {

    },
    "Open %@" : {
      "comment" : "a button"
    },
    "greeting" : {
      "localizations" : {
        "en" : {
          "stringUnit" : {
            "state" : "translated",
            "value" : "Hello"
          }
        }
      }
    },
    "done" : {
      "localizations" : {
        "de" : { "stringUnit" : { "state" : "translated", "value" : "Fertig" } }
      }
    },
    "begun" : {
      "localizations" : {
        "de" : { "stringUnit" : { "state" : "new", "value" : "" } }
      }
    },
    "secret" : { "shouldTranslate" : false },
    "days" : {
      "localizations" : {
        "en" : { "variations" : { "plural" : {
          "one" : { "stringUnit" : { "state" : "translated", "value" : "%lld day" } },
          "other" : { "stringUnit" : { "state" : "translated", "value" : "%lld days" } } } } }
      }
    },
    "empty" : {}
  },
  "version" : "1.0"
}
"""


def test_languages_that_are_missing_are_filled_in() -> None:
    document = read_xcstrings("a.xcstrings", FILE.encode(), "de")
    assert texts(document) == ["Open %@", "Hello", "begun", "%lld day", "%lld days", "empty"]
    before, after = json.loads(FILE), json.loads(shouted(document))
    found = {key: entry.get("localizations", {}) for key, entry in after["strings"].items()}
    unit = {"stringUnit": {"state": "needs_review", "value": "OPEN %@"}}
    assert found["Open %@"] == {"de": unit}
    assert found["greeting"]["de"]["stringUnit"]["value"] == "HELLO"
    assert found["begun"]["de"]["stringUnit"] == {"state": "needs_review", "value": "BEGUN"}
    plural = found["days"]["de"]["variations"]["plural"]
    assert plural["one"]["stringUnit"]["value"] == "%lld DAY"
    assert found["empty"]["de"]["stringUnit"]["value"] == "EMPTY"
    for key in ("", "done", "secret"):
        assert after["strings"][key] == before["strings"][key]
    for entry in after["strings"].values():
        entry.get("localizations", {}).pop("de", None)
    assert after["strings"]["greeting"] == before["strings"]["greeting"]


def test_what_is_new_stands_as_xcode_writes_it() -> None:
    written = shouted(read_xcstrings("a.xcstrings", FILE.encode(), "de")).decode()
    assert (
        """      "comment" : "a button",
      "localizations" : {
        "de" : {
          "stringUnit" : {
            "state" : "needs_review",
            "value" : "OPEN %@"
          }
        }
      }
    },
"""
        in written
    )


def test_without_a_target_nothing_changes() -> None:
    assert unchanged(read_xcstrings("a.xcstrings", FILE.encode())) == FILE.encode()


def test_slashes_are_written_as_the_file_does() -> None:
    data = rb'{"sourceLanguage" : "en", "strings" : {"See https:\/\/a.org or b\/c" : {}}}'
    written = shouted(read_xcstrings("a.xcstrings", data, "de"))
    assert rb'"value" : "SEE HTTPS:\/\/A.ORG OR B\/C"' in written
