"""POST /translate over the wire: the request, its glossary, the answer, and the answer streamed."""
