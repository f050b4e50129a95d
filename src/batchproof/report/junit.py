"""``junit.xml`` for CI: a test suite a feature, a test case a scenario.

The form is the strict one that Jenkins' xUnit plugin validates against (its ``junit-10.xsd``), which other
CI systems read as well. It knows properties of suites only, so a case carries its requirement in ``group``
and at the head of its name. Whatever makes the exit code of the run 1 is red here; a failed SHOULD is red
too, though the exit code does not mind it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from batchproof.report.wording import duration, errored_because, printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from batchproof.report.outcome import Outcome, RequirementOutcome
    from batchproof.report.records import Planned, Scenario
    from batchproof.report.results import Results

_NO_SCENARIO = "requirements without a scenario"


def junit_report(results: Results, outcome: Outcome) -> bytes:
    """The run as JUnit XML."""
    recorded = {one.id: one for one in results.scenarios}
    needless = set(outcome.needless_waivers)
    cases: dict[str, list[ET.Element]] = {}
    for planned in results.header.planned:
        scenario = recorded.get(planned.id)
        case = (
            _unrun_case(planned, outcome) if scenario is None else _case(scenario, needless_waivers=needless)
        )
        cases.setdefault(planned.feature, []).append(case)
    if bare := [one for one in outcome.of("missing") if not one.unrun]:
        cases[_NO_SCENARIO] = [_bare_case(one) for one in bare]
    root = _element("testsuites", name=f"batchproof {results.header.profile}")
    root.extend(_suite(name, cases[name], results) for name in cases)
    for total in ("tests", "failures", "errors"):
        root.set(total, str(sum(int(suite.get(total, "0")) for suite in root)))
    root.set("time", f"{results.footer.duration_s:.3f}")
    ET.indent(root)
    document: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def _suite(name: str, cases: list[ET.Element], results: Results) -> ET.Element:
    header = results.header
    suite = _element("testsuite", name=name, timestamp=header.started)
    properties = ET.SubElement(suite, "properties")
    implementation = header.implementation
    for key, value in (
        ("implementation", f"{implementation.name} {implementation.version}"),
        ("organisation", implementation.organisation),
        ("profile", header.profile),
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
    suite.set("time", f"{sum(float(case.get('time', '0')) for case in cases):.3f}")
    return suite


def _case(scenario: Scenario, *, needless_waivers: set[str]) -> ET.Element:
    case = _element(
        "testcase",
        name=f"{scenario.requirement} {scenario.title}",
        classname=_class_name(scenario.feature),
        group=scenario.requirement,
        time=f"{scenario.duration_s:.3f}",
    )
    unmet = scenario.unmet.text() if scenario.unmet else ""
    match scenario.verdict:
        case "failed":
            case.append(_outcome("failure", f"{scenario.level} not met", unmet.split("\n", 1)[0], unmet))
        case "errored":
            error = scenario.error or scenario.reason
            shortly = errored_because(scenario.reason, error)[0]
            case.append(_outcome("error", "errored", shortly, error))
        case "inconclusive":
            case.append(_outcome("error", "inconclusive", scenario.reason, unmet))
        case "skipped":
            case.append(_outcome("skipped", scenario.reason, _skip_message(scenario), unmet))
        case "passed" if scenario.waived and scenario.waived.requirement in needless_waivers:
            text = f"{scenario.waived.requirement} passes though it is waived: remove the waiver"
            case.append(_outcome("failure", "needless waiver", text, scenario.waived.reason))
    case.append(_text("system-out", "\n".join(_evidence(scenario))))
    return case


def _unrun_case(planned: Planned, outcome: Outcome) -> ET.Element:
    """A planned scenario that the run did not come to."""
    case = _element(
        "testcase",
        name=f"{planned.requirement} {planned.title}",
        classname=_class_name(planned.feature),
        group=planned.requirement,
        time="0.000",
    )
    case.append(_outcome("error", "missing", f"did not run: {outcome.reason or 'no reason given'}", ""))
    return case


def _bare_case(one: RequirementOutcome) -> ET.Element:
    """A required requirement that not even a scenario was planned for."""
    case = _element(
        "testcase",
        name=f"{one.id} {one.requirement.sentence}".rstrip(),
        classname="requirements",
        group=one.id,
        time="0.000",
    )
    case.append(_outcome("error", "missing", one.reason, ""))
    return case


def _skip_message(scenario: Scenario) -> str:
    if scenario.waived is None:
        return scenario.reason
    waiver = scenario.waived
    return ", ".join(
        part
        for part in (
            f"{scenario.reason}: {waiver.reason}",
            waiver.issue,
            f"until {waiver.expires}" if waiver.expires else "",
        )
        if part
    )


def _evidence(scenario: Scenario) -> Iterable[str]:
    """The steps, claims and faults: what a passed case rests on as well."""
    for step in scenario.steps:
        yield f"{step.outcome:<8} {step.keyword} {step.text}  {duration(step.duration_s)}".rstrip()
    for claim in scenario.claims:
        took = f"{duration(claim.took_s)} of {duration(claim.limit_s)} ({claim.deadline})"
        yield (
            f"{claim.outcome:<9} {claim.text}  {took}"
            if claim.limit_s
            else f"{claim.outcome:<9} {claim.text}"
        )
    for fault in scenario.faults:
        yield f"fault     {fault.text}: fired {fault.fired} times"
    if scenario.history:
        yield f"history   {scenario.history}"


def _class_name(feature: str) -> str:
    """``job/finalizers.feature`` as ``job.finalizers``: CI systems fold test cases by their dots."""
    return feature.removesuffix(".feature").replace("/", ".")


def _outcome(tag: str, kind: str, message: str, text: str) -> ET.Element:
    element = _element(tag, type=kind, message=message)
    element.text = printable(text)
    return element


def _text(tag: str, text: str) -> ET.Element:
    element = ET.Element(tag)
    element.text = printable(text)
    return element


def _element(tag: str, **attributes: str) -> ET.Element:
    return ET.Element(tag, {name: printable(value) for name, value in attributes.items()})
