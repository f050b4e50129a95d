"""``batchproof init``: five answers, or a Deployment, become a descriptor that lints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml
from click.testing import CliRunner

from batchproof.commands.init import command
from batchproof.descriptor.draft import Draft, adapted, written
from batchproof.descriptor.implementation import check_usable, load
from batchproof.ground.errors import UserError
from batchproof.profiles import profiles

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the user is."""
    here = tmp_path / "acme-jobs"
    here.mkdir()
    monkeypatch.chdir(here)
    return here


def init(*arguments: str, answers: str = "") -> str:
    """What the command says; an error is raised."""
    result = CliRunner().invoke(
        command, arguments, input=answers, catch_exceptions=False, standalone_mode=False
    )
    if result.exception:
        raise result.exception
    return result.stdout


def content(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


def test_five_answers_make_a_descriptor(folder: Path) -> None:
    told = init(answers="my-jobs\n\n./bin/jobs --leader-elect -v 2\nTTLAfterFinished, SuccessPolicy\n\n")
    assert told.startswith("wrote my-jobs.yaml\n")
    assert told.endswith("next: batchproof smoke ./my-jobs.yaml\n")
    found = load(folder / "my-jobs.yaml")
    assert (found.name, found.profiles) == ("my-jobs", ("job",))
    assert found.capabilities == {"TTLAfterFinished", "SuccessPolicy"}
    (process,) = found.processes
    assert process.argv == ("{binary}", "--leader-elect=false", "-v", "2", "--kubeconfig={kubeconfig}")
    assert process.binary == folder / "bin" / "jobs"


def test_a_kubeconfig_that_the_command_names_is_not_named_twice(folder: Path) -> None:
    init(answers="my-jobs\n\n./bin/jobs --config {kubeconfig} -v 2\n\n\n")
    (process,) = load(folder / "my-jobs.yaml").processes
    assert process.argv == ("{binary}", "--config", "{kubeconfig}", "-v", "2")


@pytest.mark.parametrize("profile", profiles())
def test_without_questions_every_profile_lints(folder: Path, profile: str) -> None:
    init("--no-input", "--profile", profile, "--start", "./bin/acme")
    found = load(folder / "acme-jobs.yaml")
    assert found.profiles == (profile,)
    assert (found.dialect is not None) is (profile == "gang")


def test_all_capabilities_of_jobs_lint(folder: Path) -> None:
    init("--no-input", "--start", "./a", "--capabilities", "all")
    assert len(load(folder / "acme-jobs.yaml").capabilities) > 4
    with pytest.raises(UserError, match="did you mean 'SuccessPolicy'"):
        init("other.yaml", "--no-input", "--start", "./a", "--capabilities", "SuccesPolicy")


def test_nothing_is_overwritten_without_force(folder: Path) -> None:
    (folder / "acme.yaml").write_text("mine")
    (folder / "link.yaml").symlink_to("nowhere")
    for name in ("acme.yaml", "link.yaml"):
        with pytest.raises(UserError, match="there already"):
            init(name, "--no-input", "--start", "./a")
    assert (folder / "acme.yaml").read_text() == "mine"
    assert not (folder / "nowhere").exists()
    init("acme.yaml", "--no-input", "--start", "./a", "--force")
    assert content(folder / "acme.yaml")["binary"] == {"path": "./a"}


def test_nothing_is_written_that_does_not_lint(folder: Path) -> None:
    with pytest.raises(UserError, match="name: 'Not A Name' does not have the form"):
        init("x.yaml", "--no-input", "--name", "Not A Name", "--start", "./a")
    assert not (folder / "x.yaml").exists()


def test_where_nobody_answers_the_options_are_named() -> None:
    with pytest.raises(Exception, match="give the options"):
        init(answers="acme\n")
    with pytest.raises(Exception, match="add --start"):
        init("--no-input")


def test_paths_are_those_of_the_descriptor_and_braces_stay_text(folder: Path) -> None:
    (folder / "conf").mkdir()
    (folder / "conf" / "a.conf").touch()
    init(
        "deploy/acme.yaml", "--no-input", "--kubeconfig", "env",
        "--start", "bin/acme --config=conf/a.conf conf/a.conf {text} {state_dir}",
    )  # fmt: skip
    found = content(folder / "deploy" / "acme.yaml")
    assert found["binary"]["path"] == "../bin/acme"
    config = "{descriptor_dir}/../conf/a.conf"
    assert found["start"]["argv"] == ["{binary}", f"--config={config}", config, "{{text}}", "{state_dir}"]


def test_a_python_program_is_found_beside_the_descriptor(folder: Path) -> None:
    init("--no-input", "--start", "python3 -m acme")
    found = content(folder / "acme-jobs.yaml")["start"]
    assert found["argv"] == ["{python}", "-m", "acme", "--kubeconfig={kubeconfig}"]
    assert found["env"] == {"PYTHONPATH": "{descriptor_dir}"}


def test_a_python_that_is_named_by_its_path_keeps_its_packages(folder: Path) -> None:
    init("deploy/acme.yaml", "--no-input", "--start", ".venv/bin/python -m acme")
    found = content(folder / "deploy" / "acme.yaml")["start"]
    python = "{descriptor_dir}/../.venv/bin/python"
    assert found["argv"] == [python, "-m", "acme", "--kubeconfig={kubeconfig}"]
    assert found["env"] == {"PYTHONPATH": "{descriptor_dir}"}


DEPLOYMENT = """\
apiVersion: v1
kind: ServiceAccount
metadata: {name: acme}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: acme-controller, namespace: acme-system}
spec:
  template:
    spec:
      containers:
        - name: kube-rbac-proxy
          image: example.com/kube-rbac-proxy:v0.15.0
        - name: manager
          image: example.com:5000/acme/controller:v1.4.2@sha256:abc
          command: [/manager]
          args:
            - --leader-elect
            - --metrics-bind-address=127.0.0.1:8080
            - --health-probe-bind-address
            - ":8081"
            - --kubeconfig
            - /etc/kubeconfig
            - --support=5
            - --prefix=$(PREFIX)
          env:
            - {name: PREFIX, value: "on: {x}"}
            - {name: POD_NAMESPACE, valueFrom: {fieldRef: {fieldPath: metadata.namespace}}}
            - {name: TOKEN, valueFrom: {secretKeyRef: {name: s, key: t}}}
            - {name: KUBECONFIG, value: /etc/other}
"""


def test_a_deployment_says_name_version_program_arguments_and_variables(folder: Path) -> None:
    (folder / "deployment.yaml").write_text(DEPLOYMENT)
    init("--no-input", "--from", "deployment.yaml")
    path = folder / "acme-controller.yaml"
    found = content(path)
    assert (found["name"], found["version"]) == ("acme-controller", "1.4.2")
    assert found["binary"]["path"] == "./bin/manager"
    assert found["start"]["argv"] == [
        "{binary}", "--leader-elect=false", "--metrics-bind-address=0", "--health-probe-bind-address", "0",
        "--support=5", "--prefix=on: {{x}}", "--kubeconfig={kubeconfig}",
    ]  # fmt: skip
    assert found["start"]["env"] == {"PREFIX": "on: {{x}}", "POD_NAMESPACE": "default"}
    assert found["start"]["pass_env"] == ["TOKEN"]
    text = path.read_text("utf-8")
    assert "# changed --leader-elect to --leader-elect=false: many instances" in text
    assert "# TOKEN comes from the cluster there" in text
    assert "example.com:5000/acme/controller:v1.4.2" in text


def test_a_deployment_without_a_command_says_where_the_program_has_to_be(folder: Path) -> None:
    (folder / "d.yaml").write_text(DEPLOYMENT.replace("command: [/manager]", "tty: false"))
    init("--no-input", "--from", "d.yaml", "--container", "manager")
    assert content(folder / "acme-controller.yaml")["binary"]["path"] == "./bin/acme-controller"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("kind: Service", "there is no Deployment, StatefulSet or DaemonSet in it"),
        ("kind: Deployment", "it is no complete Deployment: 'spec' is missing"),
        (
            DEPLOYMENT.replace("name: manager", "name: other"),
            "Name one with --container: kube-rbac-proxy, other",
        ),
        ("kind: [", "not valid YAML"),
    ],
)
def test_what_cannot_be_taken_from_a_manifest_is_said(folder: Path, text: str, wrong: str) -> None:
    (folder / "d.yaml").write_text(text)
    with pytest.raises(UserError, match=wrong):
        init("--no-input", "--from", "d.yaml")


@pytest.mark.parametrize(
    "word",
    ["on", "1.30", "# no comment", "a: b", "{binary}", "*", "a\u2028b", "a\x85b", "\ufeffa", "'", "~", ""],
)
def test_whatever_is_typed_is_quoted(folder: Path, word: str) -> None:
    text = written(
        adapted(Draft("acme", "job", ("acme", word), version=word or "1", organisation=word or "x"))
    )
    found = yaml.safe_load(text)
    assert found["start"]["argv"][1] == word
    assert (found["version"], found["organisation"]) == (word or "1", word or "x")
    if "{" not in word:  # {binary} needs a section of that name
        check_usable(text, folder / "acme.yaml")
