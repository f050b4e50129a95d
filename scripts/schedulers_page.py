"""Which gang scheduler meets which requirement: docs/schedulers.md, made by ``pages.py`` of the kept runs."""

from __future__ import annotations

from pathlib import Path

from batchproof.descriptor.implementation import bundled, load
from batchproof.report.markdown import table
from batchproof.specification import runs
from batchproof.specification.proved import requirement_keys
from batchproof.specification.registry import load_registry

_ROOT = Path(__file__).parents[1]
_PATH = _ROOT / "docs" / "schedulers.md"
_PROFILE = "gang"
_HEAD = """\
# Which gang scheduler meets which requirement

<!-- Made by `python scripts/pages.py` from reports/runs: do not edit. -->

Each row is a whole run of a bundled implementation, whose histories were judged again before it was kept.
The configuration says in what the implementation differs from a release in its default configuration."""
_LEGEND = """\
## Requirements

- **met**, **not met**: what the run has shown;
- **not met, known**: the descriptor of the implementation lists it as a [deviation](how-to/deviations.md);
- **met, not always**: such a deviation that does not show in each run did not show in this one;
- **not decided**: no scenario of the requirement could decide;
- **not run**: there is no run of its scenarios as they are now;
- **not declared**: it belongs to a capability that the implementation does not declare;
- **not in force**: it is one of other versions."""


def pages() -> dict[Path, str]:
    """The text of the page."""
    kept, keys = runs.kept(_ROOT / "reports" / "runs", _PROFILE), requirement_keys(_ROOT)
    every = {name: load(path) for name, path in bundled().items()}
    described = {name: one for name, one in every.items() if _PROFILE in one.profiles and not one.installed}
    played = {name: (one, kept[name]) for name, one in described.items() if name in kept}
    rows = [(name, run.implementation, *run.cells) for name, (_, run) in played.items()]
    unplayed = ", ".join(f"`{name}`" for name in described if name not in kept)
    lines = [
        (f"{id_} ({one.level})", *(runs.said(one, *those, keys) for those in played.values()))
        for id_, one in load_registry().of_profile(_PROFILE).items()
    ]
    sentences = f"[requirements](requirements/README.md#{_PROFILE})"
    blocks = [
        _HEAD,
        table(("implementation", "version", *runs.COLUMNS), rows),
        f"There is no run of {unplayed}." if unplayed else "Every one has been run.",
        _LEGEND,
        table(("requirement", *played), lines),
        f"The sentences are in {sentences}, the causes of deviations in [findings](findings.md).",
    ]
    return {_PATH: "\n\n".join(blocks) + "\n"}
