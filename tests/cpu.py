"""What tests ask of the CPU."""

from __future__ import annotations

import pytest

from translator.runtime.int8_support import int8_is_possible

NEEDS_INT8 = pytest.mark.skipif(not int8_is_possible(), reason="int8 is not written for this CPU")
