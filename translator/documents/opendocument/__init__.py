"""Documents of OpenDocument: texts, slides and sheets, whose paragraphs are the same.

`package` opens one, `part` cuts a member into pieces and reads its paragraphs.
"""
