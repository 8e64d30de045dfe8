"""Which of a few languages a text is written in. No tokens, no models of ours and no HTTP.

A text goes through three steps: `sample` takes a bounded part of it without code and addresses,
`languages` says which of the languages are written in its letters, and `detector` ranks those with
py3langid. Where that has learned nothing, the commonest short words in `languages` help. `sources`
has the rule which language a text is translated from, and which of its sentences are in another
one. `own_words` says of a single word whether it is of one of two languages only.
"""
