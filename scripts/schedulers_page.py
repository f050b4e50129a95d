"""Which gang scheduler meets which requirement: docs/schedulers.md, made by ``pages.py`` of the kept runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from batchproof.descriptor.implementation import bundled, load
from batchproof.report.markdown import table
from batchproof.specification import runs
from batchproof.specification.proved import requirement_keys
from batchproof.specification.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from batchproof.descriptor.implementation import Implementation
    from batchproof.specification.registry import Requirement
    from batchproof.specification.runs import KeptRun

_ROOT = Path(__file__).parents[1]
_PATH = _ROOT / "docs" / "schedulers.md"
_PROFILE = "gang"
_DIGITS = 12
_HEAD = """\
# Which gang scheduler meets which requirement

<!-- Made by `python scripts/pages.py` from reports/runs: do not edit. -->

Each row is a whole run of a bundled implementation, whose histories were judged again before it was kept.
The configuration says in what the implementation differs from a release in its default configuration."""
_CELLS = """\
## Requirements

- **met**, **not met**: what the run has shown;
- **not met, known**: the descriptor of the implementation lists it as a [deviation](how-to/deviations.md);
- **met, not always**: such a deviation that does not show in each run did not show in this one;
- **not decided**: no scenario of the requirement could decide;
- **not run**: there is no run of its scenarios as they are now;
- a dot: the implementation does not declare its capability, or it is not in force for the version."""


def pages() -> dict[Path, str]:
    """The text of the page."""
    kept, keys = runs.kept(_ROOT / "reports" / "runs", _PROFILE), requirement_keys(_ROOT)
    every = {name: load(path) for name, path in bundled().items()}
    described = {name: one for name, one in every.items() if _PROFILE in one.profiles and not one.installed}
    played = {name: (one, kept[name]) for name, one in described.items() if name in kept}
    lines = [
        (f"{id_} ({one.level})", *(_cell(one, *those, keys) for those in played.values()))
        for id_, one in load_registry().of_profile(_PROFILE).items()
    ]
    columns = ("implementation", "version", "day", "Kubernetes", "suite", "configuration", "verdict")
    sentences = f"[requirements](requirements/{_PROFILE}.md)"
    blocks = [
        _HEAD,
        table(columns, ((name, *_verdict(kept.get(name))) for name in described)),
        _CELLS,
        table(("requirement", *played), lines),
        f"The sentences are in {sentences}, the causes of deviations in [findings](findings.md).",
    ]
    return {_PATH: "\n\n".join(blocks) + "\n"}


def _verdict(run: KeptRun | None) -> tuple[str, ...]:
    if run is None:
        return ("", "", "", "", "", "not run")
    suite = run.suite.removeprefix("sha256:")[:_DIGITS]
    version = run.implementation.rpartition(" ")[2]
    return version, run.day, run.kubernetes, suite, "; ".join(run.configuration), run.mark


def _cell(requirement: Requirement, described: Implementation, run: KeptRun, keys: Mapping[str, str]) -> str:
    if not requirement.in_force(described.implements) or not described.declares(requirement.capability):
        return "·"
    return run.state(requirement.id, keys) or "not run"
