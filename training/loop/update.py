"""From batches to new weights: loss, gradient, clipping, optimizers, moving average.

All of it is on the device: nothing here waits for an answer, until the tally is read.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from training.config import TrainingConfig
from training.data.encoded import moved
from training.data.loader import Batch
from training.data.on_device import RowBatch
from training.loop.distributed import World
from training.loop.optimizer import Optimizers
from training.machine import Handling
from training.objective.criterion import Criterion
from translator.errors import TranslatorError

TakeSteps = Callable[[Sequence[RowBatch]], None]


class RecordingError(TranslatorError):
    """A step cannot be recorded."""


class Recording(Protocol):
    """A recorded step."""

    def replay(self) -> None:
        """Do it again, on what then lies in the same memory."""
        ...

    def pool(self) -> Any:
        """Return the memory that it works in, for other recordings to share."""
        ...


def record(work: Callable[[], None], pool: Any) -> Recording:
    """Do `work`, then record it as a CUDA graph without doing it again.

    Random numbers are drawn on from where the device's generator stands at each replay: PyTorch
    registers that generator by itself.

    Raises:
        RecordingError: it does something that cannot be recorded.
    """
    stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "This instance was constructed with capturable=True")
        work()  # a step like any other, which also makes what is made only once
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    try:
        # what other threads do meanwhile, such as pinning memory, may go on
        with torch.cuda.graph(graph, pool=pool, capture_error_mode="thread_local"):
            work()
    except RuntimeError as error:
        raise RecordingError(
            f"a step could not be recorded as a CUDA graph ({error}); run again with "
            "--set training.cuda_graphs=false"
        ) from error
    recording: Recording = graph
    return recording


class StepGraphs:
    """Records a step of each shape when it is first met, and plays it back from then on.

    Played back, a step costs the CPU one call.
    """

    def __init__(
        self, work: TakeSteps, record: Callable[[Callable[[], None], Any], Recording] = record
    ) -> None:
        """Record `work`, which reads nothing from the CPU but its batch."""
        self._work, self._record = work, record
        self._recorded: dict[tuple[object, ...], tuple[Tensor, Recording]] = {}
        self._pool: Any = None

    def __len__(self) -> int:
        return len(self._recorded)

    def run(self, batch: RowBatch, device: torch.device) -> None:
        """Take a step."""
        key = (*batch.rows.shape, batch.width)
        rows = moved(batch.rows, device)
        if key in self._recorded:
            place, recording = self._recorded[key]
            place.copy_(rows)
            recording.replay()
            return
        lasting = dataclasses.replace(batch, rows=rows.clone())
        recording = self._record(lambda: self._work([lasting]), self._pool)
        self._pool = recording.pool() if self._pool is None else self._pool
        self._recorded[key] = lasting.rows, recording


@dataclass(frozen=True, kw_only=True, slots=True)
class StepNumbers:
    """What the CPU says of a step, whose targets are those of all processes."""

    rate: float
    num_targets: float
    ema_decay: float


class Update:
    """Takes optimizer steps that need no answer from the device.

    A step whose gradient is not finite changes neither weights nor optimizers nor average. The
    device sees to that itself, and counts such steps; the CPU learns of them from the tally.
    """

    def __init__(
        self,
        criterion: Criterion,
        parallel: nn.Module,
        optimizers: Optimizers,
        config: TrainingConfig,
        world: World,
        handling: Handling,
        ema: Mapping[str, Tensor],
    ) -> None:
        """Prepare to train the model of `criterion`."""
        self.criterion, self.optimizers, self.config = criterion, optimizers, config
        self.world, self.parallel = world, parallel
        weights = criterion.model.state_dict()
        self._weights = list(weights.values())
        self._averages = [ema[name] for name in weights if ema]
        self._scale, self._ema_weight, self._num_targets = (
            torch.zeros((), device=world.device) for _ in range(3)
        )
        self.tally = Tally(world.device)
        self._graphs = StepGraphs(self._work) if handling.records else None

    def prepare(self, numbers: StepNumbers) -> None:
        """Tell the device what the next step needs to know."""
        self.optimizers.set_rate(numbers.rate)
        # the mean over processes that DDP takes is made a sum again
        self._scale.fill_(self.world.count / numbers.num_targets)
        self._num_targets.fill_(numbers.num_targets)
        self._ema_weight.fill_(1 - numbers.ema_decay)

    def take(self, batches: Sequence[Batch], numbers: StepNumbers) -> None:
        """Take a step down the gradient of the loss summed over all its target pieces."""
        self.prepare(numbers)
        first = batches[0]
        if self._graphs is not None and isinstance(first, RowBatch) and len(batches) == 1:
            self._graphs.run(first, self.world.device)
        else:
            self._work(batches)

    def _work(self, batches: Sequence[Batch]) -> None:
        nll = self.gradient(batches)
        norm = torch.nn.utils.clip_grad_norm_(
            self.criterion.model.parameters(), self.config.clip_norm or float("inf")
        )
        is_finite = norm.isfinite()
        self.optimizers.found_inf.copy_(~is_finite)
        self.optimizers.step()
        self._average(is_finite)
        self.tally.add(nll, self._num_targets, norm, is_finite)

    def gradient(self, batches: Sequence[Batch]) -> Tensor:
        """Add up the gradients of all micro-batches; return their summed loss in nats, a scalar."""
        nll = torch.zeros((), dtype=torch.float64, device=self.world.device)
        for number, batch in enumerate(batches, start=1):
            is_last = number == len(batches)
            with self.world.unsynchronised(self.parallel, is_last):
                loss = self.parallel(batch.to(self.world.device))
                (loss.smoothed * self._scale).backward()
            nll += loss.nll
        return nll

    @torch.no_grad()
    def _average(self, is_finite: Tensor) -> None:
        if self._averages:
            weights = [self._ema_weight * is_finite] * len(self._averages)
            torch._foreach_lerp_(self._averages, self._weights, weights)


@dataclass(frozen=True, slots=True)
class Counts:
    """How the steps since the last question went.

    Attributes:
        nll: summed loss in nats of the steps that were taken, of this process.
        num_targets: target pieces of those steps, of all processes.
        num_skipped: steps whose gradient was not finite; they have changed nothing.
        most_in_a_row: how many of these came one after the other, at most, earlier ones included.
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
        zero = torch.zeros(6, dtype=torch.float64, device=device)
        self._numbers = zero
        self._nll, self._targets, self._skipped, self._most, self._norm, self._row = zero.unbind()

    @torch.no_grad()
    def add(self, nll: Tensor, num_targets: Tensor, norm: Tensor, is_finite: Tensor) -> None:
        """Note a step by scalars on the device: nats of this process, targets of all processes."""
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
