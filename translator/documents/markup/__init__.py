"""Texts that have a form, in requests and inside files: HTML, XML, Markdown, messages of programs.

`inline.Inline` is what those readers use whose paragraphs have tags inside.
"""
