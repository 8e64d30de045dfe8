"""The Transformer encoder-decoder, in the order of the paper.

To add an activation, norm placement, position scheme, tying or kind of decoder, add a value to
`Activation`, `NormPlacement`, `PositionScheme`, `Tying` or `DecoderKind` in `translator/config.py`,
and an entry to its table in each of the places below. Each place looks values up with
`choices.chosen`, which raises ConfigError for a value that the table does not have.

=================================  ==============================================================
`model/layers.py`                  `ACTIVATIONS`: the function.
`model/choices.py`                 `IS_PRE_NORM`: where `Residual` and the ends of both stacks
                                   (`transformer.py`) normalise. `IS_RECURRENT`: how a decoder layer
                                   reads the target so far. `OWN_MATRICES`: matrices of the decoder
                                   that are not shared.
`model/positions.py`               `POSITIONS`: the vectors that are added to the embeddings.
`runtime/kernels/arithmetic.py`    `ACTIVATIONS`: the number of the activation that `activate`
                                   computes.
`runtime/ctranslate2.py`           `ACTIVATIONS`: its name in CTranslate2's `Activation`.
                                   `DECODERS`: the kinds of decoder that CTranslate2 has.
=================================  ==============================================================

An activation needs three entries; a norm placement, a position scheme or a tying needs one.

The names and shapes of all weights are in `model/weights.py`, too, which makes no model.

Every runtime takes a `Plan`, which `runtime/arrange.py` makes from the weights and these tables. A
plan cannot describe everything: positions that change attention, for example, need changes in the
plan, `runtime/layers.py`, `runtime/eager.py`, `runtime/device`, `runtime/compiled` and
`runtime/ctranslate2.py`. Until then `arrange` refuses them.

Training needs no change. `tests/invariants/test_architectures.py` tries all values of the
types in `config.py` in every place, and fails where one is missing, unless its `REFUSED` says that
this place cannot have it.
"""
