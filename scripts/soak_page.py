"""How often a correct controller is red: docs/reference/false-red.md, which ``pages.py`` writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from batchproof.report.markdown import table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_ROOT = Path(__file__).parents[1]
_RECORDS = _ROOT / "reports" / "soak.json"
_PATH = _ROOT / "docs" / "reference" / "false-red.md"
_HEAD = """\
# How often a correct controller is red

<!-- Made by `python scripts/pages.py` from reports/soak.json: do not edit. -->

The references meet every requirement of their profiles, so whatever is red of them is a fault of batchproof.
They are judged again and again, also beside processes that keep all processors busy:

```console
$ ./check soak --runs 5 --load 4 --record job gang tfjob volcano-job
```

*Scenarios* are counted once in each run. *Failed* would be a false report.
*Inconclusive* is also red: the run showed neither a pass nor a failure. *Retried* scenarios were run a second
time, and passed."""
_COLUMNS = (
    "day",
    "commit",
    "machine",
    "busy processes",
    "profile",
    "runs",
    "scenarios",
    "failed",
    "inconclusive",
    "retried",
)
_KEYS = ("day", "commit", "machine", "busy", "profile", "runs", "plays", "failed", "undecided", "retried")


def pages() -> dict[Path, str]:
    """The text of the page."""
    found = records()
    rows = [[str(one[key]) for key in _KEYS] for one in found]
    return {_PATH: "\n\n".join([_HEAD, in_one_sentence(found), table(_COLUMNS, rows)]) + "\n"}


def records() -> list[dict[str, Any]]:
    """What was measured, the oldest first."""
    found: list[dict[str, Any]] = json.loads(_RECORDS.read_text("utf-8"))
    return found


def in_one_sentence(found: Sequence[Mapping[str, Any]]) -> str:
    """All that was measured."""
    plays, failed, undecided, retried = (
        sum(one[key] for one in found) for key in ("plays", "failed", "undecided", "retried")
    )
    return (
        f"Of {plays} runs of scenarios against the references, {failed} failed, "
        f"{undecided} were inconclusive, and {retried} were retried."
    )
