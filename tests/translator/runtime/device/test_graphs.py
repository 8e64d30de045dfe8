"""Work is called once, then captured, then replayed; without a GPU it is simply called."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch

from translator.runtime.device import graphs as module
from translator.runtime.device.graphs import Graphs, new_stream


class FakeGraph:
    """Stands for a CUDA graph: notes what happens to it."""

    log: list[str]

    def capture_begin(self, pool: object, capture_error_mode: str) -> None:
        assert capture_error_mode == "thread_local", "other threads may go on"
        self.log.append(f"begin in {pool}")

    def capture_end(self) -> None:
        self.log.append("end")

    def replay(self) -> None:
        self.log.append("replay")


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []
    pools = iter(["pool 1", "pool 2"])
    monkeypatch.setattr(FakeGraph, "log", found, raising=False)
    monkeypatch.setattr(torch.cuda, "CUDAGraph", FakeGraph)
    monkeypatch.setattr(torch.cuda, "graph_pool_handle", lambda: next(pools))
    stream = SimpleNamespace(wait_stream=lambda other: found.append(f"wait for {other}"))
    monkeypatch.setattr(torch.cuda, "Stream", lambda _: stream)
    monkeypatch.setattr(torch.cuda, "current_stream", lambda _: "the weights")
    return found


def on_a_gpu(log: list[str]) -> Graphs:
    graphs = Graphs(new_stream(torch.device("cuda")))
    log.clear()
    return graphs


def test_on_a_gpu_what_comes_again_is_captured(log: list[str]) -> None:
    stream = new_stream(torch.device("cuda"))
    assert log == ["wait for the weights"]
    log.clear()
    graphs = Graphs(stream)
    for _ in range(4):
        graphs.run("a", lambda: log.append("work"))
    assert log == ["work", "begin in pool 1", "work", "end", "replay", "replay", "replay"]
    assert len(graphs) == 1
    log.clear()
    graphs.run("b", lambda: log.append("other work"))
    assert log == ["other work"]


def test_what_is_forgotten_begins_anew_in_memory_of_its_own(log: list[str]) -> None:
    graphs = on_a_gpu(log)
    graphs.run("a", lambda: None)
    graphs.run("a", lambda: None)
    graphs.forget()
    assert len(graphs) == 0
    log.clear()
    graphs.run("a", lambda: log.append("work"))
    graphs.run("a", lambda: log.append("work"))
    assert log == ["work", "begin in pool 2", "work", "end", "replay"]


def test_without_captures_work_goes_on_and_it_is_said(
    log: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    def fragile() -> None:
        if log and log[-1].startswith("begin"):
            raise RuntimeError("no such operation")
        log.append("work")

    graphs = on_a_gpu(log)
    for _ in range(3):
        graphs.run("a", fragile)
    assert log == ["work", "begin in pool 1", "end", "work", "work"]
    assert "launched one by one, they cannot be captured: no such operation" in caplog.text
    assert len(graphs) == 0


def test_elsewhere_work_is_called() -> None:
    graphs, calls = Graphs(new_stream(torch.device("cpu"))), list[int]()
    for number in range(3):
        graphs.run("a", lambda number=number: calls.append(number))  # type: ignore[misc]
    assert calls == [0, 1, 2]
    assert len(graphs) == 0


def test_there_is_an_end_to_graphs(log: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_GRAPHS", 2)
    graphs = on_a_gpu(log)
    for key in ("a", "a", "b", "b", "c"):
        graphs.run(key, lambda: None)
    assert len(graphs) == 2
    graphs.run("c", lambda: log.append("work"))
    assert len(graphs) == 1
    assert log[-4:] == ["begin in pool 2", "work", "end", "replay"]


def test_the_error_that_ended_a_capture_is_the_one_that_is_told(
    log: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def capture_end(self: FakeGraph) -> None:
        raise RuntimeError("operation failed due to a previous error during capture")

    def fragile() -> None:
        if log and log[-1].startswith("begin"):
            log.append("failed")
            raise RuntimeError("no such operation")

    monkeypatch.setattr(FakeGraph, "capture_end", capture_end)
    graphs = on_a_gpu(log)
    graphs.run("a", fragile)
    graphs.run("a", fragile)
    assert "cannot be captured: no such operation" in caplog.text


def test_work_happens_in_inference_mode() -> None:
    with Graphs(None).at_work():
        assert torch.is_inference_mode_enabled()
    assert not torch.is_inference_mode_enabled()
