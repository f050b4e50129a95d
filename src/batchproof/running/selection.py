"""What ``-k`` selects: an id means just what has it, any other word is matched as pytest does it.

``FIN-004`` is the requirement with all its scenarios, ``FIN-004.1`` a scenario with all its examples (and not
``FIN-004.12``), ``FIN-004.1b`` one example. So that pytest matches them whole, each test has its ids as
further keywords between colons, and so has the expression that pytest gets. The path of its file within the
suite is one too: ``job/suspend.feature``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from batchproof.evidence.plan import catalogue, features
from batchproof.ground.documents import near
from batchproof.ground.errors import UserError
from batchproof.report.records import Planned
from batchproof.specification.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

_PART = r"[\w:+\-.\[\]\\/]"
_ID = re.compile(rf"(?<!{_PART})[A-Za-z]{{3,4}}-\d{{2,5}}(?:\.\d+[A-Za-z]?)?(?!{_PART})")
_EXAMPLE = re.compile(r"(?<=\d)[a-z]$")
_OF_IDS_ALONE = re.compile(r"(?:\s|[()]|\b(?:and|or)\b)*")


def for_pytest(expression: str) -> str:
    """The expression as pytest is to get it."""
    return _ID.sub(lambda found: _whole(_spelled(found[0])), expression)


def keywords(one: Planned) -> set[str]:
    """By what the expression for pytest finds a scenario: its ids, and the file that it stands in."""
    return {*map(_whole, _ids(one)), one.feature}


def files(expression: str, what: Path) -> tuple[Path, ...]:
    """The feature files that hold all that an expression of nothing but ids can select.

    Args:
        expression: as the user wrote it.
        what: the folder of features, or the feature file, from which it selects.

    Returns:
        none where a word of it, or what it excludes, may be in any file.
    """
    if not _OF_IDS_ALONE.fullmatch(_ID.sub("", expression)):
        return ()
    named = {*_named(expression)}
    return files_of({id_ for id_, one in catalogue(what).items() if named & _ids(one)}, what)


def files_of(ids: Collection[str], what: Path) -> tuple[Path, ...]:
    """The feature files that hold the scenarios with these ids."""
    holding = (one.path for one in features(what) if any(case.id in ids for case in one.cases))
    return tuple(dict.fromkeys(holding))


def check_known(expression: str, what: Path) -> None:
    """See that there is something with each id of an expression, in whichever profile.

    Args:
        expression: as the user wrote it.
        what: the folder of features, or the feature file, that is run.

    Raises:
        UserError: there is none with one of them.
    """
    unknown = _named(expression)
    known: set[str] = set()
    for ids in (load_registry, lambda: _all_ids(what), lambda: _all_ids(None)):  # the dearest last
        if not unknown:
            return
        known |= {*ids()}
        unknown = [id_ for id_ in unknown if id_ not in known]
    for id_ in unknown:
        raise UserError(f"-k: no requirement, scenario or example has the id {id_}{near(id_, known)}")


def _all_ids(what: Path | None) -> set[str]:
    return {id_ for one in catalogue(what).values() for id_ in _ids(one)}


def elsewhere(expression: str, profile: str) -> str:
    """A hint at the ids of an expression that are of another profile, or nothing."""
    requirements = load_registry()
    of = {id_: requirements[id_.partition(".")[0]].profile for id_ in _named(expression)}
    return "".join(f"; {id_} is of --profile {its}" for id_, its in of.items() if its != profile)


def _named(expression: str) -> list[str]:
    return [_spelled(found[0]) for found in _ID.finditer(expression)]


def _ids(one: Planned) -> set[str]:
    """Its requirement's, its outline's and its own."""
    return {one.requirement, _EXAMPLE.sub("", one.id), one.id}


def _spelled(id_: str) -> str:
    """The id as the suite spells it."""
    area, _, number = id_.partition("-")
    return f"{area.upper()}-{number.lower()}"


def _whole(id_: str) -> str:
    return f":{id_}:"
