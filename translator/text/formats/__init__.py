"""Texts that have a form: each reader takes one apart into units to translate, and rebuilds it.

A unit is what belongs together as language: a paragraph, a cell, a message, with the marks that
stand inside it. Nothing here knows models, tokens or HTTP. `document.Document` is what every reader
returns, `inline.Inline` what those readers use whose paragraphs have tags inside.
"""
