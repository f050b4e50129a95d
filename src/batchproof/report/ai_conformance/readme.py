"""The README of our folder in a submission: what was judged, how it ended, and how to check it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.report.ai_conformance.artifacts import EVENTS, JUNIT, LOG
from batchproof.report.ai_conformance.shown import ShownRun
from batchproof.report.markdown import table
from batchproof.report.wording import duration, utc

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FILES = {
    LOG: "each case with its steps and claims, as `go test -v` prints it",
    EVENTS: "the same as `go test -json` writes it",
    JUNIT: "the same as a JUnit report",
}
_ABOUT = """\
These are not results of the tests of kubernetes-sigs/ai-conformance. batchproof has judged the implementation
from outside, by what it did through the API server, and its tests have names of their own, which begin with
`Batchproof`."""
_UNSIGNED = """\
There is no certificate here: this folder is what the submitter says. To check it, run the suite again on your
own machine with the same version of batchproof:"""
_SIGNED = """\
The certificate holds every history that was judged. This checks its signature and judges all of them again.
TRUST is your own file of the signers that you trust:"""


def readme(runs: Sequence[ShownRun]) -> str:
    """The page, in Markdown."""
    files = {**_FILES, **{one.bundle: f"the certificate of {one.entry.test}" for one in runs if one.bundle}}
    blocks = ["# Judged by batchproof", _ABOUT, *(block for run in runs for block in _run(run))]
    blocks += ["## Files", table(("file", ""), ((f"`{name}`", what) for name, what in files.items()), str)]
    return "\n\n".join(blocks) + "\n"


def _run(run: ShownRun) -> Iterator[str]:
    header, entry = run.results.header, run.entry
    yield f"## {entry.test}"
    yield f"Evidence for the requirement `{entry.id}`."
    yield table(
        ("", ""),
        (
            ("implementation", run.judged),
            ("Kubernetes", f"{header.cluster.kubernetes} ({header.cluster.provider})"),
            ("begun", f"{utc(header.started)}, took {duration(run.results.footer.duration_s)}"),
            ("batchproof", header.batchproof),
            ("suite", f"{run.suite}, {header.suite.digest}"),
            ("result", run.counts),
            ("shows that the platform implements it", f"no: {run.missing}" if run.missing else "yes"),
            (f"profile {header.profile}", run.outcome.headline),
        ),
    )
    yield table(("case", "result"), ((part.case, part.why or "passed") for part in run.parts))
    if deviations := tuple(_deviations(run)):
        yield "### Deviations"
        yield "The implementation does otherwise, and its descriptor admits it:"
        yield table(("requirement", "scenario", "observed", "why", "until"), deviations)
    yield "### Check it"
    yield _SIGNED if run.bundle else _UNSIGNED
    if run.bundle:
        yield _command(f"batchproof verify {run.bundle} --trust TRUST")
    else:
        yield _command(f"batchproof run -i DESCRIPTOR --suite {run.suite}")


def _deviations(run: ShownRun) -> Iterator[tuple[str, ...]]:
    titles = {one.id: f"{one.id} {one.title}" for one in run.results.header.planned}
    for use in run.outcome.deviations:
        waiver = use.waiver
        scenario = titles.get(waiver.scenario, waiver.scenario)
        observed = f"{waiver.admitted} ({use.how_often})"
        why = f"{waiver.reason} {waiver.issue}".rstrip()
        yield waiver.requirement, scenario, observed, why, waiver.expires


def _command(line: str) -> str:
    return f"```console\n$ {line}\n```"
