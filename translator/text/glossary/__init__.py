"""Glossaries: terms whose translation is given, and the files that name them."""

from translator.text.glossary.files import read_glossary
from translator.text.glossary.terms import MAX_TERMS, Applied, Glossary

__all__ = ["MAX_TERMS", "Applied", "Glossary", "read_glossary"]
