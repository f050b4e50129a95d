"""The rules of the checker of CNCF AI Conformance, applied to a product's folder without the network.

They are those of cncf/k8s-ai-conformance, ``scripts/validate.go`` (``validateProduct``,
``checkRequirementStatus``, ``checkArtifactEvidence``) since its pull request 141, and its reasons, so that a
reason is found again in the log of a pull request. What needs the network is left out: whether addresses can
be reached, and whether the vendor is a member. What ``instructions.md`` asks for and the checker leaves to
reviewers is a warning: the form of the logo, and that levels and descriptions stay as they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from batchproof.report.ai_conformance import program
from batchproof.report.ai_conformance.artifacts import Artifact, Unreadable, reader
from batchproof.report.ai_conformance.links import Link, WrongLink, is_web, local, wrong_address
from batchproof.report.ai_conformance.product import Product, ProductAnswer
from batchproof.report.ai_conformance.program import (
    IMPLEMENTED,
    MUST,
    NOT_APPLICABLE,
    SHOULD,
    ProgramRequirement,
)
from batchproof.report.wording import count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import PurePosixPath

REQUIRED = (
    "kubernetesVersion",
    "platformName",
    "platformVersion",
    "vendorName",
    "websiteUrl",
    "documentationUrl",
    "productLogoUrl",
    "description",
    "contactEmailAddress",
    "k8sConformanceUrl",
)
"""The fields of the metadata that a product must have, each in this form or with underscores."""
_OPTIONAL = ("repoUrl",)
_CONFORMANCE = re.compile(
    r"https://github\.com/cncf/k8s-conformance/tree/(master|main)/v[0-9]+\.[0-9]+/[^/]+/?"
)
_CONFORMANCE_FORM = "https://github.com/cncf/k8s-conformance/tree/master/v{version}/{product}"
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ].*)?")
_ON_NODES = frozenset(one.id for one in program.ENTRIES.values() if one.on_nodes)
_LOGOS = (".svg", ".eps", ".ai")


class Folder(Protocol):
    """The folder of a product."""

    def has(self, path: PurePosixPath) -> bool:
        """Whether there is something at this path below it."""

    def read(self, path: PurePosixPath) -> bytes:
        """What a file of it holds.

        Raises:
            Unreadable: it is no plain file, or too large.
        """


@dataclass(slots=True)
class Findings:
    """What the rules say about a product.

    Attributes:
        errors: why it is refused.
        warnings: what a reviewer will look at; they refuse nothing.
        addresses: what the checker would ask the network for.
        vendor: the name that the checker would look for among the members of the CNCF.
    """

    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    vendor: str = ""

    @property
    def unchecked(self) -> str:
        """What could not be looked at without the network, in words."""
        reached = f"whether {count(len(self.addresses), 'address', 'addresses')} can be reached"
        member = f", and whether {self.vendor!r} is the name of a member of the CNCF" if self.vendor else ""
        return reached + member


def check_product(
    product: Product,
    requirements: Sequence[ProgramRequirement],
    version: str,
    name: PurePosixPath,
    folder: Folder,
) -> Findings:
    """Apply the rules to a product.

    Args:
        product: its PRODUCT.yaml.
        requirements: those of the version.
        version: of Kubernetes: ``1.37``.
        name: the folder's path in the repository: ``v1.37/acme``.
        folder: what lies beside PRODUCT.yaml.
    """
    found = Findings()
    if product.metadata is None:
        found.errors.append("Missing 'metadata' section")
    else:
        _metadata(product.metadata, found)
    if product.spec is None:
        found.errors.append("Missing 'spec' section")
        return found
    evidence = _Evidence(name, folder, found)
    for section in dict.fromkeys(one.section for one in requirements):
        if section not in product.spec:
            found.errors.append(f"Missing spec category: {section}")
            continue
        answers = {one.id: one for one in product.spec[section]}
        for asked in (one for one in requirements if one.section == section):
            answer = answers.get(asked.id)
            if answer is None:
                found.errors.append(f"Missing requirement '{asked.id}' in category '{section}'")
            elif asked.level != SHOULD or answer.status or answer.evidence:
                _answered(asked, answer, version, evidence, found)
    return found


def _metadata(metadata: Mapping[str, Any], found: Findings) -> None:
    for name in (*REQUIRED, *_OPTIONAL):
        value = metadata.get(name if name in metadata else _snake(name))
        if value is None:
            if name in REQUIRED:
                found.errors.append(f"Missing metadata field: {name} (or {_snake(name)})")
        elif not isinstance(value, str):
            found.errors.append(f"Metadata field {name} is not a string")
        elif not value:
            if name in REQUIRED:
                found.errors.append(f"Metadata field {name} is empty")
        else:
            found.errors.extend(_wrong_field(name, value, found))
    vendor = metadata.get("vendorName" if "vendorName" in metadata else "vendor_name")
    found.vendor = vendor.strip() if isinstance(vendor, str) else ""


def _wrong_field(name: str, value: str, found: Findings) -> Iterator[str]:
    """What is wrong with a field that has a text."""
    if _DATE.fullmatch(value):  # our reader of YAML knows no dates, so that it cannot see this
        found.warnings.append(
            f"Metadata field {name} is a date to the checker, and refused, unless in quotes"
        )
    if value.startswith("[") and value.endswith("]"):
        yield f"Metadata field {name} has placeholder value: {value}"
    elif name == "k8sConformanceUrl":
        if _CONFORMANCE.fullmatch(value):
            found.addresses.append(value)
        else:
            yield f"Invalid k8sConformanceUrl format: {value}. Expected format: {_CONFORMANCE_FORM}"
    elif value.startswith("http"):
        found.addresses.append(value)
        if wrong := wrong_address(value):
            yield f"Invalid URL in metadata {name}: {value} ({wrong})"
    if name == "productLogoUrl" and not value.partition("?")[0].lower().endswith(_LOGOS):
        found.warnings.append(
            f"productLogoUrl names no file in SVG, EPS or AI format: {value} (instructions.md)"
        )


def _answered(
    asked: ProgramRequirement, answer: ProductAnswer, version: str, evidence: _Evidence, found: Findings
) -> None:
    """One answer: its status, its text, and all its evidence."""
    found.errors.extend(_wrong_status(asked, answer))
    found.warnings.extend(_warnings(asked, answer))
    tested = False
    for link in filter(None, answer.evidence):
        tested = evidence.see(link, answer) or tested
    if answer.evidence and asked.id in _ON_NODES and all(map(_is_ours, answer.evidence)):
        found.warnings.append(
            f"All evidence of '{asked.id}' is from batchproof, which judges on simulated nodes: cite a "
            f"run on your platform too, such as junit.xml#{program.COVERED[asked.id]}"
        )
    test = program.COVERED.get(asked.id)
    if test and not tested and answer.status == IMPLEMENTED and program.with_tests(version):
        found.warnings.append(
            f"Requirement '{asked.id}' is covered by automated test '{test}'; including test artifacts "
            f"(e2e.log, junit.xml, or results.json) as evidence is recommended for v{version}+ submissions"
        )


def _is_ours(link: str) -> bool:
    return not is_web(link) and f"{program.FOLDER}/" in link


def _wrong_status(asked: ProgramRequirement, answer: ProductAnswer) -> Iterator[str]:
    status = answer.status
    if status not in program.STATUSES:
        yield f"Invalid status '{status}' for '{asked.id}'. Must be one of {', '.join(program.STATUSES)}"
    if asked.level == MUST and status != IMPLEMENTED:
        otherwise = ", or 'N/A' with a justification in notes" if asked.id in program.CONDITIONAL else ""
        if not (otherwise and status == NOT_APPLICABLE):
            yield (
                f"Requirement '{asked.id}' is MUST level but status is '{status}'. "
                f"It must be 'Implemented'{otherwise}."
            )
    if status == NOT_APPLICABLE and not answer.notes.strip():
        yield f"Notes required for '{asked.id}' when status is N/A"


def _warnings(asked: ProgramRequirement, answer: ProductAnswer) -> Iterator[str]:
    if asked.level == MUST and answer.status == NOT_APPLICABLE and asked.id in program.CONDITIONAL:
        yield f"Requirement '{asked.id}' is MUST level and marked N/A; review the justification in notes"
    if answer.level != asked.level:
        yield f"The level of '{asked.id}' is '{answer.level}' instead of '{asked.level}' (instructions.md)"
    if asked.description and answer.description != asked.description:
        yield f"The description of '{asked.id}' was changed (instructions.md)"


class _Evidence:
    """The evidence of a product; each file of tests is read once, and what is wrong with it said once."""

    def __init__(self, name: PurePosixPath, folder: Folder, found: Findings) -> None:
        self._name = name
        self._folder = folder
        self._found = found
        self._read: dict[PurePosixPath, Artifact | None] = {}

    def see(self, link: str, answer: ProductAnswer) -> bool:
        """Look at one piece of evidence; true if it is a file of tests."""
        if is_web(link):
            self._found.addresses.append(link)
            if wrong := wrong_address(link):
                self._refuse(f"Invalid evidence URL for '{answer.id}': {link} ({wrong})")
            return False
        try:
            file = local(self._name, link)
        except WrongLink as error:
            self._refuse(f"Invalid evidence file for '{answer.id}': {link} ({error})")
            return False
        if not self._folder.has(file.path):
            where = self._name / file.path
            self._refuse(f"Invalid evidence file for '{answer.id}': {link} (not found at {where})")
            return False
        read = reader(file.path)
        if read is None:
            return False
        self._tested(file, link.partition("#")[0], read, answer)
        return True

    def _tested(
        self, file: Link, name: str, read: Callable[[bytes], Artifact], answer: ProductAnswer
    ) -> None:
        if file.path not in self._read:
            self._read[file.path] = self._tests(file, name, read, answer)
        tests = self._read[file.path]
        test = file.test or program.COVERED.get(answer.id)
        if tests is None or not test:
            return
        match tests.of(test):
            case None:
                self._refuse(f"Test '{test}' referenced by '{answer.id}' was not found in {name}")
            case "failed":
                self._refuse(f"Test '{test}' referenced by '{answer.id}' failed in {name}")
            case "skipped" if answer.status == IMPLEMENTED:
                self._refuse(
                    f"Requirement '{answer.id}' is Implemented but test '{test}' was skipped in {name}"
                )
            case _:
                pass

    def _tests(
        self, file: Link, name: str, read: Callable[[bytes], Artifact], answer: ProductAnswer
    ) -> Artifact | None:
        """The tests of a file; None if it cannot be read. One failed test refuses the whole file."""
        try:
            tests = read(self._folder.read(file.path))
        except Unreadable as error:
            self._refuse(f"Invalid test artifact for '{answer.id}': {name} ({error})")
            return None
        if tests.failures:
            names = ", ".join(sorted(tests.failures))
            self._refuse(f"Test artifact {name} contains failing tests: {names}")
        return tests

    def _refuse(self, why: str) -> None:
        self._found.errors.append(why)


def _snake(name: str) -> str:
    """How a field may be written as well: ``k8sConformanceUrl`` as ``k8s_conformance_url``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
