"""The files of a submission: our own folder beside PRODUCT.yaml, and the entries that cite it.

The folder is ours, since upstream's own tests leave files of the same names beside PRODUCT.yaml, and so are
the names of the tests in it: evidence names ours behind a ``#``, or the checker looks for upstream's
(cncf/k8s-ai-conformance, ``scripts/validate.go``, ``checkArtifactEvidence``). Several runs share the folder.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from itertools import chain
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import orjson
import yaml

from batchproof.ground.errors import UserError
from batchproof.ground.screen import printable
from batchproof.report.ai_conformance.artifacts import EVENTS, JUNIT, LOG
from batchproof.report.ai_conformance.program import FOLDER, IMPLEMENTED
from batchproof.report.ai_conformance.readme import readme
from batchproof.report.ai_conformance.shown import ShownPart, ShownRun, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

README = "README.md"
_BUNDLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_OURS = {LOG, JUNIT, EVENTS, README.lower()}


def submission(runs: Sequence[ShownRun]) -> dict[str, bytes]:
    """The files of a submission by their paths.

    Args:
        runs: what is shown, each an entry of its own.

    Raises:
        UserError: two runs are evidence for the same entry.
    """
    ids = [one.entry.id for one in runs]
    if repeated := next((id_ for id_ in ids if ids.count(id_) > 1), None):
        raise UserError(f"two of these runs are evidence for {repeated}: name one of them only")
    return {
        f"{FOLDER}/{LOG}": "".join(f"{line}\n" for line in chain.from_iterable(map(_log, runs))).encode(),
        f"{FOLDER}/{JUNIT}": _junit(runs),
        f"{FOLDER}/{EVENTS}": b"".join(
            orjson.dumps(event) + b"\n" for event in chain.from_iterable(map(_events, runs))
        ),
        f"{FOLDER}/{README}": readme(runs).encode(),
        **{one.entry.file: _entry(one) for one in runs},
    }


def check_bundle(name: str) -> str:
    """The name of a file with a certificate, which has to be one that evidence can cite.

    Raises:
        UserError: it has a sign with a meaning in a link, or is the name of a file that is read otherwise.
    """
    if not _BUNDLE.fullmatch(name) or name.lower() in _OURS:
        raise UserError(
            f"--bundle: evidence cannot cite a file called {name!r}: give it another name, of letters, "
            f"digits, dots, '-' and '_', and not that of {LOG}, {JUNIT}, {EVENTS} or {README}"
        )
    return name


def _log(run: ShownRun) -> Iterator[str]:
    """What ``go test -v`` would print.

    What a part rests on stands behind a bar: no text of an implementation is read as the end of a test.
    """
    header, test = run.results.header, run.entry.test
    yield f"# {run.judged}"
    yield one_line(
        f"# on Kubernetes {header.cluster.kubernetes} ({header.cluster.provider}), {header.started}"
    )
    yield one_line(f"# judged by batchproof {header.batchproof}, suite {header.suite.digest}")
    yield f"=== RUN   {test}"
    for part in run.parts:
        yield f"=== RUN   {test}/{part.name}"
        yield from (f"    | {line}" for line in part.lines)
    yield f"--- PASS: {test} ({run.results.footer.duration_s:.2f}s)"
    for part in run.parts:
        yield f"    --- {_ended(part).upper()}: {test}/{part.name} ({part.took_s:.2f}s)"
    yield "PASS"


def _events(run: ShownRun) -> Iterator[dict[str, Any]]:
    """The events that ``go test -json`` writes (go doc test2json)."""
    test, took_s = run.entry.test, run.results.footer.duration_s
    begun = datetime.fromisoformat(run.results.header.started)

    def event(action: str, after_s: float, name: str | None = test, **more: Any) -> dict[str, Any]:
        time = (begun + timedelta(seconds=after_s)).isoformat(timespec="milliseconds")
        named = {"Test": name} if name else {}
        return {
            "Time": time.replace("+00:00", "Z"),
            "Action": action,
            "Package": f"batchproof/{run.suite}",
            **named,
            **more,
        }

    yield event("start", 0.0, None)
    yield event("run", 0.0)
    for part in run.parts:
        name = f"{test}/{part.name}"
        yield event("run", part.after_s, name)
        for line in part.lines:
            yield event("output", part.after_s, name, Output=f"    | {line}\n")
        yield event(_ended(part), part.after_s + part.took_s, name, Elapsed=part.took_s)
    yield event("pass", took_s, Elapsed=took_s)
    yield event("pass", took_s, None, Elapsed=took_s)


def _junit(runs: Sequence[ShownRun]) -> bytes:
    """A JUnit report as gotestsum writes it: a suite for each run, the whole test among its cases."""
    root = ET.Element(
        "testsuites", tests=str(sum(1 + len(run.parts) for run in runs)), failures="0", errors="0"
    )
    for run in runs:
        skipped = sum(bool(part.why) for part in run.parts)
        header, took_s = run.results.header, run.results.footer.duration_s
        suite = ET.SubElement(
            root,
            "testsuite",
            name=f"batchproof/{run.suite}",
            tests=str(1 + len(run.parts)),
            failures="0",
            errors="0",
            skipped=str(skipped),
            time=f"{took_s:.3f}",
            timestamp=header.started,
        )
        properties = ET.SubElement(suite, "properties")
        for name, value in (
            ("implementation", run.judged),
            ("verdict", run.outcome.headline),
            ("batchproof", header.batchproof),
            ("suite.digest", header.suite.digest),
            ("cluster.provider", header.cluster.provider),
            ("cluster.kubernetes", header.cluster.kubernetes),
        ):
            ET.SubElement(properties, "property", name=name, value=printable(value))
        _testcase(suite, run, run.entry.test, took_s)
        for part in run.parts:
            case = _testcase(suite, run, f"{run.entry.test}/{part.name}", part.took_s)
            if part.why:
                ET.SubElement(case, "skipped", message=part.why)
            ET.SubElement(case, "system-out").text = "\n".join(part.lines)
    ET.indent(root)
    document: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def _testcase(suite: ET.Element, run: ShownRun, name: str, took_s: float) -> ET.Element:
    return ET.SubElement(
        suite, "testcase", name=name, classname=f"batchproof.{run.suite}", time=f"{took_s:.3f}"
    )


def _entry(run: ShownRun) -> bytes:
    """The fields of an entry that a vendor fills in."""
    cited = [f"{FOLDER}/{name}#{run.entry.test}" for name in (JUNIT, EVENTS, LOG)]
    others = [f"{FOLDER}/{name}" for name in (README, run.bundle) if name]
    status = {} if run.missing else {"status": IMPLEMENTED}
    fields = {
        "id": run.entry.id,
        **status,
        "evidence": [*cited, *others],
        "notes": _notes(run),
    }
    text: str = yaml.safe_dump([fields], sort_keys=False, width=110, allow_unicode=True)
    head = (
        f"# Goes into the entry {run.entry.id} below spec.{run.entry.section} of PRODUCT.yaml. Leave its\n"
        "# description and level as they stand, and keep the evidence of upstream's own tests beside this.\n"
    )
    if run.missing:
        head += (
            f"# There is no status here, for {run.missing}: this run does not show that your platform\n"
            "# implements the requirement. Upstream's own test on your platform does.\n"
        )
    return (head + text).encode()


def _notes(run: ShownRun) -> str:
    header = run.results.header
    judged = f"{header.implementation.name} {header.implementation.version}"
    besides = f" {run.besides}." if run.besides else ""
    signed = f" `batchproof verify {FOLDER}/{run.bundle} --trust TRUST` checks it." if run.bundle else ""
    missing = f" This supports the answer, and is not the answer: {run.missing}." if run.missing else ""
    return one_line(
        f"{judged} on Kubernetes {header.cluster.kubernetes}, judged from outside by "
        f"batchproof {header.batchproof}, --suite {run.suite}, {header.suite.digest}: "
        f"{run.counts}.{besides}{missing}{signed}"
    )


def _ended(part: ShownPart) -> str:
    return "skip" if part.why else "pass"
