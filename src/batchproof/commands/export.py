"""``batchproof export``: a run in the format of a third party."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import click

from batchproof.evidence.check import check
from batchproof.ground import files, yaml_text
from batchproof.ground.errors import UserError
from batchproof.ground.screen import note, say
from batchproof.report.ai_conformance.artifacts import Unreadable
from batchproof.report.ai_conformance.check import check_product
from batchproof.report.ai_conformance.export import check_bundle, submission
from batchproof.report.ai_conformance.product import WrongProduct, parse_product, parse_schema
from batchproof.report.ai_conformance.program import FOLDER, VERSIONS, ProgramRequirement, requirements
from batchproof.report.ai_conformance.shown import ShownRun, show
from batchproof.report.results import read_results
from batchproof.report.wording import count, joined
from batchproof.specification.gherkin import parse_features
from batchproof.specification.suites import small_suites

if TYPE_CHECKING:
    from collections.abc import Sequence

PRODUCT = "PRODUCT.yaml"
_SUITE = "ai-conformance"
"""The suite of gang schedulers, and how the names of all suites for CNCF AI Conformance begin."""
_VERSION = re.compile(r"v(\d+\.\d+)")
_MOST_BYTES = 256 * 1024 * 1024
"""Of a file of tests: that of a run of upstream's tests has some hundred KiB."""


@click.group("export", short_help="Write a run in the form that another program expects.")
def command() -> None:
    """Export a run in the format of a third party."""


@command.command("ai-conformance")
@click.argument("results", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("ai-conformance"),
    show_default=True,
    help="Folder of the files.",
)
@click.option(
    "--bundle",
    "bundles",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File with the certificate of the run; one for each of RESULTS, in their order.",
)
@click.option(
    "--check",
    "product",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Apply the rules of the program's checker to this PRODUCT.yaml instead, without the network.",
)
@click.option(
    "--schema",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="docs/AIConformance-X.Y.yaml of cncf/k8s-ai-conformance: the requirements to check against.",
)
def ai_conformance(
    results: tuple[Path, ...],
    output: Path,
    bundles: tuple[Path, ...],
    product: Path | None,
    schema: Path | None,
) -> int:
    """Write what a submission to CNCF AI Conformance carries, or check one.

    Each of RESULTS is the folder of a run with `--suite ai-conformance` (gang scheduling) or
    `--suite ai-conformance-operator` (a complex operator). With --check the exit code is 1 if the product
    would be refused.
    """
    if product and (results or bundles):
        raise click.UsageError("--check reads a submission, and writes none: leave out RESULTS and --bundle")
    if schema and not product:
        raise click.UsageError("--schema is for --check")
    if product:
        return _check(product, schema)
    if not results:
        raise click.UsageError("name the folder of a run, or a PRODUCT.yaml with --check")
    if bundles and len(bundles) != len(results):
        raise click.UsageError("give one --bundle for each of RESULTS, in their order, or none")
    return _export(results, output, bundles)


def _export(results: tuple[Path, ...], output: Path, bundles: tuple[Path, ...]) -> int:
    _names(bundles)
    for path in results:
        _see_evidence(path)
    entries = written(results, output, bundles)
    note(f"{joined([f'{FOLDER}/', *entries])} are in {output}")
    note(f"Copy {FOLDER}/ beside your {PRODUCT}, and what is in {joined(entries)} into its entries.")
    note(f"Then: batchproof export ai-conformance --check vX.Y/YOUR-PRODUCT/{PRODUCT}")
    return 0


def _see_evidence(path: Path) -> None:
    """See that results are those of a run of this suite: who submits them stands by them.

    Raises:
        UserError: they are not, or a history cannot be read.
    """
    checked = check(read_results(path), path if path.is_dir() else path.parent, workers=os.cpu_count() or 1)
    if checked.other_suite:
        raise UserError(f"{path} is not exported, for it cannot be checked here: {checked.other_suite}")
    if checked.wrong:
        more = f", and {len(checked.wrong) - 1} more" if len(checked.wrong) > 1 else ""
        raise UserError(
            f"{path} is not exported, for it is not what the suite has recorded: {checked.wrong[0]}{more}. "
            f"`batchproof replay {path}` lists all; judge the implementation again, and leave the results as "
            "they are"
        )


def written(results: Sequence[Path], output: Path, bundles: Sequence[Path] = ()) -> list[str]:
    """Write a submission; returns the names of the files with its entries.

    Args:
        results: the runs.
        output: the folder.
        bundles: the certificate of each run, or none.

    Raises:
        UserError: a run cannot be submitted, or a bundle has a name that cannot be cited.
    """
    names = _names(bundles) or [""] * len(results)
    runs = [_show(path, name) for path, name in zip(results, names, strict=True)]
    for name, content in submission(runs).items():
        files.write(output, name, content)
    for bundle in bundles:
        files.copy(bundle, output, f"{FOLDER}/{bundle.name}")
    return [run.entry.file for run in runs]


def _names(bundles: Sequence[Path]) -> list[str]:
    """The names by which certificates are cited."""
    names = [check_bundle(bundle.name) for bundle in bundles]
    if len(set(names)) < len(bundles):
        raise UserError("two files of --bundle have the same name: rename one")
    return names


def _show(path: Path, bundle: str) -> ShownRun:
    found = read_results(path)
    ours = [one for name, one in small_suites().items() if name.startswith(_SUITE)]
    suite = next((one for one in ours if one.profile == found.header.profile), small_suites()[_SUITE])
    asked = {case.id for one in parse_features(suite.feature) for case in one.cases}
    return show(found, asked, bundle)


def _check(path: Path, schema: Path | None) -> int:
    if path.name != PRODUCT:
        raise UserError(f"--check: {path.name} is not checked: the file must be called {PRODUCT}")
    name, version = _place(path)
    asked = _requirements(version, schema)
    try:
        product = parse_product(_document(path))
    except WrongProduct as error:
        say(f"{name / PRODUCT} is refused:\n  error    Error loading product: {error}")
        return 1
    found = check_product(product, asked, version, name, _Folder(path.parent))
    verdict = [f"is refused: {count(len(found.errors), 'error')}" if found.errors else "is accepted"]
    verdict += [count(len(found.warnings), "warning")] if found.warnings else []
    say(f"{name / PRODUCT} {', '.join(verdict)}")
    for what, those in (("error", found.errors), ("warning", found.warnings)):
        for one in those:
            say(f"  {what:<7}  {one}")
    say(f"Not checked, for want of the network: {found.unchecked}.")
    return 1 if found.errors else 0


def _place(path: Path) -> tuple[PurePosixPath, str]:
    """The folder of a product as the repository has it, and its version: ``v1.37/acme``, ``1.37``."""
    parts = path.resolve().parent.parts
    for at in range(len(parts) - 2, -1, -1):
        if found := _VERSION.fullmatch(parts[at]):
            return PurePosixPath(*parts[at:]), found[1]
    raise UserError(
        f"Could not determine version from path {path}: it has to lie in the folder of a version and of a "
        f"product, as in v{VERSIONS[-1]}/acme/{PRODUCT}"
    )


def _requirements(version: str, schema: Path | None) -> tuple[ProgramRequirement, ...]:
    if schema:
        try:
            return parse_schema(_document(schema), version)
        except WrongProduct as error:
            where = f"give docs/AIConformance-{version}.yaml of cncf/k8s-ai-conformance as it is"
            raise UserError(f"{schema}: not the requirements of {version}: {error}; {where}") from error
    if known := requirements(version):
        return known
    raise UserError(
        f"the requirements of {version} are not known here, only those of {', '.join(VERSIONS)}: give "
        f"docs/AIConformance-{version}.yaml of cncf/k8s-ai-conformance by --schema"
    )


def _document(path: Path) -> Any:
    return next(iter(yaml_text.load_all(path)), None)


class _Folder:
    """The folder of a product. What a link leads to outside of it is not there."""

    def __init__(self, path: Path) -> None:
        self._path = path.resolve()

    def has(self, path: PurePosixPath) -> bool:
        try:
            return (self._path / path).resolve(strict=True).is_relative_to(self._path)
        except (OSError, RuntimeError):  # there is none, or the links go in a circle
            return False

    def read(self, path: PurePosixPath) -> bytes:
        try:
            return files.read(self._path / path, _MOST_BYTES)
        except UserError as error:
            raise Unreadable(str(error)) from error
