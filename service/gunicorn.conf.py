"""How gunicorn runs the service.

`python -m service` starts it; so does gunicorn itself, in the repository's root:

    gunicorn --config service/gunicorn.conf.py

The service's settings are the TRANSLATOR_* variables of `service/config.py`; any setting of
gunicorn can be overridden on the command line or in GUNICORN_CMD_ARGS.

The worker is the service's own, `service/worker/`, in which waitress serves: clients that are slow,
silent or many hold no thread. A public server still needs a proxy for TLS: with a certificate of
its own the worker is a plain `gthread`, whose threads slow clients do hold. `service/deploy/` has a
configuration of nginx.
"""

from __future__ import annotations

import gc
import importlib
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import Any, NoReturn

# OpenMP reads its settings once, when it is loaded, so they come before every other import.
# Waiting threads must sleep: the default, spinning, makes decoding many times slower on a busy CPU.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("GOMP_SPINCOUNT", "0")
# One thread: with small models, threads wait for one another longer than they work.
# OpenMP itself complains of a wrong number, in a way of its own; the settings are checked below.
if os.environ.get("TRANSLATOR_THREADS", "").strip("0").isdecimal():
    os.environ.setdefault("OMP_NUM_THREADS", os.environ["TRANSLATOR_THREADS"])
os.environ.setdefault("OMP_NUM_THREADS", "1")

from service.config import ServiceConfig, unread_of_libretranslate, variable_name
from service.http.logs import gunicorn_config, last_line
from service.start.checks import make_run_folder, require_addresses, require_room, require_temp
from translator.config import REGISTRY
from translator.downloads.registry import ALL, check_registry
from translator.errors import ConfigError, DownloadError
from translator.language_names import is_language
from translator.store.imports.pieces import own_code


def fail(message: object) -> NoReturn:
    """End the start with one line."""
    sys.exit(last_line(str(message), os.environ.get(variable_name("log_format"), "")))


try:
    service_config = ServiceConfig.from_environment(os.environ)
    if service_config.fetches:
        check_registry()
except DownloadError as error:
    fail(f"{REGISTRY}: {error}")
except ConfigError as error:
    fail(error)
# A worker would say so too, but only after its code has loaded, and between lines of gunicorn's.
_missing = "model directory" if service_config.model else "folder of models"
for _path in service_config.model_paths or filter(None, [service_config.model]):
    if not os.path.isdir(_path):
        fail(f"{_path}: no such {_missing}")
    if not os.access(_path, os.R_OK | os.X_OK):
        fail(f"{_path}: the user that runs the server may not read it")

wsgi_app = "service.wsgi:app"
_host = service_config.host.strip("[]")
_host = f"[{_host}]" if ":" in _host else _host
bind = f"{_host}:{service_config.port}"

# Each worker loads the model after the fork: a parent that has run torch hangs its children. To
# have imported it does no harm, and saves memory: see `when_ready`.
worker_class = "service.worker.loop.BufferingWorker"
workers = service_config.workers
preload_app = False
max_requests = 0  # a restarting worker is silent for as long as the model takes to load

# More threads than translations in progress, so that a full server still answers all the rest.
threads = service_config.concurrency_limit + 16

# A worker beats every second; one that has not for so long is killed and replaced. While it loads
# the model, it has `BufferingWorker.loading_s` instead.
timeout = 10
worker_connections = 4096  # more close those that have waited longest
reuse_port = False  # the system would give a stopped worker its share of the connections
graceful_timeout = service_config.graceful_timeout_s
keepalive = 5
limit_request_line = 8190  # some clients send their text in the query string
# Heartbeat files in memory, so that a worker never waits for a disk.
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK | os.X_OK) else None
control_socket_disable = True  # no socket in the home directory; signals do all that is needed
accesslog = None  # the application logs requests
logconfig_dict = gunicorn_config(service_config.log_format)

RUN_FOLDER = variable_name("run_folder")


def on_starting(server: Any) -> None:
    """End the start in one line if the addresses are taken; make a folder that workers share."""
    server.own_folder = None
    try:
        require_addresses(server)
        require_temp(server.cfg.worker_tmp_dir)
        if not service_config.run_folder:
            server.own_folder = str(make_run_folder())
        require_room(Path(service_config.run_folder or server.own_folder))
    except ConfigError as error:
        on_exit(server)
        fail(error)
    if unread := unread_of_libretranslate(os.environ):
        server.log.warning(unread)
    for name in ("languages", "pivot"):
        for code in getattr(service_config, name).replace(",", " ").split():
            if code != ALL and not is_language(own_code(code.replace("_", "-"))):
                server.log.warning("%s: no language has the code %r", variable_name(name), code)


def load_shared() -> None:
    """Import the code of the workers and load their model: they share the memory that it takes.

    No thread is started here, and PyTorch is not run. The collector leaves all of it alone, since
    it writes to what it looks at.
    """
    importlib.import_module("service.start.app")
    models = importlib.import_module("service.start.models")
    from translator import jit

    is_compiled = service_config.device == "cpu" and jit.compiles()
    importlib.import_module(f"translator.runtime.{'compiled' if is_compiled else 'device'}.model")
    models.prepare(service_config)
    gc.collect()
    gc.freeze()


def when_ready(server: Any) -> None:
    """Import what workers run, and let SIGHUP have them read the list of models again.

    If there is no such list, it replaces the workers, as gunicorn does by default.
    """
    if server.app.app_uri == wsgi_app:
        load_shared()
    if service_config.has_many_models:
        signal.signal(signal.SIGHUP, lambda *_: server.kill_workers(signal.SIGHUP))


def on_reload(server: Any) -> None:
    """Load the model again, which may be another one now."""
    if server.app.app_uri == wsgi_app:
        importlib.import_module("service.start.models").prepare(service_config)


def post_fork(server: Any, worker: Any) -> None:
    """Tell a worker of that folder; a server that takes over from this one makes its own.

    What only a server that serves writes is made here, and not where `--check-config` comes by.
    """
    if server.own_folder is not None:
        os.environ[RUN_FOLDER] = server.own_folder
    if server.app.app_uri == wsgi_app:
        importlib.import_module("service.start.models").make_folder(service_config)


def post_worker_init(worker: Any) -> None:
    """Let a worker download models; `--check-config`, which has no worker, does not."""
    if worker.app.app_uri == wsgi_app:
        worker.wsgi.extensions[importlib.import_module("service.wsgi").DOWNLOADS]()


def on_exit(server: Any) -> None:
    """Delete it."""
    if server.own_folder is not None:
        shutil.rmtree(server.own_folder, ignore_errors=True)
