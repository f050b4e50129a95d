"""What is played: with what, under which id, and what is played a second time."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest

from batchproof.descriptor.implementation import find, load
from batchproof.evidence.plan import catalogue
from batchproof.ground.errors import HarnessError
from batchproof.profiles import profile
from batchproof.running.environment import RunEnvironment, Session
from batchproof.running.plays import Play

SCENARIO = next(id_ for id_, one in catalogue().items() if one.feature.startswith("job/"))
FAULTS = next(iter(profile("job").fault_profiles.values()))


def test_a_play_without_faults_is_another_than_one_outside_of_the_grid() -> None:
    assert Play(SCENARIO).variant is None
    assert Play(SCENARIO, faults="").variant == ""
    assert Play(SCENARIO, mutant="a").variant == "a"


def test_only_faults_are_a_part_of_the_id() -> None:
    written = catalogue()[SCENARIO]
    for play in (Play(SCENARIO), Play(SCENARIO, mutant="a"), Play(SCENARIO, faults="")):
        assert play.judges(written) == written

    under = Play(SCENARIO, faults=FAULTS.name)
    assert under.judges(written).id == f"{SCENARIO} under {FAULTS.name}"
    assert under.judges(written).requirement == FAULTS.requirement
    assert under.fault_profile(written) == FAULTS


def test_a_scenario_of_a_file_of_the_user_is_played_like_any_other() -> None:
    """It is in no catalogue: what is played is asked of the scenario itself."""
    own = msgspec.structs.replace(catalogue()[SCENARIO], id="own.feature::One", feature="own.feature")
    assert Play(own.id).judges(own) == own
    assert Play(own.id).fault_profile(own) is None


def test_faults_that_the_profile_has_not_are_a_mistake_of_ours() -> None:
    with pytest.raises(HarnessError, match=r"cannot run under 'nothing'"):
        Play(SCENARIO, faults="nothing").fault_profile(catalogue()[SCENARIO])


class _Recorded(RunEnvironment):
    """Keeps what was to be played, in which run, instead of playing it."""

    played: ClassVar[list[tuple[str, Session]]] = []
    status: ClassVar[int] = 0

    def pytest(self, session: Session, plugin: object) -> int:  # noqa: ARG002 - see RunEnvironment
        self.played.append((self.run, session))
        return self.status


def _played(status: int, again: list[Play]) -> list[tuple[str, Session]]:
    _Recorded.played, _Recorded.status = [], status
    environment: Any = _Recorded(load(find("reference")), {}, (), Path(), "run", "embedded")
    session = Session((), Path(), Path(), 4, "job", plays=(Play(SCENARIO), Play("b")))
    assert environment.play(session, None, lambda: again) == status
    return _Recorded.played


def test_what_could_not_be_judged_is_played_once_more_by_cells_of_other_names() -> None:
    [(run, first), (other, second)] = _played(pytest.ExitCode.TESTS_FAILED, [Play("b")])

    assert (first.second, second.second) == (False, True)
    assert run != other
    assert (second.plays, second.workers) == ((Play("b"),), 1)


@pytest.mark.parametrize(
    ("status", "again"),
    [(pytest.ExitCode.OK, []), (pytest.ExitCode.INTERRUPTED, [Play("b")])],
    ids=["nothing is", "pytest did not come to its end"],
)
def test_else_nothing_is_played_once_more(status: int, again: list[Play]) -> None:
    assert len(_played(status, again)) == 1
