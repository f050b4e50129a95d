"""Which implementation meets which requirement: a page of the site for all profiles; matrix.js filters it."""

from __future__ import annotations

from pathlib import Path

from schedulers_page import known

from batchproof.profiles import profiles
from batchproof.report.markdown import plain, table

_HEAD = """\
# Which implementation meets which requirement

What a whole run has shown of each implementation that has one. [What it means](../schedulers.md#requirements)

<form class="matrix" hidden>
<label>Words <input type="search" name="words" placeholder="GNG-0, suspend, finalizer"></label>
<label>Profile <select name="profile"><option value="">all</option></select></label>
<label>Level <select name="level"><option value="">all</option></select></label>
<label>State <select name="state"><option value="">any</option></select></label>
<output></output>
</form>"""


def pages() -> dict[Path, str]:
    """The text of the page."""
    return {Path("docs/requirements/matrix.md"): "\n\n".join([_HEAD, *map(_section, profiles())]) + "\n"}


def _section(profile: str) -> str:
    played, _, states = known(profile)
    head = ("requirement", "level", "capability", "sentence", *played)
    rows = [
        (
            f"[{one.id}]({profile}.md#{f'{one.id}-{one.level}'.lower()})",
            *map(plain, (one.level, one.capability or "", one.sentence, *said)),
        )
        for one, said in states.items()
    ]
    return f"## {profile}\n\n{table(head, rows, cell=str)}"
