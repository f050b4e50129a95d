"""JUnit reports of our own: pytest writes one for an environment of tests, `batchproof run` for each run."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

_RETRIED = "retried   once"
"""How `batchproof run` begins the line of a scenario that it played twice."""
_UNDECIDED = "inconclusive"
"""The type of the error of a scenario that showed neither a pass nor a failure."""


class Case(NamedTuple):
    """A test, or a scenario.

    Attributes:
        name: a test as pytest takes it on its command line, or the file that could not be imported; the title
            of a scenario.
        requirement: what a scenario tests; empty for a test.
        took_s: how long it took, in seconds.
        red: it failed or broke.
        retried: it was played twice.
        undecided: it is red because its verdict is inconclusive: the run showed neither a pass nor a failure.
    """

    name: str
    requirement: str
    took_s: float
    red: bool
    retried: bool
    undecided: bool = False


def cases(root: Path, path: Path) -> list[Case]:
    """The cases of a report; none where there is no report.

    Args:
        root: the checkout.
        path: the report.
    """
    if not path.is_file():
        return []
    found = ET.fromstring(path.read_bytes()).iter("testcase")  # noqa: S314 - our own programs wrote it
    return [_case(root, one) for one in found]


def _case(root: Path, one: ET.Element) -> Case:
    requirement = one.get("group", "")
    bad = [child for child in one if child.tag in {"failure", "error"}]
    return Case(
        name=one.get("name", "") if requirement else _node(root, one),
        requirement=requirement,
        took_s=float(one.get("time", "0")),
        red=bool(bad),
        retried=any(_RETRIED in (child.text or "") for child in one),
        undecided=any(child.get("type") == _UNDECIDED for child in bad),
    )


def _node(root: Path, case: ET.Element) -> str:
    name = case.get("name", "")
    dotted = case.get("classname") or name
    words = dotted.split(".")
    for length in range(len(words), 0, -1):
        file = Path(*words[:length]).with_suffix(".py")
        if (root / file).is_file():
            return "::".join([file.as_posix(), *words[length:], *([name] if dotted != name else [])])
    return name
