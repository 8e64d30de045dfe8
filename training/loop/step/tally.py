"""What steps add up on the device until the CPU asks for it."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Counts:
    """How the steps since the last question went.

    Attributes:
        nll: summed loss in nats of the steps that were taken, of this process.
        num_targets: target pieces of those steps, of all processes.
        num_skipped: steps whose gradient was not finite; they have changed nothing.
        most_in_a_row: how many of these came one behind the other, at most, earlier ones included.
        norm: of the last finite gradient, before it was clipped.
    """

    nll: float
    num_targets: int
    num_skipped: int
    most_in_a_row: int
    norm: float


class Tally:
    """Adds up in float64, on a device."""

    def __init__(self, device: torch.device) -> None:
        """Begin at zero."""
        zero = torch.zeros(6, dtype=torch.float64, device=device)
        self._numbers = zero
        self._nll, self._targets, self._skipped, self._most, self._norm, self._row = zero.unbind()

    @torch.no_grad()
    def add(self, nll: Tensor, num_targets: Tensor, norm: Tensor, is_finite: Tensor) -> None:
        """Note a step; all are scalars on the device.

        Args:
            nll: of the step, in nats, of this process.
            num_targets: of all processes.
            norm: of the gradient.
            is_finite: bool, whether it is finite.
        """
        self._nll += torch.where(is_finite, nll.double(), 0.0)
        self._targets += torch.where(is_finite, num_targets.double(), 0.0)
        self._skipped += ~is_finite
        self._row.copy_(torch.where(is_finite, 0.0, self._row + 1))
        self._most.copy_(torch.maximum(self._most, self._row))
        self._norm.copy_(torch.where(is_finite, norm.double(), self._norm))

    def read(self) -> Counts:
        """Return what was noted since the last time. This waits for the device."""
        nll, targets, skipped, most, norm, _ = self._numbers.tolist()
        self._numbers[:4].zero_()
        return Counts(nll, int(targets), int(skipped), int(most), norm)
