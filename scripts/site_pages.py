"""What the site of the docs has and git does not: made of the suite and of the records when it is built.

``python scripts/site_pages.py FOLDER`` writes all of it below a folder. On GitHub a link leads to a file that
stands for the made one: to the page that says how to read it, or to the registry. ``docs_site.py`` lets the
same link lead to the made page.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import kinds_page
import matrix_page
import reported_page
import vocabulary_pages

from batchproof.commands.requirements import handbook
from batchproof.profiles import profiles
from batchproof.report.schemas import schemas
from batchproof.specification.registry import load_registry

_REFERENCE = "docs/reference"
_REQUIREMENTS = "docs/requirements"
_SCHEMAS = "reports/schemas"
_PAGES = {
    f"{_REFERENCE}/facts.md": vocabulary_pages,
    f"{_REFERENCE}/kinds.md": kinds_page,
    f"{_REFERENCE}/reported.md": reported_page,
    f"{_REFERENCE}/steps.md": vocabulary_pages,
    f"{_REQUIREMENTS}/matrix.md": matrix_page,
}
"""What makes the pages that each scenario or run may change."""


@cache
def made() -> frozenset[str]:
    """The paths that the made files would have in the checkout."""
    pages = {f"{_REQUIREMENTS}/{name}.md" for name in profiles()}
    return frozenset(pages | {*_PAGES} | {f"{_SCHEMAS}/{name}" for name in schemas()})


@cache
def text_of(path: str) -> str:
    """The text of a made file."""
    folder, _, name = path.rpartition("/")
    if folder == _SCHEMAS:
        return schemas()[name].decode()
    if path in _PAGES:
        return {page.name: text for page, text in _PAGES[path].pages().items()}[name]
    return handbook(name.removesuffix(".md"))


@cache
def stand_ins() -> dict[str, str]:
    """Where a link leads on GitHub, and where on the site."""
    return {
        **{f"{_REQUIREMENTS}/README.md#{name}": f"{_REQUIREMENTS}/{name}.md" for name in profiles()},
        **{f"{Path(path).parent}/README.md#{Path(path).stem}": path for path in _PAGES},
        f"{_REFERENCE}/README.md#phrases": f"{_REFERENCE}/steps.md#phrases",
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
    if len(sys.argv) != 2:  # noqa: PLR2004 - the script and the folder
        sys.exit("name the folder that gets the pages: python scripts/site_pages.py FOLDER")
    for path in sorted(made()):
        file = Path(sys.argv[1], path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text_of(path), "utf-8")
        print(file)


if __name__ == "__main__":
    main()
