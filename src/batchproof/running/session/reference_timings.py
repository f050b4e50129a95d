"""How long to wait for a wrong controller: as long as the reference needs for the same, a few times over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.report.results import Results, read_results

if TYPE_CHECKING:
    from pathlib import Path


def needed_s(folder: Path) -> dict[str, dict[str, float]]:
    """The seconds that each claim took the reference, by scenario and text of the claim."""
    return taken_s(read_results(folder))


def taken_s(results: Results) -> dict[str, dict[str, float]]:
    """The longest time that each claim took, by scenario and text of the claim."""
    found: dict[str, dict[str, float]] = {}
    for scenario in results.scenarios:
        times = found.setdefault(scenario.id, {})
        for claim in scenario.claims:
            times[claim.text] = max(claim.took_s or 0.0, times.get(claim.text, 0.0))
    return found
