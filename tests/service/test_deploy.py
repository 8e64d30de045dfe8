"""What the container files, the manifests and nginx's configuration say of the service is so."""

from __future__ import annotations

import dataclasses
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml
from compose_spec import PyCompose

from service.config import FROM_FILE, OF_THE_LIBRARY, ServiceConfig, variable_name
from service.http.endpoint import described
from service.http.metrics import Metrics
from tests.checkout import ROOT
from tests.service.conftest import FakeTranslator, make_app

DEPLOY = ROOT / "service" / "deploy"
KUBERNETES = DEPLOY / "kubernetes"
VERSION = "1.37.0"
"""Of Kubernetes; that of requirements-dev.txt has the schemas of this one and of older ones."""

VALUES = "prometheus-adapter.yaml"  # of a Helm chart, and no manifest
FILES = [ROOT / "Dockerfile", *sorted(path for path in DEPLOY.rglob("*") if path.suffix)]
MANIFESTS = [path for path in sorted(KUBERNETES.glob("*.yaml")) if path.name != VALUES]


def documents(path: Path) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(path.read_text("utf-8")))


def one(kind: str, name: str = "translator") -> dict[str, Any]:
    """Return the manifest of this kind and name."""
    every = [found for path in MANIFESTS for found in documents(path)]
    [found] = [one for one in every if (one["kind"], one["metadata"]["name"]) == (kind, name)]
    return found


def container() -> dict[str, Any]:
    [found] = one("Deployment")["spec"]["template"]["spec"]["containers"]
    return dict(found)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_setting_is_one_of_the_service(path: Path) -> None:
    named = {
        name.removesuffix(FROM_FILE)
        for name in re.findall(r"TRANSLATOR_[A-Z_]+", path.read_text("utf-8"))
    }
    known = {variable_name(field.name) for field in dataclasses.fields(ServiceConfig)}
    assert named - known - OF_THE_LIBRARY == set()


def test_the_health_check_asks_an_address_that_there_is() -> None:
    check = (ROOT / "Dockerfile").read_text("utf-8").partition("HEALTHCHECK")[2]
    [path] = re.findall(r"\+ '(/\w+)'", check)
    assert make_app(FakeTranslator()).test_client().get(path).status_code == 200


def test_what_the_image_copies_is_not_left_out() -> None:
    copied = re.findall(r"(?m)^COPY (.+) \S+$", (ROOT / "Dockerfile").read_text("utf-8"))
    kept = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert {name for line in copied for name in line.split()} == {
        line[1:] for line in kept if line.startswith("!")
    }


def test_the_volumes_are_where_the_image_keeps_its_files() -> None:
    image = (ROOT / "Dockerfile").read_text("utf-8")
    made = image.partition("install --directory")[2].partition("\n")[0].split()
    compose = re.findall(r"- \w+:(/var/\S+)", (DEPLOY / "compose.yaml").read_text("utf-8"))
    mounts = [mount["mountPath"] for mount in container()["volumeMounts"]]
    assert len(compose) == 3
    assert {*compose} == {path for path in mounts if path.startswith("/var")}
    assert {*compose} <= {*made}


# the compose file


def test_the_compose_file_is_valid() -> None:
    compose = PyCompose.from_yaml((DEPLOY / "compose.yaml").read_text("utf-8"))
    assert compose.service_names() == ["translator", "nginx", "redis"]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("read_only", "readonly"), ("service_healthy", "healthy"), ("replicas: 2", "replicas: two")],
)
def test_a_compose_file_that_is_not_is_refused(right: str, wrong: str) -> None:
    text = (DEPLOY / "compose.yaml").read_text("utf-8")
    assert right in text
    with pytest.raises(ValueError, match=wrong.removeprefix("replicas: ")):
        PyCompose.from_yaml(text.replace(right, wrong, 1))


def test_replicas_share_keys_and_limits() -> None:
    [compose] = documents(DEPLOY / "compose.yaml")
    translator = compose["services"]["translator"]
    assert translator["deploy"]["replicas"] == 2
    in_pods = {item["name"]: item["value"] for item in container()["env"] if "value" in item}
    for environment in (translator["environment"], in_pods):
        settings = ServiceConfig.from_environment(environment)
        assert settings.keys_storage == settings.rate_limit_storage
        assert settings.keys_storage in (
            "redis://redis:6379",
            "redis://:$(REDIS_PASSWORD)@redis:6379",
        )
        assert settings.trusted_proxies == 1


def pods() -> list[dict[str, Any]]:
    every = [found for path in MANIFESTS for found in documents(path)]
    return [one["spec"]["template"]["spec"] for one in every if "template" in one.get("spec", {})]


def test_only_the_replicas_reach_the_redis() -> None:
    [compose] = documents(DEPLOY / "compose.yaml")
    services = compose["services"]
    assert services["redis"]["networks"] == ["back"]
    assert compose["networks"]["back"] == {"internal": True}
    assert "back" not in services["nginx"]["networks"]
    [peer] = one("NetworkPolicy", "redis")["spec"]["ingress"][0]["from"]
    assert peer["podSelector"]["matchLabels"] == {"app": "translator"}
    [pod] = one("StatefulSet", "redis")["spec"]["template"]["spec"]["containers"]
    assert " ".join(pod["args"]).endswith("--requirepass $(REDIS_PASSWORD)")
    named = [item["name"] for item in container()["env"]]
    uses = [item["name"] for item in container()["env"] if "$(REDIS_" in item.get("value", "")]
    assert min(map(named.index, uses)) > named.index("REDIS_PASSWORD"), "it must come first"


def test_nothing_grows_without_a_limit() -> None:
    [compose] = documents(DEPLOY / "compose.yaml")
    for service in compose["services"].values():
        assert service["deploy"]["resources"]["limits"]["memory"]
        assert all("size=" in folder for folder in service.get("tmpfs", []))
    for pod in pods():
        assert pod["enableServiceLinks"] is False
        assert all(one["resources"]["limits"]["memory"] for one in pod["containers"])
        volumes = [one for one in pod.get("volumes", []) if "emptyDir" in one]
        assert all("sizeLimit" in one["emptyDir"] for one in volumes if one["name"] != "models")


def test_nothing_is_public_without_being_asked_for() -> None:
    services = [one for path in MANIFESTS for one in documents(path) if one["kind"] == "Service"]
    assert {one["spec"].get("type", "ClusterIP") for one in services} == {"ClusterIP"}


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="needs kubectl")
def test_kustomize_makes_manifests_with_the_secrets(tmp_path: Path) -> None:
    folder = shutil.copytree(DEPLOY, tmp_path / "deploy")
    (folder / "secrets.env").write_text("redis-password=abc\n")
    made = subprocess.run(
        ["kubectl", "kustomize", str(folder)], capture_output=True, text=True, check=True
    )
    every = list(yaml.safe_load_all(made.stdout))
    [secret] = [one for one in every if one["kind"] == "Secret"]
    name = secret["metadata"]["name"]
    assert made.stdout.count(f"name: {name}\n") == 4, "both pods and all variables name it"
    for manifest in every:
        kubernetes_validate.validate(manifest, VERSION, strict=True)


def test_the_redis_forgets_no_key_when_memory_is_short() -> None:
    [compose] = documents(DEPLOY / "compose.yaml")
    [pod] = one("StatefulSet", "redis")["spec"]["template"]["spec"]["containers"]
    for command in (compose["services"]["redis"]["command"], " ".join(pod["args"])):
        assert "--appendonly yes" in command
        assert "--maxmemory-policy volatile-lru" in command


# the manifests


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.name)
def test_every_manifest_is_valid(path: Path) -> None:
    for manifest in documents(path):
        kubernetes_validate.validate(manifest, VERSION, strict=True)


def test_a_manifest_that_is_not_is_refused() -> None:
    wrong = one("HorizontalPodAutoscaler")
    wrong["spec"]["minReplicaCount"] = wrong["spec"].pop("minReplicas")
    with pytest.raises(kubernetes_validate.ValidationError, match="minReplicaCount"):
        kubernetes_validate.validate(wrong, VERSION, strict=True)


def test_kustomize_takes_all_of_them_and_the_files_of_nginx() -> None:
    [listed] = documents(DEPLOY / "kustomization.yaml")
    assert {*listed["resources"]} == {f"kubernetes/{path.name}" for path in MANIFESTS}
    [config] = listed["configMapGenerator"]
    assert all((DEPLOY / path).is_file() for path in config["files"])
    names = {Path(path).name for path in config["files"]}
    [pod] = one("Deployment", "nginx")["spec"]["template"]["spec"]["containers"]
    assert {mount["subPath"] for mount in pod["volumeMounts"] if "subPath" in mount} == names


def test_probes_ask_addresses_that_there_are() -> None:
    client = make_app(FakeTranslator()).test_client()
    probes = {name: probe for name, probe in container().items() if name.endswith("Probe")}
    asked = {name: probe["httpGet"]["path"] for name, probe in probes.items()}
    assert asked == {
        "startupProbe": "/ready",
        "readinessProbe": "/ready",
        "livenessProbe": "/health",
    }
    assert all(client.get(path).status_code == 200 for path in asked.values())


def test_selectors_find_their_pods() -> None:
    for name, kind in (("translator", "Deployment"), ("nginx", "Deployment")):
        labels = one(kind, name)["spec"]["template"]["metadata"]["labels"]
        assert one("Service", name)["spec"]["selector"] == labels
        assert one("PodDisruptionBudget", name)["spec"]["selector"]["matchLabels"] == labels
    target = one("HorizontalPodAutoscaler")["spec"]["scaleTargetRef"]
    assert one(target["kind"], target["name"])["apiVersion"] == target["apiVersion"]


def test_the_pause_and_the_running_requests_end_before_the_pod_is_killed() -> None:
    pod = one("Deployment")["spec"]["template"]["spec"]
    pause_s = container()["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert pod["terminationGracePeriodSeconds"] > pause_s + ServiceConfig().graceful_timeout_s


def test_the_autoscaler_goes_by_metrics_that_the_service_has() -> None:
    [metric] = one("HorizontalPodAutoscaler")["spec"]["metrics"]
    [values] = documents(KUBERNETES / VALUES)
    [rule] = values["rules"]["custom"]
    assert metric["pods"]["metric"]["name"] == rule["name"]["as"]
    asked = {*re.findall(r"translator_\w+", rule["metricsQuery"] + rule["seriesQuery"])}
    there = {*re.findall(r"(?m)^(translator_\w+)", Metrics().exposition().decode())}
    assert asked == {"translator_queue_seconds_total", "translator_compute_seconds_total"}
    assert asked <= there


# systemd and Prometheus


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    text = (DEPLOY / "translator.service").read_text("utf-8")

    def verify(unit: str) -> str:
        path = tmp_path / "translator.service"
        path.write_text(unit.replace("/opt/translator/.venv/bin/python", sys.executable))
        command = ["systemd-analyze", "verify", "--man=no", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    assert verify(text) == ""
    assert "Unknown key" in verify(text.replace("KillMode", "KillMoed"))


def test_the_unit_gives_the_service_time_to_stop_and_folders_of_its_own() -> None:
    text = (DEPLOY / "translator.service").read_text("utf-8")
    [stop_s] = re.findall(r"(?m)^TimeoutStopSec=(\d+)$", text)
    assert int(stop_s) > ServiceConfig().graceful_timeout_s
    for kind, place in (("State", "lib"), ("Cache", "cache")):
        assert f"{kind}Directory=translator\n" in text
        assert f"=/var/{place}/translator" in text
    given = dict(re.findall(r"(?m)^Environment=(\w+)=(.+)$", text))
    assert ServiceConfig.from_environment(given).run_folder == "/run/translator"


def test_the_pages_command_for_keys_has_the_settings_of_the_unit() -> None:
    unit = (DEPLOY / "translator.service").read_text("utf-8").splitlines()
    page = (ROOT / "docs" / "serving.md").read_text("utf-8").replace("\\\n", " ")
    [command] = re.findall(r"(?m)^(systemd-run .*)$", page)
    given = dict(word[2:].split("=", 1) for word in shlex.split(command) if "=" in word)
    for option, name in (("uid", "User"), ("working-directory", "WorkingDirectory")):
        assert f"{name}={given[option]}" in unit
    assert f"Environment={given['setenv']}" in unit
    assert given["property"] in unit
    [start] = [line.partition("=")[2] for line in unit if line.startswith("ExecStart=")]
    assert f" {start} keys add " in command
    if shutil.which("systemd-run"):
        known = subprocess.run(
            ["systemd-run", "--help"], capture_output=True, text=True, check=True
        )
        options = re.findall(r" --([\w-]+)", command)
        assert [one for one in options if f"--{one}" not in known.stdout] == []


def test_alerts_go_by_metrics_that_the_service_has() -> None:
    [rules] = documents(DEPLOY / "prometheus-rules.yaml")
    alerts = rules["groups"][0]["rules"]
    there = {*re.findall(r"(?m)^# TYPE (translator_\w+)", Metrics().exposition().decode())}
    for alert in alerts:
        asked = {*re.findall(r"translator_\w+", alert["expr"])}
        assert asked <= there, alert["alert"]
        assert asked or 'up{job="translator"}' in alert["expr"]


# nginx


def locations() -> Iterator[tuple[str, str]]:
    """Yield the pattern and the body of each location that is a regular expression."""
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    yield from re.findall(r"location ~ (\S+) \{(.*?)\n        \}", text, re.DOTALL)


def test_addresses_go_where_their_descriptions_say() -> None:
    [(repeatable, begun_twice), (local, asked_of_all), _] = locations()
    assert "error non_idempotent;" in begun_twice
    assert "http_404" in asked_of_all
    addresses = {
        (rule.rule, method): endpoint
        for rule, method, endpoint in described(make_app(FakeTranslator()))
    }
    for (path, method), endpoint in addresses.items():
        assert bool(re.search(local, path)) == endpoint.is_local, path
        if method == "POST":
            assert bool(re.search(repeatable, path)) == endpoint.is_repeatable, path
    named = {f"/{path}" for path in repeatable[3:-2].split("|")}
    assert named <= {path for path, _ in addresses}
