"""The examples of the docs do what the docs show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from examples import prepare, run_here, walk

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("page", run_here())
def test_the_examples_of_a_page_print_what_the_docs_show(page: str, tmp_path: Path) -> None:
    prepare(page, tmp_path)
    walk(page, tmp_path)
