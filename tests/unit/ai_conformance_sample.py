"""A product that the checker of CNCF AI Conformance accepts, and what ``export --check`` says about one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml
from click.testing import CliRunner

from batchproof.commands.export import command
from batchproof.report.ai_conformance.program import requirements

if TYPE_CHECKING:
    from pathlib import Path

UPSTREAM = ("TestSecureAcceleratorAccess", "TestGangScheduling", "TestAcceleratorClusterAutoscaling")
"""The tests that upstream's own run leaves in its files."""


def product(version: str = "1.37") -> dict[str, Any]:
    """PRODUCT.yaml, complete: every MUST has evidence, and no SHOULD is answered."""
    spec: dict[str, list[dict[str, Any]]] = {}
    for one in requirements(version):
        answered = {
            "status": "Implemented" if one.level == "MUST" else "",
            "evidence": [f"https://docs.acme.example/{one.id}"] if one.level == "MUST" else [],
        }
        spec.setdefault(one.section, []).append({"id": one.id, "level": one.level, **answered, "notes": ""})
    return {
        "metadata": {
            "kubernetesVersion": f"v{version}",
            "platformName": "Acme Platform",
            "platformVersion": "v4.2.0",
            "vendorName": "Acme",
            "websiteUrl": "https://acme.example",
            "documentation_url": "https://docs.acme.example",
            "productLogoUrl": "https://acme.example/platform.svg",
            "description": "A platform for batch workloads.",
            "contactEmailAddress": "conformance@acme.example",
            "k8sConformanceUrl": "https://github.com/cncf/k8s-conformance/tree/master/v1.37/acme",
        },
        "spec": spec,
    }


def entry(document: dict[str, Any], id_: str) -> dict[str, Any]:
    """The entry of a requirement."""
    found: dict[str, Any] = next(
        one for those in document["spec"].values() for one in those if one["id"] == id_
    )
    return found


def junit(**ended: str) -> str:
    """A JUnit report of these tests."""
    inner = {"passed": "", "failed": '<failure message="no"/>', "skipped": "<skipped/>", "error": "<error/>"}
    cases = (f'<testcase name="{name}">{inner[how]}</testcase>' for name, how in ended.items())
    return f'<testsuites><testsuite name="e2e">{"".join(cases)}</testsuite></testsuites>'


def upstream_files(folder: Path) -> None:
    """What upstream's own tests leave beside PRODUCT.yaml when all pass."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "junit.xml").write_text(junit(**dict.fromkeys(UPSTREAM, "passed")))
    (folder / "e2e.log").write_text("".join(f"--- PASS: {name} (1.00s)\n" for name in UPSTREAM))


def write(folder: Path, document: Any) -> Path:
    """The folder with this PRODUCT.yaml."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "PRODUCT.yaml"
    path.write_text(yaml.safe_dump(document))
    return path


def check(path: Path, *more: str) -> tuple[bool, str]:
    """Whether ``export ai-conformance --check`` accepts a product, and what it prints."""
    arguments = ["ai-conformance", "--check", str(path), *more]
    made = CliRunner().invoke(command, arguments, standalone_mode=False)
    if made.exception:
        raise made.exception
    return made.return_value == 0, made.output
