"""What users reported, and what finds it: docs/reference/reported.md of the site."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from batchproof.descriptor import implementation
from batchproof.ground import suite, yaml_text
from batchproof.report.markdown import plain, table
from batchproof.specification.gherkin import parse_features
from batchproof.specification.mutants import load_mutants
from batchproof.specification.registry import Registry, load_registry
from batchproof.specification.reported import ReportedInput, failing, load_reported

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_ROOT = Path(__file__).parents[1]
_PATH = _ROOT / "docs" / "reference" / "reported.md"
_HISTORIC = _ROOT / "tests" / "historic"
_HEAD = """\
# Reported inputs

<!-- Made by `python scripts/site_pages.py`. -->

What users reported of real controllers and schedulers, and what finds it here: the requirements, the
scenarios that have the same input, the mutants that scenarios of these requirements kill, and the versions
that fail one of the scenarios.

The reports are in [features/reported.yaml](../../features/reported.yaml). All else follows from the ids of
the scenarios: from the registry, the mutants, the [deviations](../how-to/deviations.md) of the bundled
descriptors, and [historic bugs](../historic-bugs.md). A version that is not named passes the scenarios, does
not declare their capability, or has not been run; [the requirements](../requirements/README.md) say which.
Where no report is named, the input is known from the source of an implementation."""
_COLUMNS = ("report", "what happened", "requirements", "scenarios", "mutants", "fails in")


def pages() -> dict[Path, str]:
    """The text of the page."""
    reported = load_reported(suite.features())
    made = _Page()
    blocks = [_HEAD, _counts(reported)]
    for profile in dict.fromkeys(one.profile for one in reported):
        rows = [one for one in reported if one.profile == profile and one.scenarios]
        blocks += [f"## {profile}", table(_COLUMNS, map(made.row, rows), str)]
    blocks += _sentences("## Open", [(one, one.open) for one in reported if one.open])
    blocks += _sentences("## Left out", [(one, one.left_out) for one in reported if one.left_out])
    return {_PATH: "\n\n".join(blocks) + "\n"}


def _counts(reported: Sequence[ReportedInput]) -> str:
    """How many have scenarios, by profile."""
    rows = [
        (
            profile,
            str(len(its)),
            str(sum(bool(one.scenarios) for one in its)),
            str(sum(bool(one.open) for one in its)),
            str(sum(bool(one.left_out) for one in its)),
        )
        for profile in dict.fromkeys(one.profile for one in reported)
        if (its := [one for one in reported if one.profile == profile])
    ]
    return table(("profile", "reported", "with scenarios", "open, or open in part", "left out"), rows)


class _Page:
    """What rows are made of, read once."""

    def __init__(self) -> None:
        self.registry = load_registry()
        self.places = {
            id_: f"../../features/{one.feature}#L{one.line}"
            for one in parse_features()
            for id_ in (one.id, *(case.id for case in one.cases))
        }
        self.mutants: dict[str, list[str]] = defaultdict(list)
        for mutant in load_mutants():
            self.mutants[mutant.requirement].append(mutant.name)
        self.deviations = _deviations()

    def row(self, one: ReportedInput) -> tuple[str, ...]:
        """One reported input in the table."""
        failed = failing(one.scenarios, self.deviations)
        return (
            _links(one),
            plain(one.what),
            ", ".join(_of_requirement(id_, self.registry) for id_ in one.requirements),
            ", ".join(f"[{id_}]({self.places[id_]})" for id_ in one.scenarios),
            ", ".join(map(self._mutants, one.requirements)),
            "; ".join(f"{name} ({', '.join(ids)})" for name, ids in failed.items()),
        )

    def _mutants(self, requirement: str) -> str:
        """The mutants of a requirement; the requirement itself says why it has none."""
        names = self.mutants[requirement]
        return ", ".join(f"`{name}`" for name in names) or f"none of {requirement}, which says why"


def _deviations() -> Mapping[str, Sequence[str]]:
    """What each bundled implementation is known to fail: by its descriptor, and by historic bugs."""
    found: dict[str, dict[str, None]] = {}
    for path in implementation.bundled().values():
        one = implementation.load(path)
        found[_name(path)] = dict.fromkeys(deviation.scenario for deviation in one.deviations)
    for bug in yaml_text.values((_HISTORIC / "bugs.yaml").read_text("utf-8"))[0]:
        for name in bug["found_in"]:
            path = _HISTORIC / name if name.endswith(".yaml") else implementation.find(name)
            found.setdefault(_name(path), {})[bug["scenario"]] = None
    return {name: sorted(ids) for name, ids in found.items()}


def _name(path: Path) -> str:
    """The name of a descriptor and the version of its implementation."""
    version = implementation.load(path).version
    return f"`{path.stem}`" if path.stem.endswith(version) else f"`{path.stem}` {version}"


def _links(one: ReportedInput) -> str:
    return "<br>".join(map(_link, one.reports)) or "not named"


def _link(report: str) -> str:
    if report.startswith("https://"):
        return f"[{report.rpartition('/')[2]}]({report})"
    repository, _, number = report.partition("#")
    return f"[{report}](https://github.com/{repository}/issues/{number})"


def _of_requirement(id_: str, registry: Registry) -> str:
    one = registry[id_]
    return f"[{id_}](../../features/requirements/{one.path.name}#{id_}) ({one.level})"


def _sentences(title: str, rows: Sequence[tuple[ReportedInput, str]]) -> list[str]:
    """A list of what has no scenario, with a title; nothing if there is none."""
    if not rows:
        return []
    lines = [
        f"- {one.profile}, {_links(one).replace('<br>', ', ')}: {plain(one.what)} {plain(sentence)}"
        for one, sentence in rows
    ]
    return [title, "\n".join(lines)]
