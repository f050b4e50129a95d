"""Descriptors: how they are found, read, blamed, and turned into a command."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from batchproof.errors import UserError
from batchproof.implementation import GoProgram, bundled, command, find, load

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
time_scale: 2
deviations:
  - {requirement: FIN-004, reason: Slow., issue: "https://example.com/1", expires: 2026-06-30}
"""
)


def descriptor(folder: Path, text: str) -> Path:
    path = folder / "mine.yaml"
    path.write_text(text)
    return path


def test_defaults_fill_what_a_descriptor_leaves_out(tmp_path: Path) -> None:
    mine = load(descriptor(tmp_path, SMALL + "start: {argv: [x]}\n"))
    assert mine.start is not None
    assert (mine.start.ready.watches, mine.start.ready.within_s) == (("jobs", "pods"), 20.0)
    assert (mine.isolation, mine.time_scale, mine.binary) == ("view", 1.0, None)
    assert mine.declares(None)
    assert not mine.declares("TTLAfterFinished")
    assert mine.deviation("FIN-004") is None


def test_everything_a_descriptor_says_is_read(tmp_path: Path) -> None:
    mine = load(descriptor(tmp_path, FULL))
    assert mine.binary == tmp_path / "bin/mine"
    assert mine.api_server_flags == ("--v=1",)
    assert (mine.isolation, mine.time_scale) == ("control-plane", 2.0)
    assert mine.declares("TTLAfterFinished")
    waiver = mine.deviation("FIN-004")
    assert waiver is not None
    assert waiver.expires == date(2026, 6, 30)


@pytest.mark.parametrize(
    ("day", "expired"), [("2026-06-29", False), ("2026-06-30", False), ("2026-07-01", True)]
)
def test_a_waiver_counts_through_its_last_day(tmp_path: Path, day: str, expired: bool) -> None:
    waiver = load(descriptor(tmp_path, FULL)).deviations[0]
    assert waiver.expired(date.fromisoformat(day)) is expired


def test_placeholders_are_filled_and_other_braces_left_alone(tmp_path: Path) -> None:
    argv, env = command(
        load(descriptor(tmp_path, FULL)),
        kubeconfig=Path("/k"),
        binary=Path("/b"),
        python="/py",
        state_dir=Path("/s"),
    )
    assert argv == ["/b", "--kubeconfig=/k", f"--c={tmp_path}/c", '{"a": 1}', "{binary}"]
    assert env == {"STATE": "/s", "PY": "/py"}


def test_what_runs_already_has_no_command(tmp_path: Path) -> None:
    mine = load(descriptor(tmp_path, SMALL))
    assert mine.start is None
    with pytest.raises(UserError, match="has no 'start'"):
        command(mine, kubeconfig=Path("/k"), binary=None, python="/py", state_dir=Path("/s"))


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
        (SMALL.replace("[job]", "[jobs]"), r"mine.yaml:5: profiles\[0\]: 'jobs' is not one of job, tfjob"),
        (SMALL + "capabilites: []", "unknown key 'capabilites'; did you mean 'capabilities'"),
        (
            FULL.replace("path: bin/mine", "path: x, go: {module: m, package: p}"),
            "binary: .* too many properties",
        ),
        (FULL.replace("2026-06-30", "2026-06-31"), r"mine.yaml:17: deviations\[0\].expires: 2026-06-31"),
        (FULL.replace("2026-06-30", "soon"), "'soon' does not have the form .*YYYY-MM-DD"),
        (FULL + FULL[FULL.index("  - {req") :], "deviations: FIN-004 is waived twice"),
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
    argv, _ = command(
        implementation,
        kubeconfig=Path("/k"),
        binary=Path("/b") if implementation.binary else None,
        python="/py",
        state_dir=Path("/s"),
    )
    assert any("/k" in word for word in argv)


def test_the_bundled_kubernetes_is_built_from_the_control_plane_module() -> None:
    binary = load(find("kube-controller-manager")).binary
    assert binary == GoProgram("control_plane", "k8s.io/kubernetes/cmd/kube-controller-manager")
