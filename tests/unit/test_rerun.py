"""The command that plays a failure again, and the report that stays short however much is broken."""

from __future__ import annotations

import io
import re
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
from batchproof.ground.screen import console
from batchproof.report.outcome import judge_run
from batchproof.report.rerun import rerun
from batchproof.report.results import Results, read_results
from batchproof.report.table import verdict_table
from batchproof.running.exploring.written import About, play_again

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


def printed(results: Results, where: tuple[str, ...] = (), columns: int = 200) -> list[str]:
    out = console(file := io.StringIO(), columns)
    paths = {"page": Path("results/index.html")}
    out.print(verdict_table(results, judge_run(results), paths, "./acme.yaml", where))
    return file.getvalue().splitlines()


def broken(number: int, **more: Any) -> list[dict[str, Any]]:
    """So many scenarios, each of which breaks a requirement of its own."""
    return [sample.scenario(f"BAS-{one:03}", f"Of {one}", "failed", **more) for one in range(number)]


@pytest.mark.parametrize("columns", [72, 200, 10_000])
def test_of_sixty_causes_five_are_shown_in_full_and_each_other_in_one_line(
    tmp_path: Path, columns: int
) -> None:
    lines = printed(run(tmp_path, *broken(60), required=[]), columns=columns)
    assert len([line for line in lines if line.startswith("  rerun     batchproof run -i")]) == 5
    assert sum(line.endswith("<- here") for line in lines) == 5
    others = [f"BAS-{number:03}" for number in range(5, 60)]
    first = next(place for place, line in enumerate(lines) if "#BAS-" in line)
    for line, id_ in zip(lines[first : first + 55], others, strict=True):
        assert re.match(rf"failed  {id_}( \(\w+\))?  results/index\.html#{id_}  in 1 history", line)
    assert len(lines) < 200
    assert lines[-1] == "page  results/index.html"


def test_a_line_about_a_cause_has_its_sentence_where_there_is_room(tmp_path: Path) -> None:
    requirements = {
        one["requirement"]: {"level": "MUST", "sentence": f"Sentence of\n{one['requirement']}"}
        for one in broken(7)
    }
    results = run(tmp_path, *broken(7), requirements=requirements, required=[])
    whole = "failed  BAS-005  results/index.html#BAS-005  in 1 history: Sentence of BAS-005"
    assert printed(results).count(whole) == 1
    assert [line[-1] for line in printed(results, columns=62) if "#BAS-005" in line] == ["…"]


def long_timeline(lines: int) -> dict[str, Any]:
    moment = {"at_s": 1.0, "subject": "pod/a", "what": "lost", "here": True, "record": 1}
    return sample.unmet("BAS-000") | {"timeline": [moment] * lines}


@pytest.mark.parametrize("columns", [72, 10_000])
@pytest.mark.parametrize(
    "records",
    [
        pytest.param(broken(400), id="very many causes"),
        pytest.param(broken(1, unmet=long_timeline(900)), id="a very long timeline"),
        pytest.param(
            [sample.scenario("BAS-001", f"No {n}", "errored", error="\n".join("abc")) for n in range(300)],
            id="very many errors",
        ),
    ],
)
def test_at_most_two_hundred_lines_are_printed_and_the_last_say_where_the_others_are(
    tmp_path: Path, records: list[dict[str, Any]], columns: int
) -> None:
    lines = printed(run(tmp_path, *records, required=[]), columns=columns)
    assert len(lines) == 200
    assert lines[-1] == "page  results/index.html"
    (place,) = [place for place, line in enumerate(lines) if line.startswith("... ")]
    told = re.fullmatch(r"\.\.\. (\d+) more lines: they are on the page, results/index\.html", lines[place])
    assert told
    assert int(told[1]) > 200
    assert "the run is complete: NOT " in " ".join(lines[place + 1 :])


def test_as_many_lines_are_left_out_as_it_says(tmp_path: Path) -> None:
    def lines(number: int) -> list[str]:
        return printed(run(tmp_path, *broken(number), required=[]), columns=10_000)

    fitting = len(lines(100))
    assert fitting < 200
    (told,) = [line for line in lines(300) if line.startswith("... ")]
    assert told.startswith(f"... {fitting + 200 - 199} more lines: ")


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
