"""``export ai-conformance --check``: the rules of the program's checker, by submissions right and wrong."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import ai_conformance_sample as sample
import pytest
import yaml
from ai_conformance_sample import check, entry, junit, product, write

from batchproof.ground.errors import UserError
from batchproof.report.ai_conformance import artifacts, links, program
from batchproof.report.ai_conformance.artifacts import Artifact, Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GANG, ACCESS, SCALING = sample.UPSTREAM[1], sample.UPSTREAM[0], sample.UPSTREAM[2]


def gang(document: dict[str, Any], *evidence: str) -> None:
    entry(document, "gang_scheduling")["evidence"] = list(evidence)


def metadata(**fields: Any) -> Callable[[dict[str, Any], Path], None]:
    return lambda document, _: document["metadata"].update(fields)


def answer(id_: str, **fields: Any) -> Callable[[dict[str, Any], Path], None]:
    return lambda document, _: entry(document, id_).update(fields)


def cites(evidence: str, **tests: str) -> Callable[[dict[str, Any], Path], None]:
    """The gang is shown by a piece of evidence, beside a JUnit report of these tests."""

    def change(document: dict[str, Any], folder: Path) -> None:
        gang(document, evidence)
        folder.mkdir(parents=True)
        (folder / "junit.xml").write_text(junit(**tests))

    return change


def holds(name: str, content: str) -> Callable[[dict[str, Any], Path], None]:
    """The gang is shown by a file of this content."""

    def change(document: dict[str, Any], folder: Path) -> None:
        gang(document, name)
        folder.mkdir(parents=True)
        (folder / name).write_text(content)

    return change


def removed(*place: str) -> Callable[[dict[str, Any], Path], None]:
    def change(document: dict[str, Any], _: Path) -> None:
        *above, last = place
        for key in above:
            document = document[key]
        del document[last]

    return change


def no_requirement(document: dict[str, Any], _: Path) -> None:
    document["spec"]["schedulingOrchestration"].pop(0)


REFUSED = {
    "no metadata": (removed("metadata"), "Missing 'metadata' section"),
    "no field": (
        removed("metadata", "platformName"),
        "Missing metadata field: platformName (or platform_name)",
    ),
    "no text": (metadata(platformVersion=4.2), "Metadata field platformVersion is not a string"),
    "empty": (metadata(description=""), "Metadata field description is empty"),
    "placeholder": (
        metadata(repoUrl="[Repository URL]"),
        "Metadata field repoUrl has placeholder value: [Repository URL]",
    ),
    "conformance of Kubernetes": (
        metadata(k8sConformanceUrl="https://github.com/cncf/k8s-conformance/pull/1"),
        "Invalid k8sConformanceUrl format: https://github.com/cncf/k8s-conformance/pull/1. Expected format:",
    ),
    "address": (
        metadata(websiteUrl="https://"),
        "Invalid URL in metadata websiteUrl: https:// (it names no host)",
    ),
    "no spec": (removed("spec"), "Missing 'spec' section"),
    "no section": (removed("spec", "operator"), "Missing spec category: operator"),
    "no requirement": (
        no_requirement,
        "Missing requirement 'gang_scheduling' in category 'schedulingOrchestration'",
    ),
    "another form": (
        answer("gang_scheduling", evidence="junit.xml"),
        "Error loading product: spec.schedulingOrchestration[0].evidence is no list",
    ),
    "unknown status": (
        answer("gpu_sharing", status="Done"),
        "Invalid status 'Done' for 'gpu_sharing'. Must be one of Implemented, ",
    ),
    "SHOULD with evidence alone": (
        answer("gpu_sharing", evidence=["https://docs.acme.example"]),
        "Invalid status '' for 'gpu_sharing'. Must be one of Implemented, ",
    ),
    "MUST in part": (
        answer("gang_scheduling", status="Partially Implemented"),
        "'gang_scheduling' is MUST level but status is 'Partially Implemented'. It must be 'Implemented'.\n",
    ),
    "MUST unanswered": (
        answer("ai_inference", status=""),
        "Requirement 'ai_inference' is MUST level but status is ''. It must be 'Implemented'.",
    ),
    "MUST not applicable": (
        answer("robust_controller", status="N/A", notes="we have none"),
        "Requirement 'robust_controller' is MUST level but status is 'N/A'. It must be 'Implemented'.",
    ),
    "conditional MUST": (
        answer("cluster_autoscaling", status="Not Implemented"),
        "It must be 'Implemented', or 'N/A' with a justification in notes.",
    ),
    "not applicable without notes": (
        answer("cluster_autoscaling", status="N/A", notes=" \n"),
        "Notes required for 'cluster_autoscaling' when status is N/A",
    ),
    "address of evidence": (
        answer("ai_inference", evidence=["https://docs.acme.example:port/"]),
        "Invalid evidence URL for 'ai_inference': https://docs.acme.example:port/ (",
    ),
    "no file": (
        cites("e2e.log"),
        "Invalid evidence file for 'gang_scheduling': e2e.log (not found at v1.37/acme/e2e.log)",
    ),
    "outside": (
        cites("../other/junit.xml"),
        "Invalid evidence file for 'gang_scheduling': ../other/junit.xml (it escapes the product directory",
    ),
    "of another product": (
        cites("file://v1.37/other/junit.xml"),
        "(it references a different product directory; evidence must live in v1.37/acme)",
    ),
    "no path": (cites("#TestGangScheduling"), "#TestGangScheduling (empty file path)"),
    "the test is not there": (
        cites("junit.xml", TestOther="passed"),
        "Test 'TestGangScheduling' referenced by 'gang_scheduling' was not found in junit.xml",
    ),
    "the fragment is not there": (
        cites("junit.xml#TestX", TestGangScheduling="passed"),
        "Test 'TestX' referenced by 'gang_scheduling' was not found in junit.xml",
    ),
    "the test failed": (
        cites("junit.xml", TestGangScheduling="failed"),
        "Test 'TestGangScheduling' referenced by 'gang_scheduling' failed in junit.xml",
    ),
    "another test failed": (
        cites("junit.xml#TestMine", TestMine="passed", TestB="failed", TestA="error"),
        "Test artifact junit.xml contains failing tests: TestA, TestB",
    ),
    "the test was skipped": (
        cites("junit.xml", TestGangScheduling="skipped"),
        "Requirement 'gang_scheduling' is Implemented but test 'TestGangScheduling' was skipped in junit.xml",
    ),
    "no case": (cites("junit.xml"), "Invalid test artifact for 'gang_scheduling': junit.xml (no <testcase>"),
    "no XML": (
        holds("junit.xml", "no XML"),
        "Invalid test artifact for 'gang_scheduling': junit.xml (no XML: ",
    ),
    "no log": (
        holds("e2e.log", "• [PASSED] gangs\n"),
        "Invalid test artifact for 'gang_scheduling': e2e.log (no line '--- PASS: ...'",
    ),
    "no events": (
        holds("results.json", '{"Action":"start"}\n'),
        "Invalid test artifact for 'gang_scheduling': results.json (no event of a test in it)",
    ),
    "a package that failed": (
        holds("results.json", '{"Action":"fail","Package":"p"}\n'),
        "Test artifact results.json contains failing tests: package p",
    ),
}


@pytest.mark.parametrize(("change", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_wrong_submission_is_refused_with_the_reason(
    tmp_path: Path, change: Callable[[dict[str, Any], Path], None], reason: str
) -> None:
    folder, document = tmp_path / "v1.37/acme", product()
    change(document, folder)

    accepted, told = check(write(folder, document))

    assert not accepted
    assert reason in told
    assert "v1.37/acme/PRODUCT.yaml is refused" in told


@pytest.mark.parametrize(
    "change",
    [
        metadata(platformName="[beta] Platform", repoUrl=""),
        metadata(repoUrl=None),
        answer("gpu_sharing", status="Not Implemented"),
        answer("gpu_sharing", status="N/A", notes="no such hardware"),
        answer("gpu_sharing", status="Implemented", evidence=None, notes=None),
    ],
)
def test_what_is_right_in_another_way_is_accepted(
    tmp_path: Path, change: Callable[[dict[str, Any], Path], None]
) -> None:
    document = product()
    change(document, tmp_path)
    assert check(write(tmp_path / "v1.37/acme", document))[0]


@pytest.mark.parametrize("version", program.VERSIONS)
def test_a_valid_submission_is_accepted(tmp_path: Path, version: str) -> None:
    accepted, told = check(write(tmp_path / f"v{version}/acme", product(version)))

    assert accepted
    assert told.startswith(f"v{version}/acme/PRODUCT.yaml is accepted")


def test_what_needs_the_network_is_not_checked_and_said(tmp_path: Path) -> None:
    _, told = check(write(tmp_path / "v1.37/acme", product()))
    assert "Not checked, for want of the network: whether 12 addresses can be reached, " in told
    assert told.endswith("and whether 'Acme' is the name of a member of the CNCF.\n")


@pytest.mark.parametrize(("version", "warned"), [("1.36", 0), ("1.37", 3)])
def test_results_of_tests_are_asked_for_from_1_37_on(tmp_path: Path, version: str, warned: int) -> None:
    accepted, told = check(write(tmp_path / f"v{version}/acme", product(version)))

    assert accepted
    assert told.count("is covered by automated test") == warned


def test_upstream_s_results_are_read(tmp_path: Path) -> None:
    folder, document = tmp_path / "v1.37/acme", product()
    sample.upstream_files(folder)
    for id_ in program.COVERED:
        entry(document, id_)["evidence"] = ["e2e.log", f"file://v1.37/acme/junit.xml#{program.COVERED[id_]}"]

    accepted, told = check(write(folder, document))

    assert accepted
    assert "warning" not in told


def test_a_conditional_must_may_be_not_applicable_with_a_reason(tmp_path: Path) -> None:
    document = product()
    sample.upstream_files(tmp_path / "v1.37/acme")
    (tmp_path / "v1.37/acme/junit.xml").write_text(junit(**{SCALING: "skipped"}))
    scaling = {"status": "N/A", "notes": "no autoscaler", "evidence": ["junit.xml"]}
    entry(document, "cluster_autoscaling").update(scaling)

    accepted, told = check(write(tmp_path / "v1.37/acme", document))

    assert accepted
    assert "'cluster_autoscaling' is MUST level and marked N/A; review the justification in notes" in told


def test_a_file_that_cannot_be_read_is_told_once(tmp_path: Path) -> None:
    folder, document = tmp_path / "v1.37/acme", product()
    gang(document, "junit.xml", "junit.xml#TestGangScheduling")
    folder.mkdir(parents=True)
    (folder / "junit.xml").write_text("<")

    _, told = check(write(folder, document))

    assert told.count("Invalid test artifact") == 1


def test_other_evidence_only_has_to_be_there(tmp_path: Path) -> None:
    folder, document = tmp_path / "v1.37/acme", product()
    gang(document, "install.log#TestGangScheduling", "logs", "")
    (folder / "logs").mkdir(parents=True)
    (folder / "install.log").write_text("--- FAIL: TestGangScheduling (1s)\n")

    assert check(write(folder, document))[0]


def test_what_a_link_leads_to_outside_the_folder_is_not_there(tmp_path: Path) -> None:
    folder, document = tmp_path / "v1.37/acme", product()
    folder.mkdir(parents=True)
    (tmp_path / "elsewhere").write_text(junit(TestGangScheduling="passed"))
    (folder / "junit.xml").symlink_to(tmp_path / "elsewhere")
    gang(document, "junit.xml")

    accepted, told = check(write(folder, document))

    assert not accepted
    assert "junit.xml (not found at v1.37/acme/junit.xml)" in told


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    import os  # noqa: PLC0415 - of this test alone

    folder, document = tmp_path / "v1.37/acme", product()
    folder.mkdir(parents=True)
    os.mkfifo(folder / "e2e.log")
    gang(document, "e2e.log")

    assert "it is not a plain file" in check(write(folder, document))[1]


class TestSchema:
    """The requirements of upstream's own file."""

    def schema(self, folder: Path, version: str, **more: Any) -> Path:
        """A file in the form of upstream's, with one requirement."""
        spec = {"operator": [{"id": "new_one", "level": "MUST", "description": "It must.", **more}]}
        path = folder / f"AIConformance-{version}.yaml"
        path.write_text(yaml.safe_dump({"metadata": {"kubernetesVersion": f"v{version}"}, "spec": spec}))
        return path

    def answered(self, **more: Any) -> dict[str, Any]:
        answers = [
            {"id": "new_one", "level": "MUST", "status": "Implemented", "description": "It must.", **more}
        ]
        return {**product(), "spec": {"operator": answers}}

    def test_a_version_that_is_not_known_needs_it(self, tmp_path: Path) -> None:
        path = write(tmp_path / "v1.99/acme", self.answered())

        with pytest.raises(UserError, match=r"the requirements of 1.99 are not known here, .* by --schema"):
            check(path)
        assert check(path, "--schema", str(self.schema(tmp_path, "1.99")))[0]

    def test_it_counts_before_what_is_known_here(self, tmp_path: Path) -> None:
        path = write(tmp_path / "v1.37/acme", product())
        _, told = check(path, "--schema", str(self.schema(tmp_path, "1.37")))
        assert "Missing requirement 'new_one' in category 'operator'" in told

    def test_levels_and_descriptions_have_to_stay_as_they_are(self, tmp_path: Path) -> None:
        changed = self.answered(description="It may.", level="SHOULD")
        path = write(tmp_path / "v1.37/acme", changed)

        accepted, told = check(path, "--schema", str(self.schema(tmp_path, "1.37")))

        assert accepted  # the checker does not compare them, but a reviewer does
        assert "The description of 'new_one' was changed" in told
        assert "The level of 'new_one' is 'SHOULD' instead of 'MUST'" in told

    def test_that_of_another_version_is_refused(self, tmp_path: Path) -> None:
        path = write(tmp_path / "v1.37/acme", product())
        with pytest.raises(UserError, match=r"kubernetesVersion is v1.36, and the product is below v1.37"):
            check(path, "--schema", str(self.schema(tmp_path, "1.36")))

    def test_what_is_none_is_refused(self, tmp_path: Path) -> None:
        path = write(tmp_path / "v1.37/acme", product())
        (tmp_path / "other.yaml").write_text("spec: {}\n")
        with pytest.raises(UserError, match="there is no requirement below spec"):
            check(path, "--schema", str(tmp_path / "other.yaml"))


@pytest.mark.parametrize("folder", ["acme", "v1.37", "1.37/acme"])
def test_a_product_lies_below_its_version(tmp_path: Path, folder: str) -> None:
    with pytest.raises(UserError, match="Could not determine version from path"):
        check(write(tmp_path / folder, product()))


def test_only_product_yaml_is_looked_at(tmp_path: Path) -> None:
    path = write(tmp_path / "v1.37/acme", product())
    with pytest.raises(UserError, match=r"the file must be called PRODUCT.yaml"):
        check(path.rename(path.with_name("product.yaml")))


def test_a_date_has_to_be_in_quotes(tmp_path: Path) -> None:
    document = product()
    document["metadata"]["platformVersion"] = "2026-11-26"
    accepted, told = check(write(tmp_path / "v1.37/acme", document))
    assert accepted
    assert "platformVersion is a date to the checker, and refused, unless in quotes" in told


def test_a_logo_is_drawn_in_lines(tmp_path: Path) -> None:
    document = product()
    document["metadata"]["productLogoUrl"] = "https://acme.example/platform.png"
    accepted, told = check(write(tmp_path / "v1.37/acme", document))
    assert accepted
    assert "productLogoUrl names no file in SVG, EPS or AI format" in told


@pytest.mark.parametrize(
    ("link", "path", "test"),
    [
        ("junit.xml", "junit.xml", ""),
        ("junit.xml#TestX", "junit.xml", "TestX"),
        (" file://e2e.log ", "e2e.log", ""),
        ("file://v1.37/acme/junit.xml#TestX", "junit.xml", "TestX"),
        ("file:///v1.37/acme/results.json", "results.json", ""),
        (" batchproof/junit.xml#TestX/with#sign", "batchproof/junit.xml", "TestX/with#sign"),
        ("a/../b//c.md", "b/c.md", ""),
        ("a/../../acme/b.md", "b.md", ""),
    ],
)
def test_a_link_means_a_file_of_the_product(link: str, path: str, test: str) -> None:
    found = links.local(PurePosixPath("v1.37/acme"), link)
    assert (str(found.path), found.test) == (path, test)


@pytest.mark.parametrize(
    "link",
    ["", ".", "#TestX", "file://#TestX", "../other/junit.xml", "file://../../secret", "v1.36/acme/junit.xml"],
)
def test_a_link_elsewhere_is_refused(link: str) -> None:
    with pytest.raises(links.WrongLink):
        links.local(PurePosixPath("v1.37/acme"), link)


@pytest.mark.parametrize(
    ("link", "right"),
    [
        ("https://acme.example/a b", True),
        ("http://[::1]:80/", True),
        ("https://acme.example/%zz", False),
        ("https://a b/", False),
        ("https://acme.example/\x07", False),
        ("httpx://acme.example", False),
        ("http:acme.example", False),
    ],
)
def test_an_address_is_looked_at_for_its_form(link: str, right: bool) -> None:
    assert (links.wrong_address(link) == "") is right


@pytest.mark.parametrize(
    ("ended", "whole"),
    [
        ([("T", "passed")], "passed"),
        ([("T", "failed"), ("T", "passed")], "failed"),
        ([("T", "passed"), ("T", "skipped")], "skipped"),
        ([("T/a", "passed"), ("T/b", "skipped")], "passed"),
        ([("T/a", "skipped"), ("T/b", "skipped")], "skipped"),
        ([("T/a", "passed"), ("T/b", "failed")], "failed"),
        ([("T", "passed"), ("T/b", "skipped")], "passed"),
        ([("Tx", "passed")], None),
    ],
)
def test_a_test_ends_as_itself_or_as_its_parts(ended: list[tuple[str, Any]], whole: str | None) -> None:
    artifact = Artifact()
    for name, how in ended:
        artifact.record(name, how)
    assert artifact.of("T") == whole


def test_only_three_names_are_read() -> None:
    named = ["a/JUnit.XML", "results.json", "v1.37/acme/e2e.log"]
    others = ["install.log", "crd.json", "report.xml", "README.md", "batchproof-results.json", "junit.xml.gz"]
    assert [bool(artifacts.reader(PurePosixPath(name))) for name in [*named, *others]] == [True] * 3 + [
        False
    ] * 6


def test_a_junit_report_is_read_in_each_form() -> None:
    inner = '<testcase name="A"><error/></testcase><properties><testcase name="no case"/></properties>'
    bare = artifacts.read_junit(f'<testsuite xmlns="urn:x">{inner}</testsuite>'.encode())
    passed = '<testcase name="B"><system-out><failure/></system-out></testcase>'
    suite = f"<testsuite><testsuite>{inner}</testsuite>{passed}</testsuite>"
    deep = artifacts.read_junit(f"<testsuites>{suite}</testsuites>junk".encode())
    assert bare.ended == {"A": "failed"}
    assert deep.ended == {"B": "passed", "A": "failed"}


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE a [<!ENTITY b "c">]><testsuite><testcase name="&b;"/></testsuite>',
        '<?xml version="1.0" encoding="ISO-8859-1"?><testsuite><testcase name="a"/></testsuite>',
        "<testsuite>" * 200 + '<testcase name="a"/>' + "</testsuite>" * 200,
        '<testsuite><testcase name="a"/>',
    ],
)
def test_a_report_is_read_within_limits(text: str) -> None:
    with pytest.raises(Unreadable):
        artifacts.read_junit(text.encode())


def test_events_are_read_as_go_reads_them() -> None:
    lines = [
        '{"action":"pass","Test":"A"}',
        "",
        "null",
        '{"Action":"fail","Test":"B"}',
        '{"Action":"fail","Package":"p"}',
    ]
    found = artifacts.read_events("\r\n".join(lines).encode())
    assert (found.ended, found.failures) == ({"A": "passed", "B": "failed"}, ["B"])


@pytest.mark.parametrize("line", ["{", "[]", '{"Action":1,"Test":"A"}', '{"Elapsed":NaN}', "[" * 100_000])
def test_a_line_that_is_no_event_is_refused(line: str) -> None:
    with pytest.raises(Unreadable, match="line 2"):
        artifacts.read_events(f'{{"Action":"pass","Test":"A"}}\n{line}\n'.encode())


def test_a_log_is_read_line_by_line() -> None:
    right = "--- PASS: A (1s)\n\t --- SKIP: A/b (0s)\n--- FAIL: F\xa0g x\n"
    log = f"{right}foo --- FAIL: C\n---  FAIL: D\n\x0b--- FAIL: E\n"
    assert artifacts.read_log(log.encode()).ended == {"A": "passed", "A/b": "skipped", "F\xa0g": "failed"}


def test_the_requirements_are_those_of_each_version() -> None:
    number = {version: len(program.requirements(version)) for version in program.VERSIONS}
    musts = {version: sum(one.level == "MUST" for one in program.requirements(version)) for version in number}
    assert number == {"1.33": 9, "1.34": 9, "1.35": 12, "1.36": 14, "1.37": 15}
    assert musts == {"1.33": 8, "1.34": 9, "1.35": 9, "1.36": 8, "1.37": 8}
    assert product()["spec"].keys() == {one.section for one in program.requirements("1.37")}
