"""Files of XML, alone or in an archive: read by a parser, but written by cutting the source.

The parser says where each element stands, so what is not translated comes back byte for byte.
No entities are declared and nothing outside the file is read.
"""
