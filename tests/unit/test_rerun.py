"""The command that plays a failure again, and the report that stays short however much is broken."""

from __future__ import annotations

import io
import shlex
from pathlib import Path
from typing import Any

import forked
import pytest
import report_sample as sample

from batchproof.commands.smoke import judging
from batchproof.control_plane.choice import ClusterOptions
from batchproof.control_plane.providers import providers
from batchproof.descriptor.implementation import bundled, find
from batchproof.report.outcome import judge_run
from batchproof.report.rerun import rerun
from batchproof.report.results import Results, read_results
from batchproof.report.table import verdict_table
from batchproof.running.exploring.written import About, play_again
from batchproof.screen import console

OWN = sample.scenario("FIN-004", "Kept", "failed", id="FIN-004.1a")
OTHER = sample.scenario("ROB-001", "Killed", id="ROB-001.2b", breaches=[sample.breach("FIN-004")])


def run(folder: Path, *records: dict[str, Any], **header: Any) -> Results:
    return read_results(sample.write_stream(folder, sample.stream([*records], **header)))


def command(results: Results, judged: str = "") -> str:
    (cause,) = (one for one in judge_run(results).causes if one.id == "FIN-004")
    return rerun(results.header, cause.broken[0], judged)


@pytest.mark.parametrize(
    ("record", "selection"),
    [(OWN, "FIN-004"), (OTHER, "FIN-004 or ROB-001.2b"), (OTHER | {"id": "f::Killed"}, "FIN-004 or ROB-001")],
)
def test_it_plays_the_requirement_and_the_scenario_that_is_shown(
    tmp_path: Path, record: dict[str, Any], selection: str
) -> None:
    told = shlex.split(command(run(tmp_path, record)))
    assert told == ["batchproof", "run", "-i", "./acme.yaml", "-k", selection]


def test_it_names_what_the_user_named_quoted_where_a_shell_needs_it(tmp_path: Path) -> None:
    results = run(tmp_path, OWN)
    assert command(results, "my controllers/acme.yaml").startswith(
        "batchproof run -i 'my controllers/acme.yaml' "
    )


def test_a_bundled_implementation_is_named_and_a_changed_copy_is_a_file(tmp_path: Path) -> None:
    path = bundled()["reference"]
    judged = sample.header()["implementation"] | {
        "name": "reference",
        "descriptor": path.name,
        "descriptor_text": path.read_text("utf-8"),
    }
    assert " -i reference " in command(run(tmp_path, OWN, implementation=judged))
    changed = judged | {"descriptor_text": "name: mine"}
    assert " -i ./reference.yaml " in command(run(tmp_path, OWN, implementation=changed))
    mutant = judged | {"name": "reference with a defect"}
    assert command(run(tmp_path, OWN, implementation=mutant)) == ""


def test_whatever_is_not_the_default_is_said(tmp_path: Path) -> None:
    judged = sample.header()["implementation"] | {"profiles": ["gang", "job"]}
    suite = sample.header()["suite"] | {"feature": "mine.feature"}
    stream = sample.stream(
        [OWN | {"fault": "lost-replies"}],
        implementation=judged,
        cluster={"provider": "kind", "kubernetes": "1.37.0"},
        suite=suite,
    )
    told = command(read_results(sample.write_stream(tmp_path, stream)))
    assert " --profile job --cluster kind --feature mine.feature --faults lost-replies " in told


@pytest.mark.parametrize(
    ("choice", "words", "recorded"),
    [
        (ClusterOptions(), "", ""),
        (ClusterOptions.of(assets=Path("my binaries")), "--assets 'my binaries'", ""),
        (
            ClusterOptions.of(cluster="existing", kubeconfig=Path("kube.conf"), context="acme/prod 1"),
            "--cluster existing --kubeconfig kube.conf --context 'acme/prod 1'",
            "--cluster existing --context 'acme/prod 1'",
        ),
        (
            ClusterOptions.of(cluster="existing", with_all_my_rights=True),
            "--cluster existing --with-all-my-rights",
            "--cluster existing --with-all-my-rights",
        ),
        (
            ClusterOptions.of(cluster="kind", kubernetes_version="1.34.0", kind_config=Path("kind.yaml")),
            "--cluster kind --kind-config kind.yaml --kubernetes-version 1.34.0",
            "--cluster kind --kubernetes-version 1.34.0",
        ),
    ],
)
def test_each_command_names_the_cluster_that_was_judged_on(
    tmp_path: Path, choice: ClusterOptions, words: str, recorded: str
) -> None:
    """The terminal names files of the user too; the results, which others read, do not."""
    assert shlex.join(choice.words()) == words
    assert judging("./acme.yaml", choice) == f"batchproof run -i ./acme.yaml {words}".rstrip()
    about = About("job", "acme 1", "acme", choice.words(files=False))
    assert play_again(about, tmp_path, "x.feature").split(" --profile job ")[1] == " ".join(
        filter(None, (recorded, "--feature x.feature"))
    )
    cluster = {"provider": choice.cluster, "kubernetes": "1.37.0", "options": choice.words(files=False)}
    results = run(tmp_path, OWN, cluster=cluster)
    (cause,) = (one for one in judge_run(results).causes if one.id == "FIN-004")
    of_results = rerun(results.header, cause.broken[0])
    assert of_results == " ".join(filter(None, ("batchproof run -i ./acme.yaml", recorded, "-k FIN-004")))
    where = choice.words()
    assert any(
        line.endswith(f"-i ./acme.yaml {words} -k FIN-004".replace("  ", " "))
        for line in printed(results, where)
    )


OWNERS = {option.key: one.name for one in providers().values() for option in one.options}


@pytest.mark.parametrize("option", OWNERS)
def test_no_option_of_the_cluster_is_lost(option: str) -> None:
    """Whatever chooses a cluster on the command line is in the words of the choice."""
    value = True if option == "with_all_my_rights" else Path("c")
    assert f"--{option.replace('_', '-')}" in ClusterOptions.of(OWNERS[option], **{option: value}).words()
    assert ClusterOptions.of(OWNERS[option]).words()[1:] in {(), (OWNERS[option],)}


def test_the_command_selects_those_scenarios_of_the_suite(tmp_path: Path) -> None:
    _, *arguments = shlex.split(command(run(tmp_path, OTHER | {"id": "ROB-001.2"}), "reference"))
    listed = forked.asked(*arguments, "--dry-run")
    assert listed.returncode == 0, listed.stderr
    *rows, _ = listed.stdout.splitlines()
    assert any(row.startswith("ROB-001.2") for row in rows)
    assert all(row.startswith(("ROB-001.2", "FIN-004.")) for row in rows)


def printed(results: Results, where: tuple[str, ...] = ()) -> list[str]:
    out = console(file := io.StringIO(), 200)
    paths = {"page": Path("results/index.html")}
    out.print(verdict_table(results, judge_run(results), paths, "./acme.yaml", where))
    return file.getvalue().splitlines()


def test_only_the_first_causes_are_shown_in_full(tmp_path: Path) -> None:
    broken = [sample.scenario(name, f"Of {name}", "failed") for name in sample.REQUIREMENTS]
    lines = printed(run(tmp_path, *broken))
    full = [
        line.split()[-1] for line in lines if line.startswith("  rerun     batchproof run -i ./acme.yaml -k")
    ]
    assert len(full) == 5
    assert sum(line.endswith("<- here") for line in lines) == 5
    short = [line for line in lines if line.startswith("failed  ") and "results/index.html#" in line]
    assert len(short) == len(sample.REQUIREMENTS) - 5
    place = lines.index(short[-1])
    assert lines[place + 1].strip() in {sentence for _, sentence, _ in sample.REQUIREMENTS.values()}


@pytest.mark.parametrize("folder", [".", "deploy", "found", "found/deep"])
def test_the_command_of_a_written_scenario_works_in_the_folder_of_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    monkeypatch.chdir(tmp_path)
    descriptor, output = Path(folder, "my acme.yaml"), Path("found")
    for made in (descriptor.parent, output):
        made.mkdir(parents=True, exist_ok=True)
    descriptor.touch()
    told = play_again(About("job", "acme 1", f"./{descriptor}"), output, "FIN-004.feature")

    monkeypatch.chdir(output)
    _, _, _, judged, *_ = shlex.split(told)
    assert find(judged).samefile(tmp_path / descriptor)
    assert told.endswith(" --profile job --feature FIN-004.feature")


def test_the_command_of_a_written_scenario_names_a_bundled_implementation(tmp_path: Path) -> None:
    assert " -i reference " in play_again(About("job", "r 1", "reference"), tmp_path, "x.feature")
