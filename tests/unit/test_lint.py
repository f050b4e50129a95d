"""The linter: one small right suite, and one wrong thing at a time."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner

from batchproof.commands.lint import command as lint_command
from batchproof.commands.requirements import command as requirements_command
from batchproof.ground.errors import UserError
from batchproof.ground.suite import steps
from batchproof.judgement import facts
from batchproof.judgement.facts import Finding
from batchproof.judgement.observed import Observed
from batchproof.specification.lint import blocking, checkout, lint
from batchproof.specification.registry import load_registry

TODAY = date(2026, 6, 1)

REGISTRY = """
- {id: FIN-004, level: MUST, profile: job, sentence: It MUST be so.,
   norm: kep, source: KEP-2307, since: "1.22"}
- id: BAS-046
  level: SHOULD
  profile: job
  capability: TTLAfterFinished
  sentence: It SHOULD be so.
  norm: kep
  source: KEP-592
  since: "1.23"
"""

FEATURE = """Feature: Finalizers
  Background:
    Given a node

  @FIN-004.1 @fault
  Scenario: Finished pods keep their finalizer
    Given a Job with 3 pods
    When all 3 pods succeed
    Then status.active is 0

  @BAS-046.1 @cap-TTLAfterFinished
  Scenario Outline: A finished Job goes after <seconds> seconds
    Given a Job that ended <seconds> seconds ago
    Then it is deleted
    Examples:
      | case | seconds |
      | a    | 1       |
      | b    | 2       |
"""

DEFECT = """
- name: wrong-order
  requirement: FIN-004
  what: The order is wrong.
  edits:
    - in: reference_controller/order.py
      replace: ORDER = 1
      with: ORDER = 2
"""

DESCRIPTOR = """
name: mine
version: "1"
organisation: Me
profiles: [job]
capabilities: [TTLAfterFinished]
deviations:
  - requirement: FIN-004
    scenario: FIN-004.1
    fact: pods_with_finalizer
    values: {tracked: 3, released: 1}
    reason: Slow.
    issue: "https://example.com/1"
    expires: 2026-06-01
"""

IN_FORCE = (datetime.now(UTC).date() + timedelta(days=300)).isoformat()
"""A last day that is not too far away."""

STEPS = """
from pytest_bdd import given, parsers, then, when

@given(parsers.re("a (node|Job with 3 pods|Job that ended [0-9] seconds ago)"))
def there(): ...

@when("all 3 pods succeed")
@when("the controller is restarted")
@then(parsers.re(".*"))
def so(): ...
"""

FILES = {
    "steps/all.py": STEPS,
    "features/requirements/a.yaml": REGISTRY,
    "features/job/finalizers.feature": FEATURE,
    "tests/mutants/a.yaml": DEFECT,
    "fixtures/implementations/mine.yaml": DESCRIPTOR,
    "reference_controller/order.py": "ORDER = 1\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def edit(root: Path, end: str, old: str, new: str) -> None:
    (name,) = [name for name in FILES if name.endswith(end)]
    path = root / name
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def found(root: Path, today: date = TODAY) -> list[tuple[str, int, str]]:
    return [(one.path.name, one.line, one.code) for one in lint(checkout(root), today)]


def test_a_right_suite_has_no_findings(root: Path) -> None:
    assert found(root) == []


def test_a_sentence_that_does_not_fit_its_fact_is_found(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, "_FACTS", dict(facts._FACTS))

    @facts.fact("{jobs:job} is odd")
    def odd(seen: Observed, *, job: str) -> Finding:
        raise NotImplementedError(seen, job)

    (one,) = lint(checkout(root), TODAY)
    assert (one.path, one.code) == (Path(__file__), "fact-invalid")
    lines = Path(__file__).read_text("utf-8").splitlines()
    assert lines[one.line - 1].strip() == '@facts.fact("{jobs:job} is odd")'
    assert one.message.startswith("odd: '{jobs:job} is odd': {jobs} is no argument of it")


def test_an_area_without_a_name_is_found_once(root: Path) -> None:
    row = (
        "- {{id: {}, level: SHOULD, profile: job, sentence: It SHOULD be so., "
        'norm: kep, source: K, since: "1.2"}}\n'
    )
    more = "".join(row.format(id_) for id_ in ("XYZ-001", "XYZ-002"))
    edit(root, "requirements/a.yaml", REGISTRY, f"{REGISTRY}{more}")
    (one,) = [one for one in lint(checkout(root), TODAY) if one.code == "area-without-name"]
    assert one.message.startswith("the area of XYZ-001 has no name")


def test_a_then_that_waits_for_what_a_prohibition_does_not_oblige_is_found(root: Path) -> None:
    """With the steps of the suite: only they claim facts."""
    edit(root, "requirements/a.yaml", "It MUST be so.", "It MUST NOT be so.")
    (root / "steps" / "claims.py").write_text((steps() / "claims.py").read_text("utf-8"))
    claims = "for 2 seconds the Job does not finish\n    And 2 pods are active"
    edit(root, ".feature", "status.active is 0", claims)
    assert ("finalizers.feature", 10, "claim-of-another") in found(root)
    edit(root, ".feature", claims, f"{claims}, as FIN-004 requires")
    assert ("finalizers.feature", 10, "claim-misplaced") in found(root)


TITLE = "Finished pods keep their finalizer"
WHEN = "    When all 3 pods succeed\n"


@pytest.mark.parametrize(
    ("old", "new", "line", "code"),
    [
        (TITLE, "A finished Job goes after <seconds> seconds", 12, "title-repeated"),
        (TITLE, "Finished pods should keep their finalizer", 6, "title-not-a-fact"),
        (TITLE, "Test of finalizers", 6, "title-not-a-fact"),
        (TITLE, "F" * 80, 6, "title-too-long"),
        (TITLE, TITLE + ".", 6, "title-with-full-stop"),
        (TITLE, "", 6, "title-missing"),
        ("a Job with 3 pods", "I sleep a little", 7, "means-instead-of-behaviour"),
        ("a Job with 3 pods", "kubectl makes a Job", 7, "means-instead-of-behaviour"),
        ("status.active is 0", "{.status.active} is 0", 9, "means-instead-of-behaviour"),
        ("status.active is 0", '".status.active" is 0', 9, "means-instead-of-behaviour"),
        ("status.active is 0", "$.items[*] is empty", 9, "means-instead-of-behaviour"),
        (WHEN, WHEN * 2, 9, "more-than-one-when"),
        (WHEN, WHEN + "    And x\n" * 6, 6, "too-many-steps"),
        ("    Given a node\n", "    Given a node\n" + "    And x\n" * 3, 2, "background-too-long"),
        ("    Given a node\n", "    Then a node is there\n", 3, "background-not-given"),
        ("@fault", "@FIN-005", 6, "requirement-repeated"),
        ("@fault", "@falut", 6, "unknown-tag"),
        ("@fault", "@cap-TTL", 6, "unknown-capability"),
        (" @cap-TTLAfterFinished", "", 12, "capability-missing"),
        ("    Examples:", "    @slow\n    Examples:", 12, "examples-tagged"),
        ("| 2 ", "| 1 ", 12, "example-repeated"),
        ("| b ", "| a ", 12, "example-repeated"),
        ("| case |", "| kind |", 12, "case-missing"),
        ("@FIN-004.1", "@FIN-004", 6, "id-missing"),
        ("@FIN-004.1", "@BAS-046.1", 12, "id-repeated"),
        ("      | a    | 1       |\n      | b    | 2       |\n", "", 12, "examples-missing"),
        ("    Given a Job with 3 pods\n", "    Give a Job with 3 pods\n", 6, "text-not-run"),
        ("    Given a node\n", "    Give a node\n", 2, "text-not-run"),
        (WHEN, "    When all 4 pods succeed\n", 8, "step-undefined"),
        ("that ended <seconds> seconds", "that ended <second> seconds", 13, "step-undefined"),
        (WHEN, "    Wen all 3 pods succeed\n", 8, "feature-invalid"),
    ],
)
def test_what_is_wrong_in_a_feature_is_found(root: Path, old: str, new: str, line: int, code: str) -> None:
    edit(root, ".feature", old, new)
    assert ("finalizers.feature", line, code) in found(root)


def test_a_sentence_with_two_meanings_is_found(root: Path) -> None:
    edit(root, "all.py", '@when("the controller', '@when(parsers.re("all .*"))\n@when("the controller')
    assert ("finalizers.feature", 8, "step-ambiguous") in found(root)


def test_words_that_only_contain_forbidden_ones_are_allowed(root: Path) -> None:
    edit(root, ".feature", TITLE, "The latest Job attests its pods")
    edit(root, ".feature", "status.active is 0", "the pod pod-1.example.com is gone after 1.5 s")
    assert found(root) == []


def test_a_continued_when_is_one_when(root: Path) -> None:
    edit(root, ".feature", WHEN, WHEN + "    And the controller is restarted\n")
    assert found(root) == []


def test_what_every_history_is_judged_by_may_deviate_in_any_scenario(root: Path) -> None:
    edit(root, "mine.yaml", "FIN-004.1", "BAS-046.1b")
    assert found(root) == []


@pytest.mark.parametrize(
    ("end", "old", "new", "finding"),
    [
        (".feature", "@FIN-004.1 ", "", ("a.yaml", 2, "requirement-without-scenario")),
        (".feature", "@FIN-004.1 ", "", ("finalizers.feature", 6, "requirement-missing")),
        (".feature", "@FIN-004", "@FIN-041", ("finalizers.feature", 6, "unknown-requirement")),
        ("mutants/a.yaml", "FIN-004", "FIN-005", ("a.yaml", 2, "unknown-requirement")),
        ("mutants/a.yaml", "FIN-004", "BAS-046", ("a.yaml", 2, "requirement-without-mutant")),
        ("mutants/a.yaml", "FIN-004", "FIN-004\n  capability: TTL", ("a.yaml", 2, "unknown-capability")),
        (
            "mutants/a.yaml",
            "FIN-004",
            "BAS-046\n  capability: TTLAfterFinished",
            ("a.yaml", 2, "capability-repeated"),
        ),
        ("mutants/a.yaml", "ORDER = 1", "GONE = 1", ("a.yaml", 6, "mutant-not-applicable")),
        ("mutants/a.yaml", "what:", "why:", ("a.yaml", 2, "mutant-invalid")),
        ("requirements/a.yaml", "BAS-046", "FIN-004", ("a.yaml", 4, "registry-invalid")),
        ("mine.yaml", "TTLAfterFinished", "TTL", ("mine.yaml", 6, "unknown-capability")),
        ("mine.yaml", "FIN-004", "FIN-005", ("mine.yaml", 8, "unknown-requirement")),
        ("mine.yaml", "FIN-004.1", "FIN-004.2", ("mine.yaml", 8, "unknown-scenario")),
        ("mine.yaml", "profiles: [job]", "profiles: []", ("mine.yaml", 5, "descriptor-invalid")),
        ("mine.yaml", "pods_with_finalizer", "pods_with_finalizers", ("mine.yaml", 8, "unknown-fact")),
        (
            "mine.yaml",
            "    values:",
            "    arguments: {jobs: a}\n    values:",
            ("mine.yaml", 8, "unknown-fact"),
        ),
    ],
)
def test_what_does_not_fit_together_is_found(
    root: Path, end: str, old: str, new: str, finding: tuple[str, int, str]
) -> None:
    edit(root, end, old, new)
    assert finding in found(root)


def test_what_a_defect_does_has_the_words_of_the_glossary(root: Path) -> None:
    edit(root, "tests/mutants/a.yaml", "The order is wrong.", "The order goes on.")
    assert ("a.yaml", 2, "unwanted-word") in found(root)


def test_the_reason_of_a_deviation_has_the_words_of_the_glossary(root: Path) -> None:
    edit(root, "mine.yaml", "Slow.", "It is told to nobody.")
    told = [(one.path.name, one.message.split(":")[0]) for one in lint(checkout(root), TODAY)]
    assert {("mine.yaml", "'told'"), ("mine.yaml", "'nobody'")} <= set(told)


def test_a_waiver_is_an_error_after_its_last_day(root: Path) -> None:
    assert found(root, date(2026, 6, 2)) == [("mine.yaml", 8, "waiver-expired")]


def test_the_finalizer_of_the_built_in_controller_is_reserved(root: Path) -> None:
    reserved = "managed_by: example.com/mine\nfinalizer: batch.kubernetes.io/job-tracking\nprofiles:"
    edit(root, "mine.yaml", "profiles:", reserved)
    assert ("mine.yaml", 6, "reserved-finalizer") in found(root)


def test_a_folder_without_features_is_no_suite(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no suite here"):
        checkout(tmp_path)


def test_the_command_exits_with_1_only_for_errors(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edit(root, "mine.yaml", "2026-06-01", IN_FORCE)
    monkeypatch.chdir(root)
    run = CliRunner().invoke
    assert run(lint_command, ["."]).exit_code == 0
    (root / "tests/mutants/a.yaml").unlink()
    warned = run(lint_command, [str(root)])
    assert warned.exit_code == 0
    assert "features/requirements/a.yaml:2: requirement-without-mutant (warning) no mutant" in warned.output
    assert "0 errors, 1 warning" in warned.output
    edit(root, ".feature", "@fault", "@falut")
    wrong = run(lint_command, [str(root)])
    assert wrong.exit_code == 1
    assert "features/job/finalizers.feature:6: unknown-tag @falut means nothing; did you mean 'fault'?" in (
        wrong.output
    )


def test_the_command_prints_json(root: Path) -> None:
    edit(root, ".feature", "@fault", "@falut")
    edit(root, "mine.yaml", "2026-06-01", IN_FORCE)
    result = CliRunner().invoke(lint_command, ["--json", str(root)])
    (row,) = orjson.loads(result.stdout)
    assert (row["line"], row["code"], row["severity"]) == (6, "unknown-tag", "error")


def test_a_file_of_a_suite_is_checked_as_a_part_of_it(root: Path) -> None:
    edit(root, ".feature", "@fault", "@falut")
    edit(root, "mine.yaml", "2026-06-01", IN_FORCE)
    (root / "tests/mutants/a.yaml").unlink()
    (root / "docs").mkdir()
    (root / "docs/a.md").write_text("Nobody is blamed.\n")
    for name, codes in {
        "docs/a.md": ["unwanted-word", "unwanted-word"],
        "features/job/finalizers.feature": ["unknown-tag"],
        "features/requirements/a.yaml": ["requirement-without-mutant"],
        "steps/all.py": [],
    }.items():
        rows = orjson.loads(CliRunner().invoke(lint_command, ["--json", str(root / name)]).stdout)
        assert [row["code"] for row in rows] == codes


def test_a_descriptor_alone_is_checked_against_the_bundled_requirements(root: Path) -> None:
    path = root / "fixtures/implementations/mine.yaml"
    path.write_text(
        DESCRIPTOR.replace("TTLAfterFinished", "TTLafterFinished").replace("2026-06-01", IN_FORCE)
    )
    result = CliRunner().invoke(lint_command, [str(path)])
    assert result.exit_code == 1
    assert "did you mean 'TTLAfterFinished'?" in result.output
    assert (
        "capability-left-out (warning) job: SuccessPolicy is not declared, so 6 requirements and"
        in result.output
    )


def test_a_descriptor_alone_is_told_what_it_leaves_out_and_cannot_start(root: Path) -> None:
    path = root / "mine.yaml"
    start = "start: {argv: ['{binary}']}\nbinary: {path: ./nothing}\n"
    path.write_text(DESCRIPTOR[: DESCRIPTOR.index("deviations")] + start)
    (root / "nothing").write_text("#!/bin/sh\n")

    def told() -> list[tuple[str, str]]:
        rows = orjson.loads(CliRunner().invoke(lint_command, ["--json", str(path)]).stdout)
        assert {row["severity"] for row in rows} == {"warning"}
        return [(row["code"], row["message"]) for row in rows]

    left_out = [message.split()[1] for code, message in told() if code == "capability-left-out"]
    assert {"SuccessPolicy", "ManagedBy", "LeaderElection"} < set(left_out)
    assert "TTLAfterFinished" not in left_out
    (missing,) = [message for code, message in told() if code == "program-missing"]
    assert f"start.argv: '{root / 'nothing'}' is not executable; chmod +x it" in missing
    (root / "nothing").chmod(0o755)
    assert "program-missing" not in dict(told())


def test_requirements_are_printed_as_json_and_as_a_table() -> None:
    run = CliRunner().invoke
    told = orjson.loads(run(requirements_command, ["--json", "--profile", "job"]).stdout)
    rows = told["requirements"]
    assert told["not_judged"]["BAS-001"].endswith(".")
    assert not any(id_.startswith("GNG") for id_ in (*told["not_judged"], *told["to_do"]))
    assert [row["id"] for row in rows] == list(load_registry().of_profile("job"))
    keys = {"id", "level", "profile", "capability", "sentence", "source", "scenarios", "defects"}
    assert keys <= rows[0].keys()
    table = run(requirements_command, [])
    assert table.exit_code == 0
    assert "FIN-004" in table.output


def test_an_unknown_profile_is_told_the_known_ones() -> None:
    result = CliRunner().invoke(requirements_command, ["--profile", "gnag"])
    assert result.exit_code == 2
    assert "'job', 'gang'" in result.output


# -- what is found before anything is started, and what one mistake hides


def test_one_bad_entry_of_the_registry_is_one_finding(root: Path) -> None:
    edit(root, "requirements/a.yaml", "  source: KEP-592\n", "")
    assert found(root) == [("a.yaml", 4, "registry-invalid")]


def test_a_registry_that_is_no_yaml_is_one_finding_for_each_file(root: Path) -> None:
    (root / "features" / "requirements" / "b.yaml").write_text("- {id: [\n")
    edit(root, ".feature", "@FIN-004", "@FIN-099")
    assert ("b.yaml", 2, "registry-invalid") in found(root)
    assert "unknown-requirement" not in {code for *_, code in found(root)}


def test_a_must_that_the_reference_claims_needs_a_defect(root: Path) -> None:
    edit(root, "mutants/a.yaml", "FIN-004", "BAS-046")
    [without] = [one for one in lint(checkout(root), TODAY) if one.code == "requirement-without-mutant"]
    assert without.severity == "warning"
    edit(root, "mine.yaml", "name: mine", "name: reference")
    (root / "fixtures/implementations/mine.yaml").rename(root / "fixtures/implementations/reference.yaml")
    [without] = [one for one in lint(checkout(root), TODAY) if one.code == "requirement-without-mutant"]
    assert without.severity == "error"


def test_a_defect_counts_if_a_reference_declares_what_it_takes(root: Path) -> None:
    edit(root, ".feature", "@FIN-004.1 ", "@FIN-004.1 @cap-TTLAfterFinished ")
    edit(root, "mutants/a.yaml", "FIN-004", "FIN-004\n  capability: TTLAfterFinished")
    assert found(root) == [("a.yaml", 2, "requirement-without-mutant")]  # there is no reference
    edit(root, "mine.yaml", "name: mine", "name: reference")
    (root / "fixtures/implementations/mine.yaml").rename(root / "fixtures/implementations/reference.yaml")
    assert found(root) == []


@pytest.mark.parametrize(("declared", "severity"), [("[TTLAfterFinished]", "error"), ("[]", "warning")])
def test_a_must_of_a_capability_needs_a_defect_if_the_reference_declares_it(
    root: Path, declared: str, severity: str
) -> None:
    edit(root, "requirements/a.yaml", "level: SHOULD", "level: MUST")
    edit(root, "mine.yaml", "name: mine", "name: reference")
    edit(root, "mine.yaml", "capabilities: [TTLAfterFinished]", f"capabilities: {declared}")
    (root / "fixtures/implementations/mine.yaml").rename(root / "fixtures/implementations/reference.yaml")
    [without] = [one for one in lint(checkout(root), TODAY) if one.code == "requirement-without-mutant"]
    assert without.severity == severity


PROVEN = 'since: "1.22", proven_by: No reference has it; the gate of the real one switched off fails it.}'


def test_what_no_reference_does_may_be_proven_in_another_way(root: Path) -> None:
    edit(root, "mutants/a.yaml", "FIN-004", "BAS-046")
    edit(root, "requirements/a.yaml", 'since: "1.22"}', PROVEN)
    assert found(root) == []


def test_what_a_reference_does_needs_a_defect_whatever_else_proves_it(root: Path) -> None:
    edit(root, "mutants/a.yaml", "FIN-004", "BAS-046")
    edit(root, "requirements/a.yaml", 'since: "1.22"}', PROVEN)
    edit(root, "mine.yaml", "name: mine", "name: reference")
    (root / "fixtures/implementations/mine.yaml").rename(root / "fixtures/implementations/reference.yaml")
    assert found(root) == [
        ("a.yaml", 2, "proof-not-needed"),
        ("a.yaml", 2, "requirement-without-mutant"),
    ]


def test_another_proof_goes_when_a_defect_breaks_the_requirement(root: Path) -> None:
    edit(root, "requirements/a.yaml", 'since: "1.22"}', PROVEN)
    [finding] = [one for one in lint(checkout(root), TODAY) if one.code == "proof-not-needed"]
    assert (finding.severity, "a mutant breaks it" in finding.message) == ("error", True)


def test_only_a_must_has_another_proof(root: Path) -> None:
    proof = (
        "source: KEP-592\n  proven_by: No reference has it; the gate of the real one switched off fails it."
    )
    edit(root, "requirements/a.yaml", "source: KEP-592", proof)
    [finding] = [one for one in lint(checkout(root), TODAY) if one.code == "proof-not-needed"]
    assert "only a MUST" in finding.message


def test_ids_are_taken_once(root: Path) -> None:
    (root / "features" / "planned.yaml").write_text("# FIN-004 is a remark\nFIN:\n  [FIN-004, FIN-010]\n")
    (root / "reference_controller" / "order.py").write_text(
        '"""FIN-010 and FIN-011, KEP-592."""\nORDER = 1\n'
    )
    taken = [str(one) for one in lint(checkout(root), TODAY) if one.code == "id-taken"]
    assert [one.partition(": ")[2] for one in taken] == [
        "id-taken FIN-004 is registered now: take it out here",
        "id-taken FIN-011 is neither registered nor in planned.yaml",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "FIN: [FIN-009]\nnot-judged:\n  FIN-009: Nobody sees it.\n",
            "3: id-taken FIN-009 is still to do, and",
        ),
        ("not-judged:\n  FIN-004: Nobody sees it.\n", "2: id-taken FIN-004 is registered now"),
        (
            "not-judged:\n  FIN-009: Nobody sees it\n",
            "2: id-taken not-judged.FIN-009: 'Nobody sees it' does not",
        ),
        ("not-judged: {FIN-9: Nobody.}\n", "1: id-taken not-judged: 'FIN-9' does not have the form"),
        ("FIN: [BAS-009]\n", "1: id-taken BAS-009 is of another area than FIN"),
    ],
    ids=["both", "registered", "no sentence", "no id", "another area"],
)
def test_what_is_planned_is_to_do_or_has_a_reason(root: Path, text: str, message: str) -> None:
    (root / "features" / "planned.yaml").write_text(text)
    [taken] = [str(one) for one in lint(checkout(root), TODAY) if one.code == "id-taken"]
    assert f"planned.yaml:{message}" in taken


@pytest.mark.parametrize(
    ("end", "old", "new", "code"),
    [
        (".feature", "status.active is 0", "nobody knows", "step-undefined"),
        (".feature", "@FIN-004.1 @fault", "@FIN-041.1 @fault", "unknown-requirement"),
        (".feature", "@fault", "@falut", "unknown-tag"),
        (".feature", "A finished Job goes after <seconds> seconds", TITLE, "title-repeated"),
    ],
)
def test_what_would_make_a_verdict_wrong_is_found_before_a_run(
    root: Path, end: str, old: str, new: str, code: str
) -> None:
    edit(root, "all.py", '@then(parsers.re(".*"))', '@then(parsers.re("status.*|it .*"))')
    assert blocking(checkout(root), "job") == []
    edit(root, end, old, new)
    assert [one.code for one in blocking(checkout(root), "job")] == [code]
    assert blocking(checkout(root), "gang") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def broken(:\n", r"all\.py:1: SyntaxError: "),
        ("import pytest_bdd\n\nnothing_here\n", r"all\.py:3: NameError: name 'nothing_here'"),
    ],
)
def test_steps_that_cannot_be_loaded_are_blamed_with_file_and_line(
    root: Path, text: str, message: str
) -> None:
    (root / "steps" / "all.py").write_text(text)
    with pytest.raises(UserError, match=message):
        lint(checkout(root), TODAY)
