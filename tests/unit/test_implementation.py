"""Descriptors: how they are found, read, blamed, and turned into a command."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from batchproof.descriptor.implementation import (
    NEWEST,
    Implementation,
    bundled,
    find,
    load,
    objects,
)
from batchproof.descriptor.launch import GoProgram, LaunchContext, ProcessCommand, ProcessSpec, command
from batchproof.descriptor.needs import ModuleFiles
from batchproof.ground import suite
from batchproof.ground.errors import UserError
from batchproof.profiles import profiles
from batchproof.specification.descriptors import of_descriptor
from batchproof.specification.gherkin import parse_features
from batchproof.specification.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Mapping

SMALL = """
name: mine
version: "2.0"
organisation: Me
profiles: [job]
"""

FULL = (
    SMALL
    + """
capabilities: [TTLAfterFinished]
start:
  argv: ["{binary}", "--kubeconfig={kubeconfig}", "--c={descriptor_dir}/c", '{"a": 1}', "{{binary}}"]
  env: {STATE: "{state_dir}", PY: "{python}"}
  ready: {watches: [jobs], within_s: 3}
binary: {path: bin/mine}
control_plane: {api_server_flags: ["--v=1"]}
isolation: control-plane
implements: "1.30"
time_scale: 2
deviations:
  - requirement: FIN-004
    scenario: FIN-004.1
    fact: finalizers_kept
    arguments: {job: a}
    values: {tracked: 3, released: 1}
    reason: Slow.
    issue: "https://example.com/1"
    expires: 2026-06-30
"""
)


def reported(where: str) -> str:
    """A descriptor whose deviation is reported there."""
    return FULL.replace('issue: "https://example.com/1"', where)


def test_a_deviation_may_be_reported_nowhere_if_it_says_so(tmp_path: Path) -> None:
    (waiver,) = load(descriptor(tmp_path, reported("unreported: true"))).deviations
    assert waiver.issue == ""


def observing(text: str) -> str:
    """That descriptor with other values."""
    return FULL.replace("{tracked: 3, released: 1}", text)


SEVERAL = (
    SMALL
    + """
processes:
  - name: webhooks
    argv: [hooks, "--port={port:hooks}", "--certificate={tls_dir}/tls.crt"]
    supporting: true
    ready: {listens: hooks}
  - name: scheduler
    argv: ["{binary}", "--config={files_dir}/conf"]
    binary: {path: bin/scheduler}
    files: {conf: 'hooks: {port:hooks} {{port:hooks}} {a: 1}'}
    ready: {watches: [pods], within_s: 3}
control_plane:
  kubernetes: "1.24"
  served_as: {example.com/v1beta1: example.com/v1}
  crds: [crds/mine.yaml, crds/reference.yaml, {module: m, files: [config/*.yaml]}]
  objects:
    - {apiVersion: v1, kind: Namespace, metadata: {name: mine}, x: ["https://127.0.0.1:{port:hooks}/{{name}}"]}
    - {apiVersion: v1, kind: Namespace, metadata: {name: too}, x: "{ca_bundle}"}
isolation: control-plane
"""
)


def descriptor(folder: Path, text: str) -> Path:
    path = folder / "mine.yaml"
    path.write_text(text)
    (folder / "crds").mkdir(exist_ok=True)
    (folder / "crds/mine.yaml").touch()
    return path


def test_defaults_fill_what_a_descriptor_leaves_out(tmp_path: Path) -> None:
    mine = load(descriptor(tmp_path, SMALL + "start: {argv: [x]}\n"))
    (process,) = mine.processes
    assert (process.ready.watches, process.ready.listens) == (("jobs", "pods"), "")
    assert (process.ready.within_s, process.supporting, process.binary) == (20.0, False, None)
    assert (mine.isolation, mine.time_scale) == ("view", 1.0)
    assert mine.declares(None)
    assert not mine.declares("TTLAfterFinished")
    assert mine.implements == NEWEST
    assert mine.deviations == ()


def test_everything_a_descriptor_says_is_read(tmp_path: Path) -> None:
    mine = load(descriptor(tmp_path, FULL))
    (process,) = mine.processes
    assert (process.name, process.place, process.binary) == ("mine", "start", tmp_path / "bin/mine")
    assert mine.control_plane.api_server_flags == ("--v=1",)
    assert (mine.isolation, mine.time_scale) == ("control-plane", 2.0)
    assert mine.declares("TTLAfterFinished")
    (waiver,) = mine.deviations
    assert (waiver.requirement, waiver.fact, waiver.arguments) == ("FIN-004", "finalizers_kept", {"job": "a"})
    assert waiver.values == ({"tracked": 3, "released": 1},)
    assert (waiver.expires, waiver.sometimes) == (date(2026, 6, 30), False)
    assert mine.implements == "1.30"


@pytest.mark.parametrize(
    ("day", "expired"), [("2026-06-29", False), ("2026-06-30", False), ("2026-07-01", True)]
)
def test_a_waiver_counts_through_its_last_day(tmp_path: Path, day: str, expired: bool) -> None:
    waiver = load(descriptor(tmp_path, FULL)).deviations[0]
    assert waiver.expired(date.fromisoformat(day)) is expired
    assert load(descriptor(tmp_path, FULL)).in_force(date.fromisoformat(day)) == (
        () if expired else (waiver,)
    )


def started(
    implementation: Implementation, process: ProcessSpec, variables: Mapping[str, str] | None = None
) -> ProcessCommand:
    around = LaunchContext(
        kubeconfig=Path("/k"),
        binary=Path("/b") if process.binary else None,
        python="/py",
        folder=Path("/s"),
        tls_dir=Path("/t"),
        ports=dict.fromkeys(implementation.ports, 7),
    )
    return command(process, around, implementation.descriptor, variables or {})


def test_placeholders_are_filled_and_other_braces_left_alone(tmp_path: Path) -> None:
    mine = load(descriptor(tmp_path, FULL))
    what = started(mine, mine.processes[0])
    assert what.argv == ["/b", "--kubeconfig=/k", f"--c={tmp_path}/c", '{"a": 1}', "{binary}"]
    assert what.env == {"KUBECONFIG": "/k", "STATE": "/s/state", "PY": "/py"}


PASSES = SMALL + "start: {argv: [x], env: {A: own}, pass_env: [TOKEN]}\n"


def test_only_the_variables_that_are_named_are_passed_on(tmp_path: Path) -> None:
    mine = load(descriptor(tmp_path, PASSES + "election: {argv: ['{namespace}']}"))
    variables = {"TOKEN": "t", "CLOUD_KEY": "k", "KUBECONFIG": "/real"}
    assert started(mine, mine.processes[0], variables).env == {"KUBECONFIG": "/k", "A": "own", "TOKEN": "t"}
    assert mine.election is not None
    assert mine.election.pass_env == ("TOKEN",)
    with pytest.raises(UserError, match=r"mine.yaml: start.pass_env: TOKEN is not set"):
        started(mine, mine.processes[0], {"CLOUD_KEY": "k"})


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("[A]", r"mine.yaml:6: start.pass_env: env has a value for A already"),
        ("[KUBECONFIG]", r"mine.yaml:6: start.pass_env\[0\]: 'KUBECONFIG' does not have the form"),
        ("['A=1']", r"start.pass_env\[0\]: 'A=1' does not have the form"),
        ("TOKEN", r"start.pass_env: 'TOKEN' is not a list"),
    ],
)
def test_mistakes_about_what_is_passed_on_are_blamed(tmp_path: Path, names: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        load(descriptor(tmp_path, PASSES.replace("[TOKEN]", names)))


ELECTION = SMALL + "start: {argv: [x], ready: {watches: [jobs]}}\n"


def test_who_says_how_replicas_are_started_can_elect_a_leader(tmp_path: Path) -> None:
    mine = load(descriptor(tmp_path, ELECTION + "election: {argv: [x, '--in={namespace}']}"))
    assert mine.declares("LeaderElection")
    assert mine.election is not None
    assert (mine.election.name, mine.election.ready.watches) == ("mine", ())
    assert not load(descriptor(tmp_path, ELECTION)).declares("LeaderElection")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ELECTION + "election: {argv: [x]}", "mine.yaml:7: election.argv: no word of it is {namespace}"),
        (ELECTION + "election: {argv: ['{namspace}']}", r"election.argv.0: unknown placeholder \{namspace\}"),
        (SMALL + "election: {argv: ['{namespace}']}", "replicas of 'start' are started: there is none"),
        (SMALL + "start: {argv: ['{namespace}']}", r"unknown placeholder \{namespace\}"),
    ],
)
def test_mistakes_about_an_election_are_blamed(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        load(descriptor(tmp_path, text))


MANAGED = SMALL + "managed_by: example.com/mine\n"


def test_who_works_by_managed_by_names_a_finalizer_of_its_own(tmp_path: Path) -> None:
    mine = load(descriptor(tmp_path, MANAGED + "finalizer: example.com/tracking"))
    assert (mine.managed_by, mine.finalizer) == ("example.com/mine", "example.com/tracking")
    assert mine.declares("ManagedBy")
    every_job = load(descriptor(tmp_path, SMALL))
    assert every_job.finalizer == "batch.kubernetes.io/job-tracking"
    assert not every_job.declares("ManagedBy")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            MANAGED,
            "mine.yaml:6: managed_by needs a 'finalizer' of its own, for batch.kubernetes.io/job-tracking",
        ),
        (
            SMALL + "finalizer: example.com/x",
            "mine.yaml:6: finalizer: leave it out: without managed_by it is",
        ),
        (
            SMALL + "managed_by: kubernetes.io/job-controller\nfinalizer: example.com/x",
            "mine.yaml:6: managed_by: kubernetes.io/job-controller is the built-in controller",
        ),
        (
            MANAGED + 'finalizer: example.com/x\ncontrol_plane: {kubernetes: "1.24"}',
            "managed_by: Kubernetes knows it from 1.32 on",
        ),
        (MANAGED + "finalizer: tracking", "finalizer: 'tracking' does not have the form"),
    ],
)
def test_mistakes_about_managed_by_are_blamed(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        load(descriptor(tmp_path, text))


def test_what_runs_already_has_no_processes(tmp_path: Path) -> None:
    assert load(descriptor(tmp_path, SMALL)).processes == ()


# -- several processes


def test_several_processes_share_their_ports(tmp_path: Path) -> None:
    mine = load(descriptor(tmp_path, SEVERAL))
    webhooks, scheduler = mine.processes
    assert mine.ports == {"hooks"}
    assert started(mine, webhooks).argv == ["hooks", "--port=7", "--certificate=/t/tls.crt"]
    assert started(mine, scheduler).argv == ["/b", "--config=/s/files/conf"]
    assert started(mine, scheduler).files == {"conf": "hooks: 7 {port:hooks} {a: 1}"}


def test_each_process_says_what_it_is_and_when_it_is_ready(tmp_path: Path) -> None:
    webhooks, scheduler = load(descriptor(tmp_path, SEVERAL)).processes
    assert (webhooks.name, webhooks.place, webhooks.supporting) == ("webhooks", "processes[webhooks]", True)
    assert (scheduler.supporting, scheduler.binary) == (False, tmp_path / "bin/scheduler")
    assert (str(webhooks.ready), str(scheduler.ready)) == ("listens at {port:hooks}", "watches pods")
    assert (webhooks.uses("tls_dir"), scheduler.uses("tls_dir")) == (True, False)


def test_what_an_implementation_needs_of_its_api_server_is_read(tmp_path: Path) -> None:
    mine = load(descriptor(tmp_path, SEVERAL))
    own, suites, module = mine.control_plane.crds
    assert own == tmp_path / "crds/mine.yaml"
    assert suites == suite.fixtures() / "crds/reference.yaml"
    assert module == ModuleFiles("m", ("config/*.yaml",))
    assert mine.control_plane.kubernetes == "1.24"
    assert mine.control_plane.served_as == {"example.com/v1beta1": "example.com/v1"}
    made = [each["x"] for each in objects(mine, {"hooks": 7}, ca_bundle="Q0E=")]
    assert made == [["https://127.0.0.1:7/{name}"], "Q0E="]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SEVERAL + "start: {argv: [a]}", "'start' and 'processes' exclude each other"),
        (SEVERAL + "binary: {path: a}", "'binary' and 'processes' exclude each other"),
        (SEVERAL.replace("name: scheduler", "name: webhooks"), "processes: the name webhooks appears twice"),
        (
            SEVERAL.replace("listens: hooks", "listens: nope"),
            r"ready.listens: it is given no \{port:nope\}",
        ),
        (
            SEVERAL.replace("    files:", "    supporting: true\n    files:"),
            "one must not be supporting: that which is judged",
        ),
        (
            SEVERAL.replace("{files_dir}", "{file_dir}"),
            r"mine.yaml:13: processes\[\w+\].argv.1: unknown placeholder",
        ),
        (
            SEVERAL.replace("    binary: {path: bin/scheduler}\n", ""),
            "the placeholder {binary} needs a section 'binary'",
        ),
        (SEVERAL.replace("{{name}}", "{tls_dir}"), r"objects.0.x.0: \{tls_dir\} means nothing here"),
        (SEVERAL.replace("1:{port:hooks}", "1:{port:x}"), r"\{port:x\} means nothing here: .* {port:hooks}"),
        (
            SEVERAL.replace("{tls_dir}", "tls"),
            r"objects.1.x: \{ca_bundle\} means nothing here: .* {port:hooks},",
        ),
        (
            SEVERAL.replace("isolation: control-plane", ""),
            r"\{ca_bundle\} is another one for each instance: say 'isolation",
        ),
        (SEVERAL.replace("isolation: control-plane", ""), "another one for each instance: say 'isolation"),
        (SEVERAL.replace('"1.24"', "1.24"), "control_plane.kubernetes: 1.24 is not text"),
        (SEVERAL.replace("{name: mine}, x", "{}, x"), "control_plane.objects.*metadata: 'name' is missing"),
        (SEVERAL.replace("{module: m, files: [config/*.yaml]}", "{module: m}"), "'files' is missing"),
    ],
)
def test_mistakes_about_processes_and_their_api_server_are_blamed(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        load(descriptor(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            SMALL + "start: {argv: ['{kubconfig}']}",
            r"mine.yaml:6: start.argv.0: unknown placeholder \{kubconfig\}; did",
        ),
        (
            SMALL + "start:\n  argv: [a]\n  env: {A: '{nope}'}",
            r"mine.yaml:8: start.env.A: unknown placeholder",
        ),
        (SMALL + "start: {argv: ['{binary}']}", "the placeholder {binary} needs a section 'binary'"),
        (SMALL + "start: {}", "mine.yaml:6: start: 'argv' is missing"),
        (SMALL.replace('"2.0"', "2.0"), "mine.yaml:3: version: 2.0 is not text; write it in quotes"),
        (SMALL.replace("[job]", "[jobs]"), r"mine.yaml:5: profiles\[0\]: 'jobs' is not one of job, gang, "),
        (SMALL + "capabilites: []", "unknown key 'capabilites'; did you mean 'capabilities'"),
        (
            FULL.replace("path: bin/mine", "path: x, go: {module: m, package: p}"),
            "binary: .* too many properties",
        ),
        (FULL.replace("2026-06-30", "2026-06-31"), r"mine.yaml:25: deviations\[0\].expires: 2026-06-31"),
        (FULL.replace("2026-06-30", "soon"), "'soon' does not have the form .*YYYY-MM-DD"),
        (FULL + FULL[FULL.index("  - requirement") :], "deviations: FIN-004 is waived twice"),
        (
            FULL.replace("2026-06-30", "9999-12-31"),
            r"deviations\[0\].expires: .* more than a year away: name 20",
        ),
        (
            reported('issue: "https://github.com/a/b/blob/v1/pkg/job.go#L7"'),
            "job.go#L7 is a file, not an issue",
        ),
        (reported('issue: "https://github.com/a/b/pull/7"'), "pull/7 is a change, not an issue: report it"),
        (reported('issue: "https://gitlab.com/a/b/-/merge_requests/7"'), "is a change, not an issue"),
        (reported('issue: "https://github.com/a/b/commit/0a1b"'), "is a change, not an issue"),
        (
            reported('issue: "https://github.com/kubernetes/enhancements/issues/4671"'),
            "is the plan of a feature, not an issue",
        ),
        (
            reported('issue: "https://example.com/1"\n    unreported: true'),
            r"issue: name the public issue .* or",
        ),
        (reported(""), r"deviations\[0\].issue: name the public issue where this is followed, or say"),
        (reported("unreported: false"), "unreported: True was expected"),
        (
            observing("{observed: any}"),
            r"mine.yaml:22: deviations\[0\].values: {'observed': 'any'} covers any failure: write",
        ),
        (
            observing('{pod: "** ! *"}'),
            r"'\*\* ! \*' fits nearly any text: write what .*, or `any`",
        ),
        (observing('[{active_pods: 0}, {pod: "*"}]'), r"'\*' fits nearly any text"),
        (observing('{observed: "*p*"}'), r"'\*p\*' fits nearly any text: .* from run to run$"),
        (observing('{pods: [a-1, ["*"]]}'), r"'\*' fits nearly any text"),
        (observing("[]"), "should be non-empty"),
        (observing("{}"), "should be non-empty|not have enough properties"),
        (observing("{pod: {name: a}}"), "{'name': 'a'} is not true or false or a number"),
        (
            FULL.replace("values: {tracked: 3, released: 1}", "observed: 0 active pods"),
            r"(?s)mine.yaml:18: deviations\[0\]: 'observed' is no longer read.*fact: finalizers_kept.*values",
        ),
        (
            FULL.replace("fact: finalizers_kept", "finding: never a pod without *"),
            r"(?s)mine.yaml:18: deviations\[0\]: 'finding' is no longer read: .*fact: .*never a pod without",
        ),
        (FULL.replace("time_scale: 2", "time_scale: 100000"), "time_scale: 100000 is more than 10 "),
        (FULL.replace("time_scale: 2", "time_scale: .nan"), ".nan is no finite number"),
        (FULL.replace("time_scale: 2", "time_scale: .inf"), ".inf is no finite number"),
        (
            FULL.replace("time_scale: 2", "longest_backoff_s: 1001"),
            "longest_backoff_s: 1001 is more than 1000 ",
        ),
        ("just text", "the document: 'just text' is not a mapping"),
    ],
)
def test_mistakes_are_blamed_with_file_line_and_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        load(descriptor(tmp_path, text))


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        load(tmp_path)


def test_bundled_ones_have_names_and_others_paths(tmp_path: Path) -> None:
    path = descriptor(tmp_path, SMALL)
    assert find(str(path)) == path
    assert find("reference").name == "reference.yaml"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("kube-controler-manager", "did you mean 'kube-controller-manager'"),
        ("mine", "Bundled: .*reference.*its path: ./mine.yaml"),
        ("mine.yaml", "mine.yaml: there is no such descriptor file"),
        ("./mine", "there is no such descriptor file"),
    ],
)
def test_an_unknown_name_is_answered_with_the_known_ones(name: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        find(name)


@pytest.mark.parametrize("name", sorted(bundled()))
def test_bundled_descriptors_are_right_and_can_be_started(name: str) -> None:
    implementation = load(find(name))
    for process in implementation.processes:
        what = started(implementation, process)
        assert any("/k" in text for text in (*what.argv, *what.files.values()))


def test_the_bundled_kubernetes_is_built_from_the_control_plane_module() -> None:
    (process,) = load(find("kube-controller-manager")).processes
    assert process.binary == GoProgram("control_plane", "k8s.io/kubernetes/cmd/kube-controller-manager")


def test_definitions_that_lie_nowhere_are_named(tmp_path: Path) -> None:
    text = SEVERAL.replace("crds/mine.yaml", "crds/no.yaml")
    with pytest.raises(UserError, match=rf":20: control_plane.crds: there is no file {tmp_path}/crds/no"):
        load(descriptor(tmp_path, text))


def test_the_example_of_who_works_by_managed_by_is_right(tmp_path: Path) -> None:
    page = (suite.reference().parent / "docs" / "how-to" / "managed-by.md").read_text()
    mine = descriptor(tmp_path, page.partition("```yaml\n")[2].partition("```")[0])

    assert of_descriptor(mine, load_registry(), parse_features(), date(2026, 1, 1)) == []
    assert load(mine).finalizer == "example.com/my-controller-tracking"
    told = {f"--managed-by={load(mine).managed_by}", f"--finalizer={load(mine).finalizer}"}
    assert told <= set(load(mine).processes[0].argv)


@pytest.mark.parametrize(
    ("page", "name"),
    [("operators", "acme-tfjob"), ("operators", "acme-volcano"), ("certify-a-controller", "my-fork")],
)
def test_the_examples_of_forks_are_right(tmp_path: Path, page: str, name: str) -> None:
    page = (suite.reference().parent / "docs" / "how-to" / f"{page}.md").read_text()
    example = page.partition(f"```yaml\n# {name}.yaml\n")[2].partition("```")[0]
    mine = descriptor(tmp_path, example)
    for definition in re.findall(r"- (crds/\S+)", example):
        (tmp_path / definition).touch()

    assert of_descriptor(mine, load_registry(), parse_features(), date(2026, 1, 1)) == []
    assert load(mine).name == name


def test_a_capability_of_another_profile_is_named(tmp_path: Path) -> None:
    mine = SMALL.replace("[job]", "[volcano-job]") + "capabilities: [Admission, Reclaim]\n"

    found = of_descriptor(descriptor(tmp_path, mine), load_registry(), (), date(2026, 1, 1))

    told = "no requirement of volcano-job needs the capability 'Reclaim'; gang has it"
    assert [one.message for one in found] == [told]


MANY_MISTAKES = """\
name: mine
strat: {argv: [a]}
version: "2.0"
profiles: [job]
capabilities:
  - ElasticIndexed
  - TTLAfterFinishd
start:
  argv: ["{binry}", "{kubeconfig}"]
  evn: {}
control_plane:
  api_server_flags: ["--audit-log-maxsize=3"]
time_scale: fast
deviations:
  - requirement: FIN-999
    scenario: FIN-999.1
    fact: recorded_before_release
    values: {observed: no pod at all}
    reason: because
    issue: https://example.com/1
    expires: "2026-01-02"
"""
"""Each of another kind: by the schema, by what comes after it, and by the suite."""


def test_all_mistakes_are_named_at_once_each_at_its_line(tmp_path: Path) -> None:
    path = descriptor(tmp_path, MANY_MISTAKES)
    found = of_descriptor(path, load_registry(), (), date(2026, 1, 1))
    assert [(one.line, one.code, one.message[:48]) for one in found] == [
        (1, "descriptor-invalid", "the document: 'organisation' is missing"),
        (2, "descriptor-invalid", "the document: unknown key 'strat'; did you mean "),
        (7, "unknown-capability", "no requirement of job needs the capability 'TTLA"),
        (9, "descriptor-invalid", "start.argv.0: unknown placeholder {binry}; did y"),
        (10, "descriptor-invalid", "start: unknown key 'evn'; did you mean 'env'?"),
        (12, "descriptor-invalid", "control_plane.api_server_flags: a descriptor can"),
        (13, "descriptor-invalid", "time_scale: 'fast' is not a number (The factor b"),
        (15, "unknown-requirement", "deviations: there is no requirement FIN-999"),
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("strat: {argv: [a]}\nelection: {argv: ['{namespace}']}", ["unknown key 'strat'"]),
        (
            "start: {argv: ['{binary}']}\nbinary: {paht: x}",
            ["unknown key 'paht'"],
        ),
        ("start: {argv: []}\nelection: {argv: ['{namespace}']}", ["start.argv: "]),
        (
            "start: {argv: [a]}\nmanaged_by: example.com/a\nfinaliser: example.com/b",
            ["unknown key 'finaliser'"],
        ),
    ],
)
def test_a_mistake_is_not_blamed_twice(tmp_path: Path, text: str, told: list[str]) -> None:
    found = of_descriptor(descriptor(tmp_path, SMALL + text), load_registry(), (), date(2026, 1, 1))
    assert len(found) == len(told), found
    assert all(part in one.message for one, part in zip(found, told, strict=True)), found


def test_what_a_descriptor_may_claim_are_the_profiles() -> None:
    assert suite.profiles() == tuple(profiles())


def test_without_a_start_it_is_installed_and_may_have_the_version_of_its_cluster(tmp_path: Path) -> None:
    own = load(descriptor(tmp_path, SMALL))
    assert own.installed
    assert own.on("1.35.2") == own

    unknown = load(descriptor(tmp_path, SMALL.replace("2.0", "{kubernetes}")))
    assert unknown.full_name == unknown.name
    of_the_cluster = unknown.on("1.35.2")
    assert of_the_cluster.full_name == f"{unknown.name} 1.35.2"
    assert (of_the_cluster.version, of_the_cluster.implements) == ("1.35.2", "1.35")
    assert not load(descriptor(tmp_path, FULL)).installed
