"""From a user's characters to sentences and back, byte for byte. No tokens and no models.

A text goes down the left side, and its translation comes up the right side. Each step has a mirror,
and no step calls one above it:

    text                                                           translation
      │  segmentation.split         sentences, separators     Segments.join │
      │  wrapping.unwrap            one line                         rewrap │
      │  protection.protect         spans → placeholders  Protected.restore │
      │  normalisation.normalise    as a model reads it        denormalise │
      │                             numbers       formatting.format_numbers │
      │  chunks.cut_long            no longer than it reads        "".join │
      ▼  Tokenizer.encode_source    ids                   Tokenizer.decode │
    source ids  ─────────────────── search ──────────────────── target ids ┘

The first three are here, `normalisation` and `formatting` in the room of rules. `pipeline.chunks`
calls the steps from `unwrap` to `encode_source` in this order, and their mirrors in the other.
`pipeline.degeneration` checks what `decode` returns, before spans are restored, and
`pipeline.numbers` what `format_numbers` makes of it.

What must come back verbatim is looked for once, by `spans.find_spans` in `protect`. `split`,
`unwrap` and `protect` also take spans that somebody else has found (`known`) and carry them along.
Words that the vocabulary cannot read come back verbatim, too: `Tokenizer.alphabet` says which it
can, and `protect` is told.
Characters are normalised only after that, since separators and spans come back as they were.
"""
