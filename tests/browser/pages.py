"""The pages that the browser opens: made of samples and of recorded histories, as a run makes them."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import report_sample as sample

from batchproof.evidence.demands import recorded
from batchproof.ground import files
from batchproof.report.compare import comparison
from batchproof.report.compare_page import comparison_page
from batchproof.report.explored_page import explored_page, finding_page
from batchproof.report.page import Unchecked
from batchproof.report.results import read_results
from batchproof.specification.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Mapping

CERTIFICATE = Unchecked(
    "acme.batchproof.tgz", "Acme Batch GmbH", "self", "2026-11-21T10:00:00Z", "2027-11-21T10:00:00Z"
)
RECORDED = Path(__file__).parents[1] / "unit" / "recorded"
SCENARIOS = 800


@dataclass(frozen=True, slots=True)
class Pages:
    """Pages by name."""

    paths: Mapping[str, Path]

    def url(self, name: str, hash_: str = "") -> str:
        """The address of a page."""
        return self.paths[name].as_uri() + (f"#{hash_}" if hash_ else "")


def large(number_of_scenarios: int = SCENARIOS) -> list[dict[str, Any]]:
    """A run of the whole registry of Jobs, in so many scenarios, of which each twentieth fails."""
    registry = msgspec.to_builtins(recorded(load_registry().of_profile("job")))
    names = [*registry]
    scenarios = []
    for number in range(number_of_scenarios):
        id_ = names[number % len(names)]
        verdict = "failed" if number % 20 == 0 else "passed"
        one = sample.scenario(id_, f"Scenario {number} is a fact that takes a line to say", verdict)
        scenarios.append({**one, "level": registry[id_]["level"]})
    required = [id_ for id_, one in registry.items() if one["level"] == "MUST"]
    return sample.stream(scenarios, requirements=registry, required=required)


def marked(folder: Path) -> list[dict[str, Any]]:
    """A run whose scenarios have recorded histories, each with a moment that decides."""
    (folder / "histories").mkdir(parents=True)
    scenarios = []
    for path in sorted(RECORDED.rglob("*.jsonl")):
        shutil.copy(path, folder / "histories" / path.name)
        unmet = sample.unmet("FIN-004")
        unmet["timeline"] = [decisive(path)]
        one = sample.scenario("FIN-004", f"History {path.stem}", "failed", unmet=unmet)
        scenarios.append({**one, "history": f"histories/{path.name}"})
    return sample.stream([*sample.passing_scenarios(), *scenarios])


def decisive(history: Path) -> dict[str, Any]:
    """The newest change of a pod, as the moment that decides; the newest record where there is none."""
    records = [msgspec.json.decode(line) for line in history.read_text("utf-8").splitlines()]
    pods = [one for one in records if one["entry"].get("resource", {}).get("plural") == "pods"]
    changes = [one for one in pods if one["entry"]["kind"] == "change"]
    newest = (changes or records)[-1]
    name = newest["entry"]["object"]["metadata"]["name"] if changes else "a"
    moment = {"at_s": newest["at_s"], "record": newest["number"]}
    return {"subject": f"pod/{name}", "what": "MODIFIED", "here": True, **moment}


def compared(root: Path, *names: str) -> bytes:
    """The page of runs side by side."""
    folders = [root / name for name in names]
    found = comparison({folder: read_results(folder) for folder in folders})
    return comparison_page(found, folders, root / "compare.html").encode()


def explorations(folder: Path) -> dict[str, Path]:
    """The page of an exploration that found two things, and that of one of them, with its timeline."""
    from test_explored_page import explored  # noqa: PLC0415 - its sample

    (folder / "histories").mkdir(parents=True)
    shutil.copy(next(RECORDED.glob("status-*.jsonl")), folder / "histories" / "FIN-004.jsonl")
    found = [explored(), explored(confirmed=False)]
    pages = {"explored": explored_page(found, implementation="acme 1", profile="job", counts="4 programs")}
    pages |= {"finding": finding_page(found[0], folder, "acme 1")}
    names = {"explored": "index.html", "finding": found[0].page}
    return {name: Path(files.write(folder, names[name], page)) for name, page in pages.items()}


def matrix() -> bytes:
    """The page of mutants."""
    from test_matrix import KILLED, OTHER, SURVIVED  # noqa: PLC0415 - its sample
    from test_matrix import matrix as made  # noqa: PLC0415

    from batchproof.report.matrix_page import matrix_page  # noqa: PLC0415

    return matrix_page(made(KILLED, SURVIVED, OTHER)).encode()
