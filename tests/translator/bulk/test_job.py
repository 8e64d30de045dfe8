"""Jobs: what is left is done, and no more than that."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.ftp import ftp_server
from tests.here_workers import HereWorkers
from tests.translator.bulk.conftest import MakeJob
from translator.bulk import translating
from translator.bulk.formats.kinds import FormatName
from translator.bulk.formats.rows import Columns
from translator.bulk.job import JobProgress, Outcome, run_job
from translator.bulk.parts import Job
from translator.bulk.plan import Part, Source
from translator.errors import (
    EngineClosedError,
    InputError,
    ModelDirectoryError,
    TranslatorError,
    UnsupportedLanguageError,
)

LINES = [f"Der Hund {number}." for number in range(10)]


@pytest.fixture
def source(tmp_path: Path) -> Source:
    path = tmp_path / "in.txt"
    path.write_text("".join(line + "\n" for line in LINES))
    return Source(place=str(path), columns=Columns(text="text"), max_rows=3)


class UnsteadyWorkers(HereWorkers):
    """Loses parts at times, or all of them."""

    def __init__(self, does: int) -> None:
        self.does, self.calls = does, 0

    def run(
        self, job: Job, parts: Sequence[tuple[Part, str]], progress: JobProgress
    ) -> Iterator[Outcome]:
        self.calls += 1
        yield from super().run(job, parts[: self.does], progress)


def result(tmp_path: Path) -> list[str]:
    paths = sorted((tmp_path / "out").glob("part-*"))
    return [line for path in paths for line in path.read_text().splitlines()]


def test_all_is_done_once(tmp_path: Path, source: Source, make_job: MakeJob) -> None:
    report = run_job(source, make_job, HereWorkers())
    assert result(tmp_path) == LINES
    assert (report.num_parts, report.num_before, report.counts.rows) == (4, 0, 10)
    (tmp_path / "out" / "part-000001.txt").unlink()
    report = run_job(source, make_job, HereWorkers())
    assert (report.num_before, report.counts.rows) == (3, 3)
    assert result(tmp_path) == LINES
    assert not (tmp_path / "out" / "_unfinished").exists()


def test_lost_parts_are_done_by_others(tmp_path: Path, source: Source, make_job: MakeJob) -> None:
    workers = UnsteadyWorkers(1)
    report = run_job(source, make_job, workers)
    assert result(tmp_path) == LINES
    assert (workers.calls, report.counts.rows) == (4, 10)


def test_who_gets_nowhere_stops(source: Source, make_job: MakeJob) -> None:
    with pytest.raises(TranslatorError, match=r"4 of 4 parts failed: part-000000\.txt: no worker"):
        run_job(source, make_job, UnsteadyWorkers(0))


def test_a_part_that_fails_does_not_stop_others(
    tmp_path: Path, source: Source, make_job: MakeJob
) -> None:
    blocked = tmp_path / "out" / "part-000001.txt"

    class BlockedWorkers(HereWorkers):
        def run(
            self, job: Job, parts: Sequence[tuple[Part, str]], progress: JobProgress
        ) -> Iterator[Outcome]:
            wrong = [(dataclasses.replace(part, url="/gone"), name) for part, name in parts[:1]]
            yield from super().run(job, wrong + list(parts[1:]), progress)

    with pytest.raises(TranslatorError, match=r"1 of 4 parts failed: part-000000\.txt: .*/gone"):
        run_job(source, make_job, BlockedWorkers())
    assert blocked.exists()
    run_job(source, make_job, HereWorkers())
    assert result(tmp_path) == LINES


@pytest.mark.parametrize("error", [EngineClosedError("it has failed"), ModelDirectoryError("gone")])
def test_a_job_ends_with_its_engine_or_models(
    source: Source, make_job: MakeJob, monkeypatch: pytest.MonkeyPatch, error: TranslatorError
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(translating, "translate_texts", fail)
    with pytest.raises(type(error), match=str(error)):
        run_job(source, make_job, HereWorkers())


def test_other_options_are_another_job(source: Source, make_job: MakeJob, tmp_path: Path) -> None:
    run_job(source, make_job, HereWorkers())

    def with_beam(*formats: object) -> Job:
        return dataclasses.replace(make_job("text", "text"), beam_size=7)

    with pytest.raises(InputError, match="was made with other beam size; name another"):
        run_job(source, with_beam, HereWorkers())


def test_languages_are_looked_at_first(source: Source, make_job: MakeJob, tmp_path: Path) -> None:
    def to_french(*formats: object) -> Job:
        job = make_job("text", "text")
        return dataclasses.replace(job, options=dataclasses.replace(job.options, target="fr"))

    with pytest.raises(UnsupportedLanguageError, match="--to fr"):
        run_job(source, to_french, HereWorkers())
    assert not (tmp_path / "out").exists()


def test_input_and_output_may_be_on_a_server(
    tmp_path: Path, source: Source, make_job: MakeJob
) -> None:
    with ftp_server(tmp_path) as url:

        def job(read: FormatName, written: FormatName) -> Job:
            return dataclasses.replace(make_job(read, written), out=f"{url}/out")

        there = dataclasses.replace(source, place=f"{url}/in*.txt")
        run_job(there, job, HereWorkers())
        assert result(tmp_path) == LINES
        assert run_job(there, job, HereWorkers()).num_before == 4
