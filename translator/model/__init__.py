"""The Transformer encoder-decoder, in the order of the paper.

A new activation, norm placement, position scheme or tying is a new value of `Activation`,
`NormPlacement`, `PositionScheme` or `Tying` in `translator/config.py`, and an entry in a table of
each of these places. Each looks its table up with `choices.chosen`, and refuses a value that is not
there with a ConfigError.

=================================  ==============================================================
`model/layers.py`                  `ACTIVATIONS`: the function. `IS_PRE_NORM`: where `Residual` and
                                   the ends of both stacks (`transformer.py`) normalise.
`model/positions.py`               `POSITIONS`: the vectors that are added to the embeddings.
`model/transformer.py`             `OWN_MATRICES`: what the decoder shares with nobody.
`runtime/torchscript/linear.py`    `ACTIVATIONS`: a module that TorchScript compiles.
                                   `IS_PRE_NORM`: for its own layers and those beside it.
`runtime/int8/layout.py`           `ACTIVATIONS`: its number; `sublayers.activate` computes it.
                                   `IS_PRE_NORM`: for `sublayers.read` and `sublayers.add`.
`store/ctranslate2.py`             `ACTIVATIONS`: its name in CTranslate2's `Activation`.
                                   `IS_PRE_NORM`: what its `TransformerSpec` takes.
=================================  ==============================================================

All of them take the vectors of positions from `positions.position_vectors`; those that are learned
are weights of `Embedding`. What a place has not been taught of other projects' models (`tied`,
`scale_embedding`, `output_bias`), it refuses with `choices.refuse_foreign`. A scheme that adds no
vectors, but changes attention, is not in `POSITIONS`: `Embedding` and `MultiHeadedAttention` have
to be taught, then `FusedEncoderLayer`, `FusedDecoderLayer`, `sublayers.attend_to_memory`,
`decoder.attend_to_past` in int8, and `make_spec` for CTranslate2. Until then they refuse it.

Training needs nothing more: its rounding for int8 (`training/objective/rounding.py`) stands before
every `nn.Linear`, whatever surrounds it. `tests/invariants/test_architectures.py` takes all values
from the types in `config.py`, compares every place with the model, and fails where one is missing,
unless its `REFUSED` says that this place cannot have it.
"""
