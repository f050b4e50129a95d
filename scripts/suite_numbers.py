"""The numbers of the suite in the output that pages show, which ``pages.py`` keeps up to date."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from soak_page import records

from batchproof.descriptor import implementation
from batchproof.evidence.claims import manifest
from batchproof.ground import suite
from batchproof.specification.capabilities import Capability, capabilities
from batchproof.specification.gherkin import REAL_KUBELET, Scenario, parse_features
from batchproof.specification.registry import Registry, Requirement, load_registry

_ROOT = Path(__file__).parents[1]
_DOCS = _ROOT / "docs"
_NOT_DECLARED = "ManagedBy"
"""The capability that the reference and kube-controller-manager lack: what needs it is skipped."""
_CONFORMANT = r"\d+ skipped; the run is complete: CONFORMANT, without"
_KNOWN = r" skipped; the run is complete: NOT CONFORMANT, \d+ known"


def pages() -> dict[Path, str]:
    """The text of each page with the numbers of today in it."""
    return {path: _with_numbers(path, patterns) for path, patterns in _patterns().items()}


def rest() -> dict[Path, str]:
    """The text of each page without the numbers that are kept up to date."""
    return {path: _with_numbers(path, dict.fromkeys(patterns, "#")) for path, patterns in _patterns().items()}


def _patterns() -> dict[Path, dict[str, str]]:
    """What to look for on each page, and what it has to say: the group ``n`` of a pattern is the number."""
    scenarios = [one for one in manifest() if _registry()[one.split(".")[0]].profile == "job"]
    all_ = {one.split(".")[0] for one in scenarios}
    declared = {one for one in all_ if _registry()[one].capability != _NOT_DECLARED}
    musts = sum(_registry()[one].level == "MUST" for one in declared)
    left_out = sum(_registry()[one.split(".")[0]].capability == _NOT_DECLARED for one in scenarios)
    contained = sum(len(one.cases) for one in _features() if REAL_KUBELET in one.tags)
    passed = len(scenarios) - left_out - contained
    whole = {
        rf"(?P<n>\d+) requirements: \d+ passed, {_CONFORMANT}": len(all_),
        rf"\d+ requirements: (?P<n>\d+) passed, {_CONFORMANT}": len(declared),
    }
    tutorial = {
        **whole,
        r"\n(?P<n>\d+) scenarios\n": len(scenarios),
        r" of (?P<n>\d+) done": len(scenarios),
        r"\n(?P<n>\d+) scenarios for reference ": len(_of_capability("TTLAfterFinished")),
        r"\ntotal (?P<n> *\d+) ": passed,
        r"\ntotal .*· (?P<n> *\d+) ": left_out + contained,
        **{rf"\n{it} (?P<n> *\d+) ": _of_feature(it) for it in ("adoption", "back-off", "crash")},
    }
    kubernetes = _known(len(all_), len(declared))
    left = r"(?P<n>\d+) MUST requirements not judged"
    return {
        path: {pattern: str(number) for pattern, number in found.items()}
        for path, found in (
            (_ROOT / "README.md", {**whole, **_red()}),
            (_DOCS / "explanation" / "why-believe-it.md", _red()),
            (_DOCS / "tutorial" / "get-started.md", tutorial),
            # The requirement of this guide is a new one.
            (_DOCS / "how-to" / "write-a-scenario.md", {left: musts}),
            (_DOCS / "how-to" / "develop.md", {left: musts - 2}),
            (_DOCS / "how-to" / "submit.md", {r"submitted (?P<n>\d+) scenarios": len(scenarios)}),
            (_DOCS / "how-to" / "certify.md", {r"(?P<n>\d+) histories judged again": passed}),
            (_DOCS / "how-to" / "certify-a-controller.md", _warnings("certify-a-controller.md")),
            (_DOCS / "how-to" / "managed-by.md", _warnings("managed-by.md")),
            (_DOCS / "how-to" / "replay.md", {r"(?P<n>\d+) scenarios judged again": passed, **kubernetes}),
            (_DOCS / "how-to" / "read-a-report.md", {**_without_policies(), **kubernetes}),
        )
    }


def _red() -> dict[str, int]:
    """How often a reference was red when it was played again and again."""
    of = records()
    red = sum(one["failed"] + one["undecided"] for one in of)
    return {
        r"red\s+in\s+(?P<n>\d+)\s+of\s+\d+\s+runs": red,
        r"red\s+in\s+\d+\s+of\s+(?P<n>\d+)\s+runs": sum(one["plays"] for one in of),
    }


def _known(requirements: int, declared: int) -> dict[str, int]:
    """What a run of kube-controller-manager counts, if it shows every deviation of its descriptor."""
    described = implementation.load(implementation.find("kube-controller-manager"))
    waived = {one.requirement for one in described.deviations}
    core = {one for one in waived if _is_core(_registry()[one])}
    return {
        rf"(?P<n>\d+) requirements: \d+ passed, \d+{_KNOWN}": requirements,
        rf"\d+ requirements: (?P<n>\d+) passed, \d+{_KNOWN}": declared - len(waived),
        rf"(?P<n>\d+){_KNOWN}": requirements - declared + len(waived),
        r"the run is complete: NOT CONFORMANT, (?P<n>\d+) known": len(core),
        r"the run is complete: NOT CONFORMANT, \d+ known: [^;]* and (?P<n>\d+)\s+more": len(core) - 3,
        r"more; (?P<n>\d+) other deviations": len(waived - core),
        r"more; \d+ other deviations: [^;]* and (?P<n>\d+) more": len(waived - core) - 3,
    }


def _is_core(requirement: Requirement) -> bool:
    return requirement.level == "MUST" and requirement.capability is None


def _warnings(page: str) -> dict[str, int]:
    """What ``lint`` says of the descriptor of a page."""
    text = (_DOCS / "how-to" / page).read_text("utf-8").partition("```yaml\n")[2].partition("```\n")[0]
    said = re.search(r"^capabilities: \[(.*)\]$", text, re.MULTILINE)
    there = {*said[1].split(", ")} if said else set[str]()
    there |= {_NOT_DECLARED} if "managed_by:" in text else set()
    lacks = [one for one in _capabilities().values() if one.name not in there]
    return {
        rf"{lacks[0].name} is not declared, so (?P<n>\d+) requirements": len(lacks[0].requirements),
        r"0 errors, (?P<n>\d+) warnings": len(lacks),
    }


def _without_policies() -> dict[str, int]:
    """What is not judged without the policies of failure and success."""
    needed = {one for it in ("PodFailurePolicy", "SuccessPolicy") for one in _capabilities()[it].requirements}
    return {r"without PodFailurePolicy and SuccessPolicy: (?P<n>\d+) requirements not judged": len(needed)}


def _of_feature(name: str) -> int:
    """How many scenarios of Jobs a feature file has."""
    return sum(len(one.cases) for one in _features() if one.path.stem == name)


def _of_capability(name: str) -> list[str]:
    """The scenarios of Jobs whose requirement belongs to a capability."""
    return [one for one in manifest() if _registry()[one.split(".")[0]].capability == name]


@cache
def _registry() -> Registry:
    return load_registry(suite.features() / "requirements")


@cache
def _features() -> list[Scenario]:
    return parse_features(suite.features() / "job")


@cache
def _capabilities() -> dict[str, Capability]:
    """The optional parts of Jobs, in the order in which ``lint`` names them."""
    found = capabilities("job", _registry().of_profile("job"), _features())
    return {one.name: one for one in sorted(found, key=lambda one: one.name)}


def _with_numbers(path: Path, patterns: dict[str, str]) -> str:
    """The text of a page with these numbers: one that stands in a column keeps its width."""
    text = path.read_text("utf-8")
    places: dict[tuple[int, int], str] = {}
    for pattern, number in patterns.items():
        found = re.search(pattern, text)
        if found is None:
            raise LookupError(f"{path} does not show {pattern!r} any more: say so here")
        width = len(found["n"]) if found["n"].startswith(" ") else 0
        places[found.span("n")] = number.rjust(width)
    for (start, end), number in sorted(places.items(), reverse=True):
        text = text[:start] + number + text[end:]
    return text
