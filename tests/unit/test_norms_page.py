"""The page of norms: its table of marks follows from the descriptors and the registry."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from batchproof.descriptor.implementation import document_of
from batchproof.report.wording import count
from batchproof.specification.registry import load_registry

_ROOT = Path(__file__).parents[2]
_PAGE = (_ROOT / "docs" / "explanation" / "norms.md").read_text("utf-8")
_HEAD = "| implementation | before | now | core requirements that are waived |"


def _row(name: str, descriptor: dict[str, Any]) -> str:
    registry = load_registry()
    ids = dict.fromkeys(one["requirement"] for one in descriptor["deviations"])
    core = sorted(id_ for id_ in ids if registry[id_].level == "MUST" and registry[id_].capability is None)
    place = "" if "start" in descriptor or "processes" in descriptor else " IN PLACE"
    before = f"`CONFORMANT{place} WITH {count(len(descriptor['deviations']), 'deviation').upper()}`"
    deviations = f"`CONFORMANT{place}, with {count(len(ids), 'deviation')}`"
    now = f"`NOT CONFORMANT, {len(core)} known`" if core else deviations
    return f"| `{name}` | {before} | {now} | {', '.join(core) or 'none'} |"


def test_the_page_has_the_mark_of_every_implementation_with_deviations() -> None:
    descriptors = {
        path.stem: document_of(path).value
        for path in sorted((_ROOT / "fixtures" / "implementations").glob("*.yaml"))
    }
    rows = [_row(name, one) for name, one in descriptors.items() if one.get("deviations")]
    table = "\n".join([_HEAD, "|---|---|---|---|", *rows])
    assert table in _PAGE, f"docs/explanation/norms.md needs this table:\n{table}"


def test_the_definition_of_a_gang_is_core() -> None:
    """So kueue, which waives GNG-002, is not CONFORMANT, however well that is known."""
    gang = load_registry()["GNG-002"]
    assert (gang.level, gang.capability) == ("MUST", None)
