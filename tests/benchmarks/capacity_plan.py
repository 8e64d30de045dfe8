"""How many machines, and how much money, a load takes: arithmetic with what has been measured.

Everything that is assumed stands in the first lines. Put your own figures in their place.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

REQUESTS_A_DAY = 100_000_000
PEAK = 2.5
"""Times the mean of a day comes in its busiest hour."""

LOAD = 0.7
"""Of the capacity, in that hour: the simulation says what it does to waiting times."""

SENTENCES_A_NIGHT = 1_000_000_000
NIGHT_S = 8 * 3600.0
EFFICIENCY = 0.85
"""Of many machines beside one process a core, for reading, writing and stragglers."""

DAY_S = 24 * 3600.0
HOURS_A_MONTH = 730


@dataclass(frozen=True)
class Machine:
    """What can be rented.

    Attributes:
        name: of the offer.
        cores: of the CPU, each with all of its threads.
        memory_gb: of all.
        price: of an hour.
        currency: of the price.
        month: in which that was the list price, without taxes.
    """

    name: str
    cores: int
    memory_gb: int
    price: float
    currency: str
    month: str


MACHINES = (
    Machine("AWS c7a.2xlarge, on demand, us-east-1", 8, 16, 0.41056, "$", "2025-06"),
    Machine("AWS c7i.2xlarge, on demand, us-east-1", 4, 16, 0.357, "$", "2025-06"),
    Machine("Hetzner CCX33, cloud", 4, 32, 48.49 / HOURS_A_MONTH, "€", "2025-01"),
    Machine("Hetzner AX162-R, bare metal", 48, 256, 199 / HOURS_A_MONTH, "€", "2025-01"),
)
"""List prices as they were in these months: look up today's. A core of each is taken to be as fast
as one of the machine that measured: `python -m tests.benchmarks.decoding` says what is true of one
of yours."""


@dataclass(frozen=True)
class Plan:
    """What a load takes.

    Attributes:
        cores: that work at once.
        per_core: sentences or requests a second of each, at full load.
        rate: sentences or requests a second of all.
    """

    cores: float
    per_core: float
    rate: float

    def machines(self, machine: Machine, memory_gb: float) -> int:
        """Return how many machines have these cores, and the memory for a worker on each core."""
        workers = min(machine.cores, int(machine.memory_gb * 0.9 / memory_gb))
        return math.ceil(self.cores / max(workers, 1))


def serving(requests_a_core_second: float, requests_a_day: float = REQUESTS_A_DAY) -> Plan:
    """Return what requests take in the busiest hour of a day."""
    rate = requests_a_day / DAY_S * PEAK
    return Plan(rate / requests_a_core_second / LOAD, requests_a_core_second, rate)


def bulk(sentences_a_core_second: float, sentences: float = SENTENCES_A_NIGHT) -> Plan:
    """Return what a night's sentences take."""
    rate = sentences / NIGHT_S
    return Plan(rate / sentences_a_core_second / EFFICIENCY, sentences_a_core_second, rate)


def rows(day: Plan, night: Plan, memory_gb: float) -> Iterator[tuple[str, ...]]:
    """Yield a row of a table for each machine: how many are needed, and what they cost."""
    for machine in MACHINES:
        by_day, by_night = (plan.machines(machine, memory_gb) for plan in (day, night))
        month = by_day * machine.price * HOURS_A_MONTH
        following = month * (1 + 1 / PEAK) / 2  # halfway between the mean and the peak
        one_night = by_night * machine.price * NIGHT_S / 3600
        yield (
            machine.name,
            str(machine.cores),
            f"{machine.currency} {machine.price:.3f} ({machine.month})",
            f"{by_day:,}",
            f"{machine.currency} {month:,.0f}",
            f"{machine.currency} {following:,.0f}",
            f"{by_night:,}",
            f"{machine.currency} {one_night:,.0f}",
            f"{machine.currency} {one_night / (SENTENCES_A_NIGHT / 1e6):.2f}",
        )


COLUMNS = (
    "machine",
    "cores",
    "an hour (list price of)",
    "machines for the day's peak",
    "a month, all on",
    "a month, following the load",
    "machines for the night",
    "a night",
    "a million sentences",
)
