from __future__ import annotations

import html
import re
from dataclasses import replace
from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
import report_sample as sample
import yaml
from click.testing import CliRunner

from batchproof.commands.report import command as report
from batchproof.evidence import demands
from batchproof.report import areas, sources, write_all
from batchproof.report.records import Planned, RequirementRecord
from batchproof.report.results import Results, read_results
from batchproof.report.standing import RequirementOutcome
from batchproof.specification.registry import load_registry

if TYPE_CHECKING:
    from pathlib import Path

COMMUNITY = "https://github.com/kubernetes/community/blob/master/contributors/devel"
BLOB = "https://github.com/kubernetes/kubernetes/blob/v1.37.0"


# Areas


def outcome(id_: str, level: str = "MUST", standing: str = "passed") -> RequirementOutcome:
    wanted = RequirementRecord(level=level, sentence="")  # type: ignore[arg-type]
    told: dict[str, Any] = {"required": True, "applies": True, "standing": standing, "reason": ""}
    empty: dict[str, Any] = dict.fromkeys(("scenarios", "evidence", "unrun", "waivers"), ())
    return RequirementOutcome(id=id_, requirement=wanted, **told, **empty)


def planned(requirement: str, feature: str) -> Planned:
    return Planned(f"{requirement}.1", "name", "title", feature, requirement)


def test_requirements_stand_by_area_and_feature_the_musts_first() -> None:
    found = areas.areas(
        [
            outcome("FIN-010"),
            outcome("FIN-009", "SHOULD"),
            outcome("FIN-002", standing="failed"),
            outcome("BAS-100"),
            outcome("BAS-020"),
            outcome("XYZ-1"),
        ],
        [
            planned("FIN-010", "job/many-pods.feature"),
            planned("FIN-009", "job/many-pods.feature"),
            planned("FIN-002", "job/finalizers.feature"),
        ],
    )
    assert [one.id for one in found] == ["BAS", "FIN", "XYZ"]
    of_pods = found[1]
    assert [(group.name, [one.id for one in group.requirements]) for group in of_pods.groups] == [
        ("Finalizers", ["FIN-002"]),
        ("Many pods", ["FIN-010", "FIN-009"]),
    ]
    assert [one.id for one in of_pods.requirements] == ["FIN-002", "FIN-009", "FIN-010"]
    assert list(of_pods.counts.items()) == [("passed", 2), ("failed", 1)]
    assert [one.id for one in found[0].requirements] == ["BAS-020", "BAS-100"]
    assert not found[2].name


def test_requirements_of_a_feature_stand_by_rule_the_rules_with_a_must_first() -> None:
    def of(id_: str, rule: str, level: str = "MUST") -> RequirementOutcome:
        one = outcome(id_, level)
        placed = msgspec.structs.replace(one.requirement, feature="job/finalizers.feature", rule=rule)
        return replace(one, requirement=placed)

    (area,) = areas.areas(
        [
            of("FIN-001", "Later", "SHOULD"),
            of("FIN-002", "First", "SHOULD"),
            of("FIN-003", "First"),
            of("FIN-004", ""),
        ],
        [],
    )
    (group,) = area.groups
    assert group.name == "Finalizers"
    assert [(rule.name, [one.id for one in rule.requirements]) for rule in group.rules] == [
        ("First", ["FIN-003", "FIN-002"]),
        ("", ["FIN-004"]),
        ("Later", ["FIN-001"]),
    ]


def test_a_requirement_says_which_mutants_break_it_and_what_else_proves_it(tmp_path: Path) -> None:
    registry = load_registry()
    told = demands.recorded(registry)
    assert "finalizer-removed-before-status" in told["FIN-004"].mutants
    (id_,) = [one.id for one in registry.values() if one.proven_by][:1]
    named = {"FIN-004": told["FIN-004"], id_: told[id_]}
    records = sample.stream(sample.passing_scenarios(), requirements=msgspec.to_builtins(named))
    sample.write_stream(tmp_path, records)
    write_all(read_results(tmp_path), tmp_path)
    page = (tmp_path / "index.html").read_text()
    assert f"Mutants of the reference that break it: {', '.join(told['FIN-004'].mutants)}." in page
    assert "No mutant breaks it. That its scenarios can fail is shown by this" in page


def test_the_first_screen_says_how_many_mutants_the_scenarios_have_to_kill(tmp_path: Path) -> None:
    told = {id_: {**one} for id_, one in sample.header()["requirements"].items()}
    told["FIN-004"]["mutants"] = ["early", "never"]
    told["BAS-001"]["mutants"] = ["many"]
    told["BAS-002"]["proven_by"] = "a test"
    page = written(tmp_path, sample.passing_scenarios(), requirements=told)
    first = page[: page.index('<section aria-labelledby="run">')]
    assert 'of 2 of 10 requirements have to kill <a href="#requirements">3 mutants</a>' in first
    assert "1 other requirement says what else shows that its scenarios can fail" in first
    assert "<code>batchproof mutants --profile job</code> shows which are killed" in first


def test_the_page_names_the_programs_that_were_started_with_their_digests_and_arguments(
    tmp_path: Path,
) -> None:
    started = [
        {"name": "start", "program": "acme", "sha256": f"sha256:{'a' * 64}", "argv": ["{binary}", "--a b"]},
        {
            "name": "election",
            "program": "lost",
            "sha256": "",
            "env": ["HOME", "TOKEN"],
            "files": {"acme.yaml": f"sha256:{'c' * 64}"},
        },
    ]
    judged = {"descriptor_digest": f"sha256:{'d' * 64}", "started": started}
    page = written(
        tmp_path, sample.passing_scenarios(), implementation=sample.header()["implementation"] | judged
    )
    for shown in (
        f"<b>acme</b><br><code>sha256:{'a' * 64}</code>",
        "<code>&#39;{binary}&#39; &#39;--a b&#39;</code>",
        "What was started: election</dt><dd><b>lost</b><br><small>its sha256 is not known",
        "with the variables HOME, TOKEN",
        f"acme.yaml</small> <code>sha256:{'c' * 64}",
        f"descriptor acme.yaml</small><br><code>sha256:{'d' * 64}</code>",
    ):
        assert shown in page


def written(folder: Path, records: list[dict[str, Any]], **header: Any) -> str:
    """The page of a run."""
    sample.write_stream(folder, sample.stream(records, **header))
    write_all(read_results(folder), folder)
    return (folder / "index.html").read_text("utf-8")


def test_results_that_know_no_rules_and_no_mutants_open_in_the_page_of_now(tmp_path: Path) -> None:
    sample.write_stream(tmp_path, sample.stream(sample.scenarios()))
    header = read_results(tmp_path).header
    assert not any(one.rule or one.mutants or one.feature for one in header.requirements.values())
    write_all(read_results(tmp_path), tmp_path)
    page = (tmp_path / "index.html").read_text()
    assert "acme-jobs 2.3.1 does not conform to the job profile" in page
    assert "<h4>Fin</h4>" in page
    assert "Mutants of the reference" not in page
    assert "have to kill" not in page
    assert "What was started" not in page


def test_every_area_of_the_suite_has_a_name() -> None:
    ids = {id_.partition("-")[0] for id_ in load_registry()}
    assert all(areas.areas([outcome(f"{id_}-001")], [])[0].name for id_ in ids)


# Sources


@pytest.mark.parametrize(
    ("source", "links"),
    [
        (
            "k8s.io/kubernetes v1.37.0 pkg/controller/job/job_controller.go (x), test/e2e/apps/job.go",
            [f"{BLOB}/pkg/controller/job/job_controller.go", f"{BLOB}/test/e2e/apps/job.go"],
        ),
        (
            "k8s.io/api v0.37.0 batch/v1 types.go (JobStatus); pkg/controller/job/indexed_job_utils.go (x)",
            [
                "https://github.com/kubernetes/api/blob/v0.37.0/batch/v1/types.go",
                f"{BLOB}/pkg/controller/job/indexed_job_utils.go",
            ],
        ),
        (
            "KEP-2307 (Algorithm); kubernetes/kubernetes#78796, #105200; kubernetes/kubernetes issue 104666",
            [
                "https://github.com/kubernetes/enhancements/issues/2307",
                "https://github.com/kubernetes/kubernetes/issues/78796",
                "https://github.com/kubernetes/kubernetes/issues/105200",
                "https://github.com/kubernetes/kubernetes/issues/104666",
            ],
        ),
        (
            "volcano.sh/volcano v1.10.0 docs/design/job-api.md; sigs.k8s.io/scheduler-plugins pkg/gang",
            [
                "https://github.com/volcano-sh/volcano/blob/v1.10.0/docs/design/job-api.md",
                "https://github.com/kubernetes-sigs/scheduler-plugins/tree/master/pkg/gang",
            ],
        ),
        (
            "k8s.io/kubernetes v1.37.0 test/integration/job (x)",
            [f"{BLOB.replace('blob', 'tree')}/test/integration/job"],
        ),
        (
            'Kubernetes documentation, Jobs, "Pod back-off"; API conventions, "Idempotency"',
            [
                "https://kubernetes.io/docs/concepts/workloads/controllers/job/",
                f"{COMMUNITY}/sig-architecture/api-conventions.md",
            ],
        ),
        ('Kubeflow documentation, Job Scheduling, "Gangs"', []),
    ],
)  # fmt: skip
def test_what_a_source_names_is_a_link(source: str, links: list[str]) -> None:
    found = sources.linked(source)
    assert re.findall('href="([^"]*)"', found) == links
    assert re.sub("<[^>]*>", "", found).replace("&#34;", '"') == source


def test_paths_of_an_area_lie_where_its_registry_says() -> None:
    found = sources.linked("pkg/controller.v1/common/pod.go (ReconcilePods)", "TFJ")
    assert "github.com/kubeflow/training-operator/blob/v1.8.1/pkg/controller.v1/common/pod.go" in found


def test_nine_of_ten_sources_of_the_suite_have_a_link_and_all_keep_their_text() -> None:
    every = [*load_registry().values()]
    found = [sources.linked(one.source, one.id.partition("-")[0]) for one in every]
    assert sum("<a " in one for one in found) > 0.9 * len(found)
    assert all(one.striptags() == " ".join(of.source.split()) for one, of in zip(found, every, strict=True))


def test_a_source_of_somebody_else_is_escaped() -> None:
    found = sources.linked("<script>alert(1)</script> https://x.example/<b> javascript:alert(1)")
    assert "<script" not in found
    assert 'href="javascript' not in found


# How to play it again


# What has changed


def run(folder: Path, records: list[dict[str, object]]) -> Results:
    folder.mkdir(exist_ok=True)
    sample.write_stream(folder, sample.stream(records))
    return read_results(folder)


def test_the_command_says_what_has_changed_beside_the_page(tmp_path: Path) -> None:
    run(tmp_path / "before", sample.scenarios())
    run(tmp_path / "now", sample.passing_scenarios())
    folders = [str(tmp_path / "now"), "--baseline", str(tmp_path / "before")]
    done = CliRunner().invoke(report, folders)
    assert done.exit_code == 0, done.output
    shown = (tmp_path / "now" / "changes.html").read_text("utf-8")
    assert "What has changed since acme-jobs 2.3.1" in shown
    assert "3 fixed" in shown
    assert "What has changed" not in (tmp_path / "now" / "index.html").read_text("utf-8")


# The page


@pytest.fixture
def page(tmp_path: Path) -> str:
    sample.write_stream(tmp_path, sample.stream(sample.scenarios()))
    write_all(read_results(tmp_path), tmp_path)
    return (tmp_path / "index.html").read_text("utf-8")


def test_each_requirement_has_a_tile_that_leads_to_its_row(page: str) -> None:
    tiles = re.findall(r'<a class="tile (\S+) \S+" href="#([^"]+)"', page)
    assert {id_: verdict for verdict, id_ in tiles} == {
        "BAS-001": "passed", "BAS-002": "passed", "FIN-003": "skipped", "FIN-004": "failed",
        "FIN-005": "failed", "TTL-001": "skipped", "EXP-001": "inconclusive", "EXP-002": "errored",
        "EXP-003": "inconclusive", "ROB-001": "passed",
    }  # fmt: skip
    assert all(f'id="{id_}"' in page for _, id_ in tiles)


def test_deviations_and_retries_are_in_plain_sight(page: str) -> None:
    first = page[: page.index("What is broken")]
    for shown in ("1 deviation</a>", "1 scenario was retried", "TTLAfterFinished", "no proof of life"):
        assert shown in first
    assert "batchproof run -i ./acme.yaml -k FIN-004" in first


def test_headings_follow_each_other(page: str) -> None:
    levels = [int(level) for level in re.findall(r"<h(\d)", page)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_what_the_processes_of_a_failed_scenario_printed_is_behind_a_fold(tmp_path: Path) -> None:
    failed = sample.scenario("FIN-004", "Kept", "failed", printed="gw0-1.log:\n<script>panic()</script>")
    sample.write_stream(tmp_path, sample.stream([failed, sample.scenario("BAS-001", "One")], required=[]))
    write_all(read_results(tmp_path), tmp_path)
    page = (tmp_path / "index.html").read_text()
    assert page.count('<details class="printed">') == 2, "with the cause, and with its scenario"
    assert "gw0-1.log:\n&lt;script&gt;panic()&lt;/script&gt;</pre>" in page


def test_an_unwaived_failure_has_the_deviation_that_would_cover_it(tmp_path: Path) -> None:
    values: dict[str, Any] = {"tracked": 3, "released": "a-<b>", "seen": None}
    unmet = {**sample.unmet("FIN-004"), "fact": "pod_released", "values": values}
    failed = sample.scenario("FIN-004", "Kept", "failed", id="FIN-004.1a", unmet=unmet)
    sample.write_stream(tmp_path, sample.stream([failed, sample.scenario("BAS-001", "One")], required=[]))
    write_all(read_results(tmp_path), tmp_path)
    page = (tmp_path / "index.html").read_text()
    found = re.search(r"<pre[^>]*>(deviations:[^<]*)</pre>", page)
    assert found is not None
    entry = html.unescape(found[1])
    completed = entry
    for name, value in (("reason", "r"), ("issue", "https://example.com/i/1"), ("expires", "2027-01-01")):
        completed = completed.replace(f"{name}: #", f"{name}: {value} #")
    assert yaml.safe_load(completed) == {
        "deviations": [
            {
                "requirement": "FIN-004", "scenario": "FIN-004.1a", "fact": "pod_released", "values": values,
                "reason": "r", "issue": "https://example.com/i/1", "expires": date(2027, 1, 1),
            }
        ]
    }  # fmt: skip


def test_a_command_can_be_selected_and_its_button_needs_the_script(tmp_path: Path) -> None:
    sample.write_stream(tmp_path, sample.stream([sample.scenario("FIN-004", "Kept", "failed")], required=[]))
    write_all(read_results(tmp_path), tmp_path)
    page = (tmp_path / "index.html").read_text()
    commands = page.count('<code class="command">batchproof run ')
    assert commands == 2, "at a glance, and with the cause"
    assert page.count('<button type="button" class="copy scripted" hidden>Copy</button>') == commands
    assert ".command { user-select: all; }" in page
