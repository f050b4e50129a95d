"""What tox.ini says of the checks."""

from __future__ import annotations

from configparser import ConfigParser
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def tiers_and_commands(root: Path) -> tuple[dict[str, list[str]], dict[str, str]]:
    """The environments of each tier, and the commands of each environment, those of the quick tier first.

    Args:
        root: the checkout.
    """
    tox = ConfigParser(interpolation=None)
    tox.read_string((root / "tox.ini").read_text("utf-8"))
    labels = (line.partition("=") for line in tox["tox"]["labels"].strip().splitlines())
    tiers = {name.strip(): [one.strip() for one in listed.split(",")] for name, _, listed in labels}
    commands = {
        name: section.get("commands", "")
        for title, section in tox.items()
        for name in title.removeprefix("testenv:").strip("{}").split(",")
    }
    return tiers, {name: commands[name] for name in chain(*tiers.values())}
