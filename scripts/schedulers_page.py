"""Which gang scheduler meets which requirement: docs/schedulers.md, made by ``pages.py`` of the kept runs."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from batchproof.descriptor.implementation import bundled, load
from batchproof.report.markdown import table
from batchproof.specification import runs
from batchproof.specification.proved import requirement_keys
from batchproof.specification.registry import Requirement, load_registry
from batchproof.specification.runs import KeptRun, Said

_ROOT = Path(__file__).parents[1]
_PATH = _ROOT / "docs" / "schedulers.md"
_PROFILE = "gang"
_keys = cache(requirement_keys)
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


def known(profile: str) -> tuple[dict[str, KeptRun], list[str], dict[Requirement, list[Said]]]:
    """The runs of a profile, the implementations without one, and what the runs show of each requirement."""
    kept, keys = runs.kept(_ROOT / "reports" / "runs", profile), _keys(_ROOT)
    every = {name: load(path) for name, path in bundled().items()}
    described = {name: one for name, one in every.items() if profile in one.profiles and not one.installed}
    played = {name: kept[name] for name in described if name in kept}
    states = {
        one: [runs.said(one, described[name], run, keys) for name, run in played.items()]
        for one in load_registry().of_profile(profile).values()
    }
    return played, [name for name in described if name not in kept], states


def pages() -> dict[Path, str]:
    """The text of the page."""
    played, without, states = known(_PROFILE)
    rows = [(name, run.implementation, *run.cells) for name, run in played.items()]
    lines = [(f"{one.id} ({one.level})", *said) for one, said in states.items()]
    sentences = f"[requirements](requirements/README.md#{_PROFILE})"
    blocks = [
        _HEAD,
        table(("implementation", "version", *runs.COLUMNS), rows),
        f"There is no run of {', '.join(map('`{}`'.format, without))}."
        if without
        else "Every one has been run.",
        _LEGEND,
        table(("requirement", *played), lines),
        f"The sentences are in {sentences}, the causes of deviations in [findings](findings.md).",
    ]
    return {_PATH: "\n\n".join(blocks) + "\n"}
