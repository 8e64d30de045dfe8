"""The Transformer encoder-decoder, in the order of the paper.

A new activation, norm placement, position scheme, tying or kind of decoder is a new value of
`Activation`, `NormPlacement`, `PositionScheme`, `Tying` or `DecoderKind` in `translator/config.py`,
and an entry in a table of each of these places. Each looks its table up with `choices.chosen`, and
refuses a value that is not there with a ConfigError.

=================================  ==============================================================
`model/layers.py`                  `ACTIVATIONS`: the function. `IS_PRE_NORM`: where `Residual` and
                                   the ends of both stacks (`transformer.py`) normalise.
                                   `IS_RECURRENT`: what a decoder layer looks back with.
`model/positions.py`               `POSITIONS`: the vectors that are added to the embeddings.
`model/transformer.py`             `OWN_MATRICES`: what the decoder shares with nobody.
`runtime/kernels/arithmetic.py`    `ACTIVATIONS`: its number; `activate` computes it.
`runtime/ctranslate2.py`           `ACTIVATIONS`: its name in CTranslate2's `Activation`.
                                   `DECODERS`: those that it has.
=================================  ==============================================================

Whatever runs a model takes a `Plan`, which `runtime/arrange.py` makes of the model and its tables:
an activation needs three entries, a place of norms, a scheme of positions or a tying one. What a
plan cannot say, such as positions that change attention, is refused by `arrange` until the
plan, `runtime/eager`, `runtime/device`, `runtime/compiled` and `runtime/ctranslate2.py` have
been taught.

Training needs nothing more: its rounding for int8 (`training/objective/rounding.py`) stands before
every `nn.Linear`, whatever surrounds it. `tests/invariants/test_architectures.py` takes all values
from the types in `config.py`, compares every place with the model, and fails where one is missing,
unless its `REFUSED` says that this place cannot have it.
"""
