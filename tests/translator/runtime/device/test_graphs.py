"""Work is called once, then captured, then replayed; without a GPU it is simply called."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch

from translator.runtime.device.graphs import Graphs


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


def test_on_a_gpu_what_comes_again_is_captured(log: list[str]) -> None:
    graphs = Graphs(torch.device("cuda"))
    assert log == ["wait for the weights"]
    log.clear()
    for _ in range(4):
        graphs.run("a", lambda: log.append("work"))
    assert log == ["work", "begin in pool 1", "work", "end", "replay", "replay", "replay"]
    assert len(graphs) == 1
    log.clear()
    graphs.run("b", lambda: log.append("other work"))
    assert log == ["other work"]


def test_what_is_forgotten_begins_anew_in_memory_of_its_own(log: list[str]) -> None:
    graphs = Graphs(torch.device("cuda"))
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

    graphs = Graphs(torch.device("cuda"))
    log.clear()
    for _ in range(3):
        graphs.run("a", fragile)
    assert log == ["work", "begin in pool 1", "end", "work", "work"]
    assert "launched one by one, they cannot be captured: no such operation" in caplog.text
    assert len(graphs) == 0


def test_elsewhere_work_is_called() -> None:
    graphs, calls = Graphs(torch.device("cpu")), list[int]()
    for number in range(3):
        graphs.run("a", lambda number=number: calls.append(number))  # type: ignore[misc]
    assert calls == [0, 1, 2]
    assert len(graphs) == 0


def test_attention_of_cudnn_is_off_for_our_work_only() -> None:
    before = torch.backends.cuda.cudnn_sdp_enabled()
    with Graphs(torch.device("cpu")).at_work():
        assert not torch.backends.cuda.cudnn_sdp_enabled()
        assert torch.backends.cuda.mem_efficient_sdp_enabled()
        assert torch.is_inference_mode_enabled()
    assert torch.backends.cuda.cudnn_sdp_enabled() == before
