"""``batchproof lint``: is the suite, or a descriptor, in itself right?"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from batchproof.descriptor import implementation as descriptors
from batchproof.evidence.claims import manifest
from batchproof.evidence.waived import unclaimed
from batchproof.evidence.worded import stale
from batchproof.ground import suite
from batchproof.ground.screen import note, say, say_json
from batchproof.options import implementation_option, json_option, the_one
from batchproof.profiles.registered import registered
from batchproof.report import wording
from batchproof.specification import lint
from batchproof.specification.descriptors import of_descriptor_alone
from batchproof.specification.findings import LintFinding
from batchproof.specification.gherkin import parse_features, read_features
from batchproof.specification.kinds_lint import of_kinds
from batchproof.specification.registry import load_registry, read_registry
from batchproof.specification.vocabulary import load_steps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PARTS = ("features", "steps", "suites", "tests")
"""The folders of a suite; elsewhere in a checkout a YAML file is a descriptor."""


@click.command("lint", short_help="Check a descriptor, or the suite, without running anything.")
@click.argument("path", required=False, type=click.Path(exists=True, path_type=Path))
@implementation_option("The descriptor to check, instead of PATH.")
@json_option("Print the findings as JSON.")
def command(path: Path | None, implementation: str | None, *, as_json: bool) -> None:
    """Check features, tags, requirements, mutants, descriptors and the words of all texts.

    PATH is a folder with the layout of the repository, a file in it, or one descriptor; without it the suite
    that batchproof itself uses is checked. Exits with 1 if there is an error; warnings alone are no error.
    """
    findings = _findings(the_one(path, descriptors.find(implementation) if implementation else None))
    if as_json:
        say_json(msgspec.to_builtins(findings, enc_hook=str))
    else:
        _print(findings)
    if any(one.severity == "error" for one in findings):
        sys.exit(1)


def _findings(path: Path | None) -> list[LintFinding]:
    today = datetime.now(UTC).date()
    if path is None:
        places = lint.bundled()
        waived = (one for file in sorted(places.implementations.glob("*.yaml")) for one in _of_waived(file))
        return sorted([*lint.lint(places, today), *_of_claims(places), *_of_kinds(places), *waived])
    if root := _suite_of(path):
        whole = _findings(None if root == suite.checkout() else root)
        return [one for one in whole if one.path.resolve() == path.resolve()]
    if path.is_file():
        alone = of_descriptor_alone(path, load_registry(), list(parse_features()), today)
        return sorted([*alone, *_of_waived(path)])
    return lint.lint(lint.checkout(path), today)


def _suite_of(path: Path) -> Path | None:
    """The root of the suite that a file belongs to; None for a folder, and for a file of no suite."""
    own = path.resolve()
    for root in own.parents if own.is_file() else ():
        if (root / "features").is_dir() and (
            own.suffix != ".yaml" or own.relative_to(root).parts[0] in _PARTS
        ):
            return root
    return None


def _of_claims(places: lint.Places) -> Iterator[LintFinding]:
    """Where the claims manifest is not what the scenarios say; what cannot be read is blamed elsewhere."""
    features = [one for folder in (places.features, places.suites) for one in read_features(folder)[0]]
    scenarios = [scenario for feature in features for scenario in feature.scenarios]
    for scenario, wrong in stale(scenarios, load_steps(places.steps), manifest()):
        message = f"{wrong}: run it, and write the manifest with `python scripts/claims.py RESULTS...`"
        yield LintFinding(scenario.path, scenario.line, "claims-stale", message)


def _of_kinds(places: lint.Places) -> Iterator[LintFinding]:
    """Where the table of kinds is not complete, or names what there is not."""
    scenarios = [one for feature in read_features(places.features)[0] for one in feature.scenarios]
    registry, _ = read_registry(places.features / "requirements")
    return of_kinds(places.features, registered(), scenarios, registry)


def _of_waived(descriptor: Path) -> Iterator[LintFinding]:
    """The deviations of a descriptor whose scenarios do not claim what they waive."""
    document = descriptors.document_of(descriptor)
    for line, deviation in descriptors.stated_deviations(document):
        if wrong := unclaimed(deviation, manifest()):
            yield LintFinding(
                descriptor, line, "waives-nothing", f"deviations: {deviation.requirement}: {wrong}"
            )


def _print(findings: Sequence[LintFinding]) -> None:
    for finding in findings:
        say(_relative(finding))
    errors = sum(finding.severity == "error" for finding in findings)
    warnings = len(findings) - errors
    if findings:
        note(f"{wording.count(errors, 'error')}, {wording.count(warnings, 'warning')}", err=True)
    else:
        note("no problems found", err=True)


def _relative(finding: LintFinding) -> str:
    """The finding with its path from the working directory, if it lies below."""
    return str(finding).removeprefix(f"{Path.cwd()}/")
