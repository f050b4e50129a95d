"""The command that runs again what a report shows, to be copied from it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from batchproof.descriptor.implementation import bundled, load
from batchproof.report.evidence import Evidence
from batchproof.report.failing import tag
from batchproof.report.records import Header

if TYPE_CHECKING:
    from collections.abc import Sequence

_EMBEDDED = "embedded"


def rerun(header: Header, shown: Evidence, judged: str = "", where: Sequence[str] = ()) -> str:
    """The command that runs again the scenarios of a requirement, and the one that shows that it is broken.

    Empty where no command does: the results name no descriptor, or a mutant was made of the reference.

    Args:
        header: that of the run.
        shown: the evidence that the report shows.
        judged: what the user named after ``-i``. Without it a descriptor that is not bundled is taken to
            lie in the folder in which the command is given.
        where: the options of the command line that chose the cluster. Without them those of the results are
            given, which name no file.
    """
    named = judged or _descriptor(header)
    if not named:
        return ""
    options = ["-i", named]
    if header.implementation.profiles[:1] != (header.profile,):
        options += ["--profile", header.profile]
    options += where or _where(header)
    if header.suite.feature:
        options += ["--feature", header.suite.feature]
    if shown.scenario.fault:
        options += ["--faults", shown.scenario.fault]
    return shlex.join(["batchproof", "run", *options, "-k", _selection(shown)])


def _where(header: Header) -> Sequence[str]:
    """The options that choose the cluster, as far as the results have them."""
    cluster = header.cluster
    provider = () if cluster.provider == _EMBEDDED else ("--cluster", cluster.provider)
    return cluster.options or provider


def _selection(shown: Evidence) -> str:
    requirement = shown.unmet.requirement
    if shown.own:
        return requirement
    return f"{requirement} or {tag(shown.scenario)}"


def _descriptor(header: Header) -> str:
    """The name of a bundled descriptor, if it is that one; else the path of the file.

    A mutant of the reference has the descriptor of the reference, but not its name.
    """
    judged = header.implementation
    name = judged.descriptor.removesuffix(".yaml")
    path = bundled().get(name)
    if path and (bundled_one := load(path)).text == judged.descriptor_text:
        return name if bundled_one.name == judged.name else ""
    return f"./{judged.descriptor}" if judged.descriptor else ""
