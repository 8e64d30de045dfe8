"""Documents of Microsoft's Office: packages of XML, whose text stands in runs of one format.

`package` opens one and finds the parts that have text. `drawing` reads slides, and the shapes,
diagrams and charts that all programs of Office have; `word` and `sheets` read what theirs add.
"""
