"""Planted defects judged: the reference with one small change, in the scenarios of its requirement."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from batchproof import suite
from batchproof.descriptor import implementation as descriptors
from batchproof.errors import HarnessError
from batchproof.running.progress import RunProgress
from batchproof.running.runner import Choices, default_workers, output_folder, pytest_arguments, selected
from batchproof.running.session.collect import DEFECT
from batchproof.running.session.record import RECORD
from batchproof.running.stage import staged
from batchproof.specification.defects import load_defects
from batchproof.specification.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a planted defect.

    Attributes:
        caught_by: the scenarios that failed with it, each with the requirement that it found broken.
        not_caught_by: the other scenarios of its requirement, each with its verdict.
        not_declared: the capability of its requirement, if the implementation does not declare it: then the
            requirement does not hold for it, and nothing can be said of the defect.
    """

    defect: str
    requirement: str
    what: str
    caught_by: list[str] = field(default_factory=list)
    not_caught_by: list[str] = field(default_factory=list)
    not_declared: str | None = None


class _Verdicts:
    """Takes the verdict of each scenario with each defect."""

    def __init__(self, progress: RunProgress) -> None:
        self._progress = progress
        self.records: dict[str, list[dict[str, Any]]] = defaultdict(list)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        if not self._progress.total:
            self._progress.planned(len(ids))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._progress.started(nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        told = getattr(report, RECORD, None)
        if told is not None and report.when != "teardown":
            record = orjson.loads(told)
            self.records[record[DEFECT]].append(record)
            # Whether a defect is caught is known only when all scenarios of its requirement have run.
            self._progress.finished(report.nodeid, "errored" if record["verdict"] == "errored" else "passed")


def prove_defects(choices: Choices) -> list[Outcome]:
    """Judge every planted defect of a profile that ``choices.expression`` selects.

    Raises:
        HarnessError: pytest did not come to its end.
    """
    required = load_registry().of_profile(choices.profile)
    defects = [one for one in load_defects(suite.defects()) if one.requirement in required]
    if not defects:
        return []
    implementation = descriptors.load(descriptors.find(choices.implementation))
    progress = RunProgress()
    verdicts = _Verdicts(progress)
    needed = {id_: requirement.capability for id_, requirement in required.items()}
    judged = [one for one in defects if implementation.declares(needed[one.requirement])]
    others = [
        Outcome(one.name, one.requirement, one.what, not_declared=needed[one.requirement])
        for one in defects
        if one not in judged and not choices.expression
    ]
    if not judged:
        return others
    names = tuple(one.name for one in judged)
    selected(choices, names)
    output_folder(choices)
    with staged(implementation, choices.choice, progress.say) as stage:
        workers = choices.workers or default_workers(implementation)
        arguments = pytest_arguments(choices)
        status = stage.pytest(
            arguments,
            verdicts,
            output=choices.output,
            workers=workers,
            profile=choices.profile,
            defects=names,
        )
        progress.end()
    if status not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
        raise HarnessError(f"the defects were not judged: pytest ended with {status}")
    outcomes = [Outcome(one.name, one.requirement, one.what) for one in judged]
    for outcome in outcomes:
        for record in verdicts.records[outcome.defect]:
            if record["verdict"] == "failed":
                outcome.caught_by.append(f"{record['id']} ({record['unmet']['requirement']})")
            else:
                why = f"{record['verdict']} {record['reason']}".rstrip()
                outcome.not_caught_by.append(f"{record['id']}: {why}")
    chosen = [one for one in outcomes if not choices.expression or one.caught_by or one.not_caught_by]
    return chosen + others
