"""What the site of the docs has and git does not: made of the suite and of the records when it is built.

``python scripts/site_pages.py FOLDER`` writes all of it below a folder. On GitHub a link leads to a file that
stands for the made one: to the page that says how to read it, or to the registry. ``docs_site.py`` lets the
same link lead to the made page.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from batchproof.commands.requirements import handbook
from batchproof.profiles import profiles
from batchproof.report.schemas import schemas
from batchproof.specification.registry import load_registry

_REQUIREMENTS = "docs/requirements"
_SCHEMAS = "reports/schemas"


@cache
def made() -> frozenset[str]:
    """The paths that the made files would have in the checkout."""
    pages = {f"{_REQUIREMENTS}/{name}.md" for name in profiles()}
    return frozenset(pages | {f"{_SCHEMAS}/{name}" for name in schemas()})


@cache
def text_of(path: str) -> str:
    """The text of a made file."""
    folder, _, name = path.rpartition("/")
    return schemas()[name].decode() if folder == _SCHEMAS else handbook(name.removesuffix(".md"))


@cache
def stand_ins() -> dict[str, str]:
    """Where a link leads on GitHub, and where on the site."""
    return {
        **{f"{_REQUIREMENTS}/README.md#{name}": f"{_REQUIREMENTS}/{name}.md" for name in profiles()},
        **{f"reports/README.md#{name.partition('.')[0]}": f"{_SCHEMAS}/{name}" for name in schemas()},
        **{
            f"features/requirements/{one.path.name}#{one.id}": (
                f"{_REQUIREMENTS}/{one.profile}.md#{f'{one.id}-{one.level}'.lower()}"
            )
            for one in load_registry().values()
        },
    }


def main() -> None:
    """Write them all below a folder, and say which."""
    for path in sorted(made()):
        file = Path(sys.argv[1], path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text_of(path), "utf-8")
        print(file)


if __name__ == "__main__":
    main()
