"""The processes of service/deploy/compose.yaml without containers: replicas, nginx and a Redis."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from tests.checkout import ROOT
from tests.ports import free_port
from tests.serving import TIMEOUT_S, is_healthy

NGINX_CONF = ROOT / "service" / "deploy" / "nginx.conf"
NGINX = "/usr/sbin/nginx"  # where Debian has it, which is not on everyone's path


def nginx_program() -> str | None:
    """Return the path of nginx; None if it is not installed."""
    return shutil.which("nginx") or shutil.which(NGINX)


class Replica:
    """One service: gunicorn and its worker, in a group of processes of their own."""

    def __init__(self, log: Path, environment: Mapping[str, str], core: int | None = None) -> None:
        """Start it on a free port; `wait` returns when it answers.

        Args:
            log: receives what it says.
            environment: settings, added to those of this process.
            core: of the CPU, which it never leaves; any if None.
        """
        self.port, self.core = free_port(), core
        self._log, self._environment = log, environment
        self.start()

    def start(self) -> None:
        """Start it, or start it anew on the same port."""
        pinned = [] if self.core is None else ["taskset", "--cpu-list", str(self.core)]
        with self._log.open("a") as stream:
            self._process = subprocess.Popen(
                [*pinned, sys.executable, "-m", "service"],
                cwd=ROOT,
                env={**os.environ, **self._environment, "TRANSLATOR_PORT": str(self.port)},
                stdout=stream,
                stderr=stream,
                start_new_session=True,
            )

    def wait(self) -> float:
        """Return the seconds until it answers.

        Raises:
            RuntimeError: it has ended, or takes too long.
        """
        started_s = time.monotonic()
        while not is_healthy(self.port):
            if self._process.poll() is not None or time.monotonic() > started_s + TIMEOUT_S:
                raise RuntimeError(f"the service does not answer:\n{self._log.read_text()}")
            time.sleep(0.05)
        return time.monotonic() - started_s

    @property
    def is_running(self) -> bool:
        """Whether its main process has not ended."""
        return self._process.poll() is None

    @property
    def exit_code(self) -> int | None:
        """That of its main process, once it has ended."""
        return self._process.poll()

    def kill(self) -> None:
        """End all of its processes at once, as the system does when memory is short."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def terminate(self) -> None:
        """Tell it to finish what it has and end; it does so meanwhile."""
        self._process.terminate()

    def stop(self) -> None:
        """Let it end as it would in a container, and wait for it."""
        self.terminate()
        try:
            self._process.wait(TIMEOUT_S)
        finally:
            self.kill()

    @property
    def pids(self) -> tuple[int, int]:
        """Return the process IDs of its main process and of its worker."""
        pid = self._process.pid
        return pid, int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])


@contextmanager
def replicas(
    folder: Path, count: int, environment: Mapping[str, str], cores: Sequence[int] | None = None
) -> Iterator[list[Replica]]:
    """Run so many services until the end, and yield them when all answer.

    Args:
        folder: for their logs.
        count: how many.
        environment: settings.
        cores: of the CPU, of which each replica has one in turn; any if None.
    """
    with ExitStack() as stack:
        running = []
        for number in range(count):
            core = None if cores is None else cores[number % len(cores)]
            running.append(Replica(folder / f"replica-{number}.log", environment, core))
            stack.callback(running[-1].stop)
        for replica in running:
            replica.wait()
        yield running


@contextmanager
def nginx(
    folder: Path, ports: list[int], *, connections: int = 4000, believed: str = ""
) -> Iterator[int]:
    """Run nginx with the configuration of service/deploy, and yield its port.

    Its own port, its folders and the replicas' addresses are written anew. The rest is as it is.

    Args:
        folder: for what it writes.
        ports: of the replicas, on this machine.
        connections: that one address may have; many, since all requests come from one.
        believed: addresses of the proxy before it, for the lines that the file has for that.
    """
    port = free_port()
    (folder / "upstream.conf").write_text(upstream(ports))
    shutil.copy(NGINX_CONF.with_name("errors.conf"), folder)
    text = NGINX_CONF.read_text("utf-8").replace("/tmp/", f"{folder}/")
    text, num_ports = re.subn(r"listen 8080;", f"listen 127.0.0.1:{port};", text)
    text, num_limits = re.subn(
        r"limit_conn addresses 100;", f"limit_conn addresses {connections};", text
    )
    assert num_ports == num_limits == 1, "service/deploy/nginx.conf has changed"
    if believed:
        text, num_lines = re.subn(r"(?m)^ +# +((?:set_)?real_ip_\w+ .+;)$", r"\1", text)
        assert num_lines == 3, "service/deploy/nginx.conf has changed"
        text = text.replace("10.0.0.0/8", believed)
    with running_nginx(folder, text, port):
        yield port


def upstream(ports: list[int]) -> str:
    """Return the replicas of compose.yaml as its comments say for machines without Docker."""
    text = NGINX_CONF.with_name("upstream.conf").read_text("utf-8")
    text, num_lines = re.subn(r"(?m)^resolver .*\n|^ +server .* resolve .*\n", "", text)
    commented = re.compile(r"(?m)^    # (server 127\.0\.0\.1):5000(.*)$")
    named = "\n".join(rf"    \1:{port}\2" for port in ports)
    text, num_comments = commented.subn(named, text)
    assert (num_lines, num_comments) == (2, 1), "service/deploy/upstream.conf has changed"
    return text


@contextmanager
def running_nginx(folder: Path, configuration: str, port: int) -> Iterator[None]:
    """Run nginx with a configuration that listens on a port."""
    program = nginx_program()
    assert program, "nginx is not installed"
    (folder / "nginx.conf").write_text(configuration)
    directives = "daemon off;" + (" user root;" if os.geteuid() == 0 else "")
    with (folder / "nginx.log").open("w") as log:
        process = subprocess.Popen(
            [program, "-c", str(folder / "nginx.conf"), "-g", directives], stderr=log
        )
    try:
        end_s = time.monotonic() + TIMEOUT_S
        while not _listens(port):
            assert process.poll() is None, (folder / "nginx.log").read_text()
            assert time.monotonic() < end_s, "nginx does not answer"
            time.sleep(0.02)
        yield
    finally:
        process.terminate()
        process.wait(TIMEOUT_S)


def _listens(port: int) -> bool:
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0
