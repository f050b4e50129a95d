"""``junit.xml`` for CI: a test suite a feature, and the cases of ``cases``.

The form is the strict one that Jenkins' xUnit plugin validates against (its ``junit-10.xsd``), which other
CI systems read as well. It knows properties of suites only, so a case carries its requirement in ``group``
and at the head of its name.
"""

from __future__ import annotations

from math import fsum
from xml.etree import ElementTree as ET

from batchproof.ground.screen import printable
from batchproof.report.cases import ReportCase, cases
from batchproof.report.outcome import Outcome
from batchproof.report.results import Results


def junit_report(results: Results, outcome: Outcome) -> bytes:
    """The run as JUnit XML."""
    suites: dict[str, list[ET.Element]] = {}
    for case in cases(results, outcome):
        suites.setdefault(case.suite, []).append(_case(case))
    root = _element("testsuites", name=f"batchproof {results.header.profile}: {outcome.headline}")
    root.extend(_suite(name, suites[name], results, outcome) for name in suites)
    for total in ("tests", "failures", "errors"):
        root.set(total, str(sum(int(suite.get(total, "0")) for suite in root)))
    root.set("time", f"{results.footer.duration_s:.3f}")
    ET.indent(root)
    document: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def _suite(name: str, cases: list[ET.Element], results: Results, outcome: Outcome) -> ET.Element:
    header = results.header
    suite = _element("testsuite", name=name, timestamp=header.started)
    properties = ET.SubElement(suite, "properties")
    implementation = header.implementation
    for key, value in (
        ("implementation", f"{implementation.name} {implementation.version}"),
        ("organisation", implementation.organisation),
        ("profile", header.profile),
        ("verdict", outcome.headline),
        ("mark", outcome.mark),
        ("conformity", outcome.conformity),
        ("causes", " ".join(one.id for one in outcome.causes)),
        (
            "failed only after a cause",
            " ".join(one.id for one in outcome.followers if one.id not in outcome.supposed),
        ),
        (
            "may follow from a cause",
            " ".join(one.id for one in outcome.followers if one.id in outcome.supposed),
        ),
        ("deviations", " ".join(one.id for one in outcome.deviating)),
        ("known", " ".join(one.id for one in outcome.known)),
        ("not judged", "; ".join(f"{one.capability}: {one.text}" for one in outcome.not_judged)),
        ("retried", str(len(outcome.retried))),
        ("batchproof", header.batchproof),
        ("suite.digest", header.suite.digest),
        ("cluster.provider", header.cluster.provider),
        ("cluster.kubernetes", header.cluster.kubernetes),
        ("requirements", " ".join(dict.fromkeys(case.get("group", "") for case in cases))),
    ):
        properties.append(_element("property", name=key, value=value))
    suite.extend(cases)
    suite.set("tests", str(len(cases)))
    for total, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(total, str(sum(case.find(tag) is not None for case in cases)))
    suite.set("time", f"{fsum(float(case.get('time', '0')) for case in cases):.3f}")
    return suite


def _case(case: ReportCase) -> ET.Element:
    """One test case; CI systems fold test cases by the dots of their class names."""
    element = _element(
        "testcase",
        name=case.name,
        classname=case.suite.removesuffix(".feature").replace("/", "."),
        group=case.requirement,
        time=f"{case.scenario.duration_s if case.scenario else 0:.3f}",
    )
    ending = case.ending
    if ending.status != "passed":
        element.append(_element(ending.status, type=ending.kind, message=ending.message))
        element[-1].text = printable(ending.text)
    if case.evidence:
        ET.SubElement(element, "system-out").text = printable("\n".join(case.evidence))
    return element


def _element(tag: str, **attributes: str) -> ET.Element:
    return ET.Element(tag, {name: printable(value) for name, value in attributes.items()})
