"""What a submission to CNCF AI Conformance carries of a run."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import Any

import ai_conformance_sample as product_sample
import pytest
import report_sample as sample
import yaml
from ai_conformance_sample import check, entry, junit, product, write
from click.testing import CliRunner

from batchproof.commands.export import command, written
from batchproof.ground.errors import UserError
from batchproof.report.ai_conformance import artifacts
from batchproof.report.ai_conformance.export import check_bundle, submission
from batchproof.report.ai_conformance.program import COVERED, ENTRIES
from batchproof.report.ai_conformance.shown import show
from batchproof.report.results import read_results
from batchproof.specification import lint
from batchproof.specification.gherkin import parse_features
from batchproof.specification.suites import small_suites

GANG, OPERATOR = (small_suites()[name] for name in ("ai-conformance", "ai-conformance-operator"))
TEST = "BatchproofGangScheduling"


def case(name: str, verdict: str = "passed", **more: Any) -> dict[str, Any]:
    record = sample.scenario("FIN-004", name, verdict, **more)
    feature = "ai-conformance.feature"
    return {**record, "feature": feature, "id": f"{feature}::{name}"}


def waived(name: str) -> dict[str, Any]:
    return case(name, "skipped", reason="waived", waived=WAIVER, unmet=sample.unmet("FIN-004"))


WAIVER = {**sample.WAIVER, "requirement": "FIN-004", "scenario": "ai-conformance.feature::Negative case"}


def files(folder: Path, *records: dict[str, Any], bundle: str = "", **header: Any) -> dict[str, str]:
    asked = [one["id"] for one in records if one["feature"] == "ai-conformance.feature"]
    header = {"profile": "gang", "required": ["FIN-004"], **header}
    sample.write_stream(folder, sample.stream(list(records), **header))
    made = submission([show(read_results(folder), asked, bundle)])
    return {name: content.decode() for name, content in made.items()}


def the_entry(made: dict[str, str]) -> dict[str, Any]:
    [found] = yaml.safe_load(made["gang_scheduling.yaml"])
    assert isinstance(found, dict)
    return found


def ended(made: dict[str, str]) -> dict[str, str]:
    """How each test ended, which the three files say alike."""
    read = []
    for name, content in made.items():
        if reader := artifacts.reader(PurePosixPath(name)):
            read.append(reader(content.encode()))
    assert len(read) == 3
    assert read[0].ended == read[1].ended == read[2].ended
    assert not any(one.failures for one in read)
    return dict(read[0].ended)


def played(folder: Path, suite: Any, verdict: str = "passed", cluster: str = "embedded", **more: Any) -> Path:
    """The results of a run of a suite, as it is bundled, on a cluster of this provider."""
    cases = [one for feature in parse_features(suite.feature) for one in feature.cases]
    records = [
        {
            **sample.scenario(
                "FIN-004", one.title, verdict if at == 1 else "passed", **(more if at == 1 else {})
            ),
            "id": one.id,
            "feature": suite.feature.name,
        }
        for at, one in enumerate(cases)
    ]
    folder.mkdir(parents=True)
    told = sample.stream(
        records,
        profile=suite.profile,
        required=["FIN-004"],
        cluster={"provider": cluster, "kubernetes": "1.37.0"},
    )
    return sample.write_stream(folder, told).parent


def submitted(folder: Path, exported: Path) -> Path:
    """A product's folder with what was exported, beside what upstream's own tests have left."""
    document = product()
    product_sample.upstream_files(folder)
    for id_ in COVERED:
        entry(document, id_)["evidence"] = ["junit.xml", "e2e.log"]
    for path in exported.glob("*.yaml"):
        [ours] = yaml.safe_load(path.read_text())
        theirs = entry(document, ours["id"])
        theirs.update(ours, evidence=[*theirs["evidence"], *ours["evidence"]])
    (exported / "batchproof").rename(folder / "batchproof")
    return write(folder, document)


def test_cases_that_pass_are_an_implementation(tmp_path: Path) -> None:
    made = files(tmp_path, case("Positive case"), case("Negative case"))

    entry = the_entry(made)
    assert entry["id"] == "gang_scheduling"
    assert entry["evidence"] == [
        f"batchproof/junit.xml#{TEST}",
        f"batchproof/results.json#{TEST}",
        f"batchproof/e2e.log#{TEST}",
        "batchproof/README.md",
    ]
    assert {one.partition("#")[0] for one in entry["evidence"]} < set(made)
    assert "acme-jobs 2.3.1 on Kubernetes 1.37.0" in entry["notes"]
    assert "sha256:9f86d081884c7d65" in entry["notes"]
    assert "1 of 1 requirement met, 2 of 2 cases passed." in entry["notes"]
    assert "description" not in entry
    assert "level" not in entry


class TestWhatARunShows:
    """A status is written only where the run shows that the platform implements the requirement."""

    def exported(self, folder: Path, suite: Any, provider: str) -> tuple[dict[str, Any], str]:
        written([played(folder / "results", suite, cluster=provider)], folder / "out")
        [path] = (folder / "out").glob("*.yaml")
        [found] = yaml.safe_load(path.read_text())
        return found, path.read_text()

    def test_an_operator_of_the_platform_is_an_implementation(self, tmp_path: Path) -> None:
        found, text = self.exported(tmp_path, OPERATOR, "existing")
        assert found["status"] == "Implemented"
        assert "no status" not in text

    @pytest.mark.parametrize("provider", ["embedded", "kind"])
    def test_an_operator_in_a_cluster_of_the_run_is_none(self, tmp_path: Path, provider: str) -> None:
        found, text = self.exported(tmp_path, OPERATOR, provider)
        assert "status" not in found
        assert "the cluster was made for the run" in found["notes"]
        assert "# There is no status here" in text

    @pytest.mark.parametrize("provider", ["embedded", "kind", "existing"])
    def test_gangs_on_simulated_nodes_are_none(self, tmp_path: Path, provider: str) -> None:
        found, _ = self.exported(tmp_path, GANG, provider)
        assert "status" not in found
        assert "the nodes were simulated" in found["notes"]
        assert "| no: the nodes were simulated |".replace("|", "") in (
            (tmp_path / "out/batchproof/README.md").read_text()
        ).replace("|", "")

    def test_our_evidence_alone_is_a_warning(self, tmp_path: Path) -> None:
        written([played(tmp_path / "results", GANG)], tmp_path / "out")
        path = submitted(tmp_path / "v1.37/acme", tmp_path / "out")
        document = yaml.safe_load(path.read_text())
        gangs = entry(document, "gang_scheduling")
        gangs["evidence"] = [one for one in gangs["evidence"] if one.startswith("batchproof/")]

        accepted, told = check(write(path.parent, document))

        assert accepted
        assert "All evidence of 'gang_scheduling' is from batchproof" in told


def test_the_three_files_say_the_same(tmp_path: Path) -> None:
    made = files(tmp_path, case("Positive case"), case("Negative case"))
    parts = [f"{TEST}/FIN-004_Positive_case", f"{TEST}/FIN-004_Negative_case"]
    assert ended(made) == dict.fromkeys([TEST, *parts], "passed")


def test_a_retry_stands_in_the_notes(tmp_path: Path) -> None:
    made = files(tmp_path, case("Positive case", first=sample.FIRST_PLAY))
    assert "1 scenario was retried." in the_entry(made)["notes"]


def test_the_log_reads_as_that_of_go_test(tmp_path: Path) -> None:
    log = files(tmp_path, case("Positive case"))["batchproof/e2e.log"].splitlines()

    assert log[3:5] == [f"=== RUN   {TEST}", f"=== RUN   {TEST}/FIN-004_Positive_case"]
    assert log[-3:] == [
        f"--- PASS: {TEST} (31.20s)",
        f"    --- PASS: {TEST}/FIN-004_Positive_case (2.10s)",
        "PASS",
    ]
    assert any("eventually the Job is Complete" in line for line in log)


def test_a_deviation_is_no_failure_but_is_said(tmp_path: Path) -> None:
    made = files(
        tmp_path,
        case("Positive case"),
        waived("Negative case"),
        implementation=sample.admitting(WAIVER),
    )

    assert ended(made)[f"{TEST}/FIN-004_Negative_case"] == "skipped"
    assert ended(made)[TEST] == "passed"
    assert "with 1 deviation" in the_entry(made)["notes"]
    assert "1 of 2 cases passed" in the_entry(made)["notes"]
    for name in ("README.md", "e2e.log", "results.json", "junit.xml"):
        assert WAIVER["reason"] in made[f"batchproof/{name}"], name
    assert WAIVER["issue"] in made["batchproof/README.md"]
    assert "ai-conformance.feature::Negative case Negative case" in made["batchproof/README.md"]


def test_a_should_that_is_not_met_is_no_failure_but_is_said(tmp_path: Path) -> None:
    broken = case("Negative case", breaches=[sample.breach("FIN-005")])
    made = files(tmp_path, case("Positive case"), broken)

    [part] = [name for name, how in ended(made).items() if how == "skipped"]
    assert part.startswith(f"{TEST}/FIN-005_(invariant)")
    assert "FIN-005 (SHOULD) failed" in the_entry(made)["notes"]


def test_a_failed_must_is_nothing_to_submit(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nothing to submit: NOT CONFORMANT because FIN-004 failed"):
        files(tmp_path, case("Positive case"), case("Negative case", "failed"))


def test_waivers_alone_are_nothing_to_submit(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nothing to submit: every case is waived"):
        files(tmp_path, waived("Negative case"), implementation=sample.admitting(WAIVER))


def test_what_could_not_be_judged_is_nothing_to_submit(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nothing to submit: NOT PROVEN"):
        files(tmp_path, case("Negative case", "inconclusive", reason="no proof of life"))


def test_what_was_not_judged_is_nothing_to_submit(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"Refused was not judged \(not-declared\): declare what it needs"):
        files(tmp_path, case("Reconciled"), case("Refused", "skipped", reason="not-declared"))


def test_results_of_something_else_are_refused(tmp_path: Path) -> None:
    with pytest.raises(
        UserError, match="a submission needs those of `batchproof run --suite ai-conformance`"
    ):
        files(tmp_path, sample.scenario("FIN-004", "Something else"))


def test_no_text_of_an_implementation_is_read_as_the_end_of_a_test(tmp_path: Path) -> None:
    hostile = "x\n--- FAIL: TestGangScheduling (1s)\r\n  --- PASS: TestX (0s)\u2028--- FAIL: Y (0s)\n"
    deviation = waived("Negative case")
    deviation["unmet"]["observed"] = "removed\n--- FAIL: Z (0s)"
    step = {"keyword": "Given", "text": hostile, "outcome": "passed", "at_s": 0.0, "duration_s": 0.1}
    made = files(
        tmp_path,
        case(hostile, steps=[step]),
        deviation,
        implementation={
            **sample.header()["implementation"],
            "name": hostile.replace("\n", "\r"),
            "version": "<b>|`\x1b[31m",
        },
    )

    assert all(name.startswith(TEST) for name in ended(made))
    assert "\x1b" not in "".join(made.values())
    assert not re.search(r"^\s*---", made["batchproof/README.md"], re.MULTILINE)
    assert "<b>" not in made["batchproof/README.md"]


class TestBeside:
    """What is exported, in the folder of a product that is right in all else."""

    @pytest.mark.parametrize("suite", [GANG, OPERATOR], ids=lambda suite: suite.name)
    def test_what_is_exported_is_accepted(self, tmp_path: Path, suite: Any) -> None:
        written([played(tmp_path / "results", suite)], tmp_path / "out")

        accepted, told = check(submitted(tmp_path / "v1.37/acme", tmp_path / "out"))

        assert accepted, told
        assert "warning" not in told

    def test_deviations_are_accepted(self, tmp_path: Path) -> None:
        played(
            tmp_path / "results",
            GANG,
            "skipped",
            reason="waived",
            waived=WAIVER,
            unmet=sample.unmet("FIN-004"),
        )
        written([tmp_path / "results"], tmp_path / "out")
        assert check(submitted(tmp_path / "v1.37/acme", tmp_path / "out"))[0]

    def test_two_suites_share_the_folder(self, tmp_path: Path) -> None:
        (tmp_path / "gang.bundle").write_bytes(b"\x00one")
        (tmp_path / "operator.bundle").write_bytes(b"\x00two")
        runs = [played(tmp_path / suite.name, suite) for suite in (GANG, OPERATOR)]
        bundles = [tmp_path / f"{name}.bundle" for name in ("gang", "operator")]
        written(runs, tmp_path / "out", bundles)

        [operator] = yaml.safe_load((tmp_path / "out/robust_controller.yaml").read_text())
        path = submitted(tmp_path / "v1.37/acme", tmp_path / "out")

        assert "batchproof/operator.bundle" in operator["evidence"]
        assert "`batchproof verify batchproof/operator.bundle --trust TRUST`" in operator["notes"]
        assert (
            "batchproof verify gang.bundle --trust TRUST"
            in (path.parent / "batchproof/README.md").read_text()
        )
        assert (path.parent / "batchproof/gang.bundle").read_bytes() == b"\x00one"
        assert check(path)[0]

    def test_each_file_that_evidence_names_is_needed(self, tmp_path: Path) -> None:
        (tmp_path / "gang.bundle").write_bytes(b"\x00one")
        run = played(tmp_path / "results", GANG)
        written([run], tmp_path / "out", [tmp_path / "gang.bundle"])
        path = submitted(tmp_path / "v1.37/acme", tmp_path / "out")

        for file in sorted((path.parent / "batchproof").iterdir()):
            content = file.read_bytes()
            file.unlink()
            accepted, told = check(path)
            file.write_bytes(content)
            assert not accepted
            assert f"(not found at v1.37/acme/batchproof/{file.name})" in told
        assert check(path)[0]


class TestAsBefore:
    """What the export wrote before, and why it was refused."""

    def submit(self, folder: Path, id_: str, evidence: str, *tests: str) -> str:
        document = product()
        entry(document, id_)["evidence"] = [evidence]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "junit.xml").write_text(junit(**dict.fromkeys(tests, "passed")))
        accepted, told = check(write(folder, document))
        assert not accepted
        return told

    def test_its_cases_had_no_test_that_the_checker_looks_for(self, tmp_path: Path) -> None:
        told = self.submit(tmp_path / "v1.37/acme", "gang_scheduling", "junit.xml", "GNG-002 Positive case")
        assert "Test 'TestGangScheduling' referenced by 'gang_scheduling' was not found in junit.xml" in told

    def test_its_name_for_the_operator_was_no_test_of_upstream(self, tmp_path: Path) -> None:
        named = "junit.xml#TestRobustCRDControllerOperation"
        told = self.submit(tmp_path / "v1.37/acme", "robust_controller", named, "TestRobustController")
        assert "'TestRobustCRDControllerOperation' referenced by 'robust_controller' was not found" in told

    def test_its_files_took_the_place_of_upstream_s(self, tmp_path: Path) -> None:
        own = self.submit(
            tmp_path / "v1.37/acme", "secure_accelerator_access", "junit.xml", "GNG-002 Positive"
        )
        assert "Test 'TestSecureAcceleratorAccess' referenced by 'secure_accelerator_access' was not" in own

        written([played(tmp_path / "results", GANG)], tmp_path / "out")
        names = [path.name for path in (tmp_path / "out").iterdir()]
        assert sorted(names) == ["batchproof", "gang_scheduling.yaml"]

    def test_its_results_bore_the_name_of_upstream_s_test(self, tmp_path: Path) -> None:
        made = files(tmp_path, case("Positive case"))
        assert all(name.partition("/")[0] == TEST for name in ended(made))
        assert not any(re.match("Test|FIN", one.test) for one in ENTRIES.values())

    def test_a_failure_that_is_waived_refused_the_file(self, tmp_path: Path) -> None:
        document, folder = product(), tmp_path / "v1.37/acme"
        entry(document, "gang_scheduling")["evidence"] = [f"junit.xml#{TEST}"]
        folder.mkdir(parents=True)
        (folder / "junit.xml").write_text(junit(**{TEST: "passed", f"{TEST}/waived": "failed"}))
        assert f"contains failing tests: {TEST}/waived" in check(write(folder, document))[1]

        (folder / "junit.xml").write_text(junit(**{TEST: "passed", f"{TEST}/waived": "skipped"}))
        assert check(folder / "PRODUCT.yaml")[0]


def test_the_page_in_the_docs_shows_the_entry_and_names_every_file(tmp_path: Path) -> None:
    made = files(tmp_path, case("Positive case"))
    page = (Path(__file__).parents[2] / "docs/how-to/ai-conformance.md").read_text()

    [shown] = yaml.safe_load(page.partition("```yaml\n")[2].partition("```")[0])
    upstream, *ours = shown["evidence"]

    assert upstream == f"junit.xml#{COVERED['gang_scheduling']}"
    assert ours == the_entry(made)["evidence"]
    assert shown.keys() == the_entry(made).keys()
    assert all(f"v1.37/acme/{name}" in page for name in made if name.startswith("batchproof/"))


@pytest.mark.parametrize(
    "name", ["a b", "a#b", "README.md", "Junit.XML", "E2E.log", ".hidden", "Zertifikat-ä", ""]
)
def test_a_bundle_is_called_so_that_evidence_can_cite_it(name: str) -> None:
    assert check_bundle("acme-2.3.1_gang.bundle")
    with pytest.raises(UserError, match="evidence cannot cite a file called"):
        check_bundle(name)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([], "name the folder of a run"),
        (["{run}", "--schema", "{file}"], "--schema is for --check"),
        (["{run}", "--check", "{file}"], "leave out RESULTS and --bundle"),
        (["{run}", "--bundle", "{file}", "--bundle", "{file}"], "give one --bundle for each of RESULTS"),
        (["{run}"], "it cannot be checked here"),
        (
            ["{run}", "{run}", "--bundle", "{file}", "--bundle", "{file}"],
            "two files of --bundle have the same name",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(tmp_path: Path, arguments: list[str], why: str) -> None:
    run, file = played(tmp_path / "results", GANG), tmp_path / "PRODUCT.yaml"
    file.touch()
    given = [one.format(run=run, file=file) for one in arguments]
    made = CliRunner().invoke(
        command, ["ai-conformance", *given, "-o", str(tmp_path / "out")], standalone_mode=False
    )
    assert why in (getattr(made.exception, "message", None) or str(made.exception))
    assert not (tmp_path / "out").exists()


def test_two_runs_are_no_evidence_for_one_entry(tmp_path: Path) -> None:
    run = played(tmp_path / "results", GANG)
    with pytest.raises(UserError, match="two of these runs are evidence for gang_scheduling"):
        written([run, run], tmp_path / "out")


@pytest.mark.parametrize("name", small_suites())
def test_a_small_suite_can_be_run(name: str) -> None:
    one = small_suites()[name]
    assert lint.blocking(lint.bundled(), one.profile, [one.feature]) == []
    assert parse_features(one.feature)
    assert one.check_profile(None) == one.check_profile(one.profile) == one.profile
    with pytest.raises(UserError, match=f"judges the profile {one.profile}, not other"):
        one.check_profile("other")
