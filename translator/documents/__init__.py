"""Texts and files that have a form: a reader takes one apart into units, and writes it again.

A unit is what belongs together as language: a paragraph, a cell, a message, with the marks that
stand inside it. What is not translated comes back as it stands in the file. So a reader cuts the
file into pieces and replaces only those that are units; no file is written anew from what was
understood of it.

`document.Document` is what every reader returns; `kinds` chooses the reader by the name of a file.
All readers of text use `encoding`; those of XML use `xml_source`, which says where each element
stands, `paragraph`, and in packages `archive`.
"""
