"""The file after ``--feature``: one of the suite, a small suite, or another one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.ground import suite
from batchproof.ground.errors import UserError
from batchproof.profiles import profiles
from batchproof.specification.suites import small_suites

if TYPE_CHECKING:
    from pathlib import Path

_READ_OTHERWISE = ("[", "::")
"""What pytest reads as the begin of something else in the path of a file."""


@dataclass(frozen=True, slots=True)
class NamedFile:
    """What is played of a file, and how the rest of the program learns it.

    Attributes:
        profile: what it is judged as; None: it says nothing of that.
        feature: the file that is played instead of the suite; None: the file is a part of the suite.
        expression: what is selected, as after ``-k``.
    """

    profile: str | None
    feature: Path | None
    expression: str


def named_file(feature: Path, profile: str | None, expression: str) -> NamedFile:
    """What is played where the user has named a file.

    A file of the suite is a selection of it, so that its scenarios keep their ids and claims.

    Args:
        feature: the file, by its whole path, in which no link is left.
        profile: what the user wants it judged as; None: nothing was said.
        expression: what the user has selected of it.

    Raises:
        UserError: it is no feature file, has a name that cannot be used, or is of another profile.
    """
    if feature.suffix != ".feature":
        raise UserError(f"--feature: {feature} is no feature file: the name of one ends with .feature")
    features, suites = suite.features().resolve(), suite.suites().resolve()
    if feature.is_relative_to(features):
        path = feature.relative_to(features).as_posix()
        return NamedFile(_of_suite(path, profile), None, f"{path} and ({expression})" if expression else path)
    if feature.parent == suites:
        small = small_suites()[feature.stem]
        return NamedFile(small.check_profile(profile, "--feature"), small.feature, expression)
    if wrong := next((sign for sign in _READ_OTHERWISE if sign in str(feature)), ""):
        raise UserError(f"--feature: {feature} cannot be run, as there is {wrong!r} in its path: rename it")
    return NamedFile(profile, feature, expression)


def _of_suite(path: str, profile: str | None) -> str:
    """The profile of a file of the suite, which the user may name as well."""
    its = path.partition("/")[0]
    if its not in profiles():
        raise UserError(f"--feature: features/{path} is in the folder of no profile")
    if profile not in {None, its}:
        raise UserError(f"--feature: features/{path} is of the profile {its}, not {profile}")
    return its
