"""Documents of Microsoft's Office: packages of XML, whose text stands in runs of one format.

`package` opens one and finds the parts that have text; `word`, `slides` and `sheets` say which
those are; `drawing` reads what all three have in common: shapes, diagrams and charts.
"""
