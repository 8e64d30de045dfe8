"""Files that hold texts: a module reads one kind of file into units, and writes it again.

What is not translated comes back as it stands in the file. So a reader cuts the file into pieces
and replaces only those that are units; no file is written anew from what was understood of it.

`kinds` chooses the reader by the name of a file. All readers of text use `encoding`; those of XML
use `xml_source`, which says where each element stands, `paragraph`, and in packages `archive`.
"""
