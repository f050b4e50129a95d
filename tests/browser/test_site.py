"""The site of the docs in a real browser: what its own script does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

from batchproof.specification.registry import load_registry

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

ROOT = Path(__file__).parents[2]
ROW = "article table tbody tr"


@pytest.fixture(scope="session")
def matrix(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the page with all requirements and implementations."""
    site = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(site)]
    subprocess.run(build, cwd=ROOT, check=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    return (site / "requirements" / "matrix.html").as_uri()


def shown(browser: Chrome) -> list[str]:
    """The ids of the requirements that can be seen."""
    found: list[str] = browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])].filter((row) => row.checkVisibility())"
        ".map((row) => row.querySelector('a').textContent)",
        ROW,
    )
    return found


def choose(browser: Chrome, name: str, value: str) -> None:
    Select(browser.find_element(By.NAME, name)).select_by_visible_text(value)


def test_the_matrix_has_each_requirement_and_is_filtered(browser: Chrome, matrix: str) -> None:
    registry = load_registry()
    browser.get(matrix)
    assert sorted(shown(browser)) == sorted(registry)
    count = browser.find_element(By.CSS_SELECTOR, "form.matrix output")
    assert count.text == f"{len(registry)} of {len(registry)} requirements"

    choose(browser, "profile", "gang")
    assert sorted(shown(browser)) == sorted(registry.of_profile("gang"))
    choose(browser, "level", "SHOULD")
    should = [one.id for one in registry.of_profile("gang").values() if one.level == "SHOULD"]
    assert sorted(shown(browser)) == sorted(should)
    assert [it.text for it in browser.find_elements(By.TAG_NAME, "h2") if it.is_displayed()] == ["gang"]

    words = browser.find_element(By.NAME, "words")
    words.send_keys(should[0])
    assert shown(browser) == [should[0]]
    words.send_keys("0")
    assert shown(browser) == []
    assert count.text == f"0 of {len(registry)} requirements"


def test_by_its_state_a_requirement_is_found(browser: Chrome, matrix: str) -> None:
    browser.get(matrix)
    choose(browser, "state", "not met, known")
    found = shown(browser)
    rows = {row.text for row in browser.find_elements(By.CSS_SELECTOR, ROW)}
    assert {row.split()[0] for row in rows if "not met, known" in row} == {*found}
    assert found


def test_without_scripts_the_matrix_stands_there_whole(browser: Chrome, matrix: str) -> None:
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    browser.get(matrix)
    assert len(browser.find_elements(By.CSS_SELECTOR, ROW)) == len(load_registry())
    assert not browser.find_element(By.CSS_SELECTOR, "form.matrix").is_displayed()
