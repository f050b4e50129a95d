"""Writes what pages in git have from code, schemas and the suite: python scripts/pages.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cli
import rooms_picture
import schedulers_page
import schema_pages
import soak_page
import suite_numbers

if TYPE_CHECKING:
    from pathlib import Path


def pages() -> dict[Path, str]:
    """The text of each page."""
    parts = (
        cli,
        schema_pages,
        rooms_picture,
        schedulers_page,
        soak_page,
    )
    return {path: text for part in parts for path, text in part.pages().items()}


def main() -> None:
    """Write the pages, and say which."""
    for path, text in {**pages(), **suite_numbers.pages()}.items():
        path.write_text(text, "utf-8")
        print(path)


if __name__ == "__main__":
    main()
