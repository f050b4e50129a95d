"""The table of kinds: one small right table, one wrong thing at a time; and that of the suite is complete."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import pytest

from batchproof.ground import suite, yaml_text
from batchproof.ground.resources import EVENTS, JOBS, PODS, Resource
from batchproof.judgement.fault_profiles import NAMES, Reach, fault_profiles
from batchproof.profiles.registered import registered
from batchproof.specification.findings import LintFinding
from batchproof.specification.gherkin import parse_features
from batchproof.specification.kinds import Kinds, Table, load_tables, read_kinds, read_table
from batchproof.specification.kinds_grid import Registered
from batchproof.specification.kinds_lint import counts, of_kinds
from batchproof.specification.registry import load_registry, read_registry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KINDS = """
apart:
  v1/events: An Event reports to people what has happened.
values:
  v1/pods:
    phase: [Pending, Running]
kinds:
  same-name:
    title: The same name twice
    says: An object is deleted and created again.
    rows: objects
    columns:
      at rest: {}
      watch delayed: {grid: [slow-watch]}
      phase: {needs: phase}
      changed: {grid: [conflicts]}
  failed-write:
    title: A write fails
    says: The API server answers a write with an error.
    rows: writes
    columns:
      "500": {grid: [errors]}
      "409": {grid: [conflicts]}
      rejected: {never: [delete]}
  limit:
    title: Both sides of a limit
    says: A limit is missed, met, and exceeded.
    rows: listed
    words: "[a-z]+Limit"
    columns: {below: {}, at: {}}
  stand-in:
    title: Each value
    says: The harness sets each value of a status.
    rows: values
"""

TABLE = """
objects:
  pods:
    of: [v1/pods]
    writes: [create, delete]
    has: [phase]
    played-by: the kubelet
  jobs:
    of: [batch/v1/jobs]
    writes: [update/status]
means: {softLimit: hardLimit}
cells:
  same-name:
    pods:
      at rest: FIN-004.1
      watch delayed: {grid: FIN-004.2}
      phase: [FIN-004.2b, FIN-004.1]
      changed: FIN-004.1
    "*":
      changed: {grid: FIN-004.2}
      open: A Job is deleted and another of its name is created at once.
  failed-write:
    create pods:
      "500": {grid: FIN-004.2}
      "409": {reason: "The API server generates the names of these pods."}
      rejected: FIN-004.1
    delete pods: {reason: "Nothing here ever deletes a single pod."}
    update jobs/status:
      "500": FIN-004.1
      "409": {grid: [FIN-004.2, FIN-004.2a]}
      rejected: {open: "A status write is answered with 422 for a while."}
  limit:
    hardLimit: {below: FIN-004.1, at: FIN-004.1}
  stand-in:
    phase of pods: {Pending: FIN-004.1, Running: FIN-004.1}
"""

FEATURE = """Feature: Finalizers
  @FIN-004.1 @fault
  Scenario: One with a fault
    Given a node

  @FIN-004.2
  Scenario Outline: Two of <count>
    Given a node with <count>
    Examples:
      | case | count |
      | a    | 1     |
      | b    | 2     |

  @FIN-004.3
  Scenario: One that kills
    When the implementation is killed
"""

OTHER = """Feature: Others
  @GNG-001.1
  Scenario: One of another profile
    Given a node
"""

REGISTRY = """
- id: FIN-004
  level: MUST
  profile: job
  sentence: It MUST NOT exceed hardLimit or softLimit.
  norm: kep
  source: KEP-2307
  since: "1.22"
"""

FILES = {
    "kinds.yaml": KINDS,
    "job/kinds.yaml": TABLE,
    "job/finalizers.feature": FEATURE,
    "gang/others.feature": OTHER,
    "requirements/a.yaml": REGISTRY,
}
REACH = Reach(
    watched=MappingProxyType({PODS: "pods", JOBS: "Jobs"}),
    contended=JOBS,
    requirements=MappingProxyType(dict.fromkeys(NAMES, "ROB-001")),
)
KNOWN = Registered(
    frozenset({PODS, JOBS, EVENTS}),
    frozenset(),
    MappingProxyType({one.name: one for one in fault_profiles(REACH)}),
)


@pytest.fixture
def features(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def found(features: Path, known: Registered = KNOWN) -> list[LintFinding]:
    registry, problems = read_registry(features / "requirements")
    assert not problems
    return list(of_kinds(features, {"job": known}, parse_features(features), registry))


def edit(features: Path, name: str, old: str, new: str) -> None:
    path = features / name
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def table(features: Path) -> Table:
    kinds, problems = read_kinds(features / "kinds.yaml")
    assert not problems
    read, problems = read_table(features / "job" / "kinds.yaml", kinds)
    assert not problems
    assert read
    return read


def test_a_table_of_which_cells_are_open_is_only_warned_of(features: Path) -> None:
    told = [(one.code, one.severity, one.path.parent, one.message) for one in found(features)]
    assert told == [
        (
            "kinds-open",
            "warning",
            features,
            (
                "3 of 19 cells are open (3 of 19 of job), and 16% have a reason: write the scenarios that "
                "`open` in features/PROFILE/kinds.yaml describes"
            ),
        )
    ]


def test_rows_and_columns_follow_from_the_objects(features: Path) -> None:
    rows = {(cell.kind.name, cell.row.name, cell.column.name) for cell in table(features).cells}
    assert ("same-name", "pods", "phase") in rows
    assert ("same-name", "jobs", "phase") not in rows, "the API of Jobs has none here"
    assert ("failed-write", "delete pods", "500") in rows
    assert ("failed-write", "delete pods", "rejected") not in rows, "no deletion is"
    assert ("stand-in", "phase of pods", "Running") in rows


def test_what_a_row_says_of_all_columns_is_counted_for_each(features: Path) -> None:
    filled = counts(table(features).cells)
    assert (filled.scenarios, filled.grid, filled.reason, filled.open, filled.all) == (9, 4, 3, 3, 19)


class Wrong(NamedTuple):
    """One edit of one file, and the error that it makes."""

    code: str
    told: str
    old: str
    new: str
    file: str = "job/kinds.yaml"


NAMES_OF_PODS = "The API server generates the names of these pods."
AT_REST = "at rest: FIN-004.1"
ERRORS = '"500": {grid: FIN-004.2}'
NOT_READ = (
    Wrong("kinds-invalid", "'others'", "rows: values", "rows: others", "kinds.yaml"),
    Wrong("kinds-invalid", "unknown key 'cell'", "cells:", "cell:"),
    Wrong("kinds-invalid", "at rest", AT_REST, "at rest: later"),
    Wrong("kinds-invalid", "delete pods", "Nothing here ever deletes a single pod.", "no"),
)
OBJECTS = (
    Wrong("kinds-object", "has no v1/nodes", "[v1/pods]", "[v1/pods, v1/nodes]"),
    Wrong("kinds-object", "both pods and jobs", "[v1/pods]", "[v1/pods, batch/v1/jobs]"),
    Wrong("kinds-object", "v1/events, and no row is about it", "v1/events", "v1/secrets", "kinds.yaml"),
)
ROWS = (
    Wrong("kinds-unknown", "did you mean 'same-name'?", "  same-name:", "  same-nam:"),
    Wrong("kinds-unknown", "there is no row 'delete pod'", "delete pods:", "delete pod:"),
    Wrong("kinds-unknown", "there is no column 'at res'", "at rest:", "at res:"),
    Wrong(
        "kinds-unknown",
        "take out the row '*'",
        '    "*":',
        '    jobs: {at rest: FIN-004.1, watch delayed: FIN-004.1}\n    "*":',
    ),
    Wrong(
        "kinds-unknown",
        "each column is filled",
        AT_REST,
        f"{AT_REST}\n      open: Nothing is left to be open.",
    ),
    Wrong("kinds-row", "FIN-004 names hardLimit", "    hardLimit:", "    anyLimit:"),
    Wrong("kinds-row", "FIN-004 names softLimit", "means: {softLimit: hardLimit}", ""),
    Wrong("kinds-unknown", "no row 'hardLimi'", "softLimit: hardLimit", "softLimit: hardLimi"),
    Wrong("kinds-unknown", "has noLimit", "{softLimit:", "{noLimit: hardLimit, softLimit:"),
    Wrong("kinds-row", "limit: no row", "    hardLimit: {below: FIN-004.1, at: FIN-004.1}", "    {}"),
)
CELLS = (
    Wrong("kinds-empty", "same-name: pods: phase: empty", "      phase: [FIN-004.2b, FIN-004.1]\n", ""),
    Wrong("kinds-empty", "phase of pods: Running: empty", ", Running: FIN-004.1", ""),
    Wrong(
        "kinds-empty",
        "same-name: jobs: at rest: empty",
        "open: A Job is deleted and another of its name is created at once.",
        "watch delayed: FIN-004.1",
    ),
    Wrong("kinds-scenario", "no scenario FIN-004.2c; did you mean", "[FIN-004.2b", "[FIN-004.2c"),
    Wrong("kinds-scenario", "of another profile (gang/others.feature)", "[FIN-004.2b", "[GNG-001.1"),
)
GRID = (
    Wrong("kinds-grid", "has the tag @fault", ERRORS, '"500": {grid: FIN-004.1}'),
    Wrong("kinds-grid", "kills or starts the implementation", ERRORS, '"500": {grid: FIN-004.3}'),
    Wrong("kinds-grid", "no fault profile", "rejected: FIN-004.1", "rejected: {grid: FIN-004.2}"),
    Wrong("kinds-grid", "order does not reach it", "grid: [errors]", "grid: [order]", "kinds.yaml"),
    Wrong(
        "kinds-grid",
        "pods: changed: the fault profile conflicts",
        "changed: FIN-004.1",
        "changed: {grid: FIN-004.2}",
    ),
    Wrong("kinds-grid", "is not run under nothing", "grid: [errors]", "grid: [nothing]", "kinds.yaml"),
    Wrong(
        "kinds-grid",
        "create pods: 409: the fault profile conflicts does not reach it",
        f'"409": {{reason: "{NAMES_OF_PODS}"}}',
        '"409": {grid: FIN-004.2}',
    ),
)
SENTENCES = (
    Wrong(
        "kinds-repeated", "delete pods: 500: line", NAMES_OF_PODS, "Nothing ever deletes a single pod here."
    ),
    Wrong(
        "kinds-repeated",
        "rejected: line",
        "A status write is answered with 422 for a while.",
        "A Job is deleted, and another of its name is created at once.",
    ),
)


@pytest.mark.parametrize(
    "wrong", [*NOT_READ, *OBJECTS, *ROWS, *CELLS, *GRID, *SENTENCES], ids=lambda it: it.told
)
def test_a_wrong_table_is_an_error_that_says_where(features: Path, wrong: Wrong) -> None:
    edit(features, wrong.file, wrong.old, wrong.new)
    errors = [one for one in found(features) if one.severity == "error"]
    assert [one for one in errors if one.code == wrong.code and wrong.told in one.message], errors
    assert {one.path.name for one in errors} == {"kinds.yaml"}
    assert all(one.line > 1 for one in errors if one.code != "kinds-invalid")


def test_a_profile_without_a_table_is_an_error(features: Path) -> None:
    (features / "job" / "kinds.yaml").unlink()
    assert [(one.code, one.severity) for one in found(features)] == [("kinds-missing", "error")]


def test_a_profile_that_is_not_run_under_faults_has_no_cell_of_the_grid(features: Path) -> None:
    told = {
        one.message for one in found(features, Registered(KNOWN.objects, (), {})) if one.code == "kinds-grid"
    }
    assert "same-name: pods: watch delayed: the profile is not run under slow-watch: name a scenario" in told


def test_the_fault_grid_strikes_no_write_outside_of_a_namespace(features: Path) -> None:
    known = Registered(KNOWN.objects, {PODS}, KNOWN.grid)
    told = [one.message for one in found(features, known) if one.code == "kinds-grid"]
    assert told == [
        "failed-write: create pods: 500: faults reach requests in a namespace only: name a scenario"
    ], "how the objects are seen can be delayed all the same"


def test_more_than_one_in_six_reasons_is_a_warning(features: Path) -> None:
    edit(features, "job/kinds.yaml", "at: FIN-004.1}", 'at: {reason: "The API refuses all that is at it."}}')
    told = [(one.severity, one.message) for one in found(features) if one.code == "kinds-reasons"]
    assert told == [("warning", "4 of 19 cells have a reason, more than one in six: write scenarios")]


def test_where_nothing_is_open_nothing_is_said(features: Path) -> None:
    all_of_it = "at rest: FIN-004.1\n      watch delayed: FIN-004.1"
    edit(
        features,
        "job/kinds.yaml",
        "open: A Job is deleted and another of its name is created at once.",
        all_of_it,
    )
    edit(
        features, "job/kinds.yaml", '{open: "A status write is answered with 422 for a while."}', "FIN-004.3"
    )
    assert not found(features)


def test_the_kinds_of_a_file_that_is_wrong_are_none(tmp_path: Path) -> None:
    (tmp_path / "kinds.yaml").write_text("kinds: {}\n")
    kinds, problems = read_kinds(tmp_path / "kinds.yaml")
    assert kinds == Kinds()
    assert problems


def test_each_profile_of_the_suite_fills_each_cell() -> None:
    findings = list(of_kinds(suite.features(), registered(), parse_features(), load_registry()))
    assert not [str(one) for one in findings if one.severity == "error"]
    assert not [str(one) for one in findings if one.code == "kinds-reasons"]


def test_the_suite_has_each_kind_in_each_profile() -> None:
    kinds, tables = load_tables(suite.features(), suite.profiles())
    assert {*tables} == {*suite.profiles()}
    for profile, one in tables.items():
        assert {cell.kind.name for cell in one.cells} == {kind.name for kind in kinds.kinds}, profile


def test_no_object_lacks_a_part_that_its_definition_in_the_suite_has() -> None:
    _, tables = load_tables(suite.features(), suite.profiles())
    parts = dict(defined_parts())
    lacking = {
        (profile, one.name, part)
        for profile, table in tables.items()
        for one in table.objects
        for resource in one.resources
        for part in parts.get(resource, set()) - {*one.has}
    }
    assert {"spec", "phase", "condition"} == set().union(*parts.values())
    assert not lacking


def defined_parts() -> Iterator[tuple[Resource, set[str]]]:
    """What the CustomResourceDefinitions of the suite say that their objects have."""
    for path in sorted((suite.fixtures() / "crds").glob("*.yaml")):
        for one in yaml_text.load_all(path):
            spec = one.get("spec", {})
            for version in spec.get("versions", ()):
                properties = version["schema"]["openAPIV3Schema"].get("properties", {})
                status = properties.get("status", {}).get("properties", {})
                has = {
                    "spec": "spec" in properties,
                    "phase": "phase" in status,
                    "condition": "conditions" in status,
                }
                resource = Resource(spec["group"], version["name"], spec["names"]["plural"])
                yield resource, {part for part, there in has.items() if there}
