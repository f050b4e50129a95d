"""Chromium without a screen, for the tests of the pages, their pictures, and the benchmark of one."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from selenium.webdriver import Chrome, ChromeOptions, ChromeService

if TYPE_CHECKING:
    from collections.abc import Iterable

_PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


class Missing(Exception):  # noqa: N818 - what is the matter, and not a mistake
    """There is no Chromium with its chromedriver."""


def chromium(arguments: Iterable[str] = ()) -> Chrome:
    """A browser; the caller quits it.

    Args:
        arguments: of the program, beside those that it needs here.

    Raises:
        Missing: there is none.
    """
    program = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    service = shutil.which("chromedriver")
    if program is None or service is None:
        raise Missing("no chromium with its chromedriver is installed: apt install chromium chromium-driver")
    options = ChromeOptions()
    options.binary_location = program
    for argument in ("--headless=new", "--disable-gpu", "--disable-dev-shm-usage", *arguments):
        options.add_argument(argument)
    if os.geteuid() == 0:  # the sandbox of Chromium does not work for root; the pages are our own
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return Chrome(options=options, service=ChromeService(service))
