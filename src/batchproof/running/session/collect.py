"""Features as pytest tests: one file a module, one scenario (or example) a test, named by its title."""

from __future__ import annotations

from collections import Counter
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from pytest_bdd import scenario
from pytest_bdd.feature import get_feature

from batchproof import suite
from batchproof.errors import HarnessError
from batchproof.judgement.fault_profiles import BY_NAME
from batchproof.report.records import Planned
from batchproof.specification.gherkin import parse_features

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from batchproof.judgement.fault_profiles import FaultProfile
    from batchproof.specification.gherkin import Scenario

DEFECT = "batchproof_defect"
FAULT = "batchproof_fault"


class FeatureModule(pytest.Module):
    """A feature file, seen by pytest as a module whose functions are its scenarios."""

    def _getobj(self) -> ModuleType:
        module = ModuleType(self.path.stem)
        base = _base(played(self.path))
        relative = str(self.path.relative_to(base))
        for title in get_feature(str(base), relative).scenarios:
            run = scenario(relative, title, features_base_dir=str(base))(_nothing_more())
            run.__name__ = title
            setattr(module, title, run)
        return module

    def istestfunction(self, obj: object, name: str) -> bool:
        """Every function here is a scenario, whatever its name."""
        return callable(obj) and not name.startswith("__")


def _nothing_more() -> Any:
    def after_the_steps() -> None:
        """All is done in the steps."""

    return after_the_steps


class FeatureCollector:
    """Collects features, and sees that pytest runs just what the features hold.

    Args:
        planted: each planted defect with a scenario that may catch it, in the order in which they are run.
        only: the ids of the scenarios to run; empty: all.
        plays: each fault profile (empty: none) with a scenario that is played under it, in their order.
    """

    def __init__(
        self,
        planted: Sequence[tuple[str, str]],
        only: Sequence[str] = (),
        plays: Sequence[tuple[str, str]] = (),
    ) -> None:
        self._order = {pair: place for place, pair in enumerate(planted or plays)}
        self._with = FAULT if plays else DEFECT
        self._only = frozenset(only)

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """A ``.feature`` file is a module of tests."""
        if file_path.suffix != ".feature":
            return None
        module: pytest.Collector = FeatureModule.from_parent(parent, path=file_path)
        return module

    def pytest_bdd_apply_tag(self, tag: str, function: Any) -> bool:
        """A tag is a mark, so that ``-k FIN-004`` finds it."""
        getattr(pytest.mark, tag)(function)
        return True

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Run a scenario once for each planted defect that it may catch, or fault that it is played under."""
        if not self._order:
            return
        title = metafunc.definition.nodeid
        chosen = [with_ for with_, id_ in self._order if _title(id_) == title]
        metafunc.fixturenames.append(self._with)
        metafunc.parametrize(self._with, list(dict.fromkeys(chosen)), indirect=True)

    @pytest.fixture(name=DEFECT)
    def defect(self, request: pytest.FixtureRequest) -> str:
        """The planted defect that the scenario is to catch."""
        return str(request.param)

    @pytest.fixture(name=FAULT)
    def fault(self, request: pytest.FixtureRequest) -> str:
        """The fault profile that the scenario is played under; empty: none."""
        return str(request.param)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Run what is to be run, and see that it is there: pytest-bdd drops a second scenario of a name.

        What waits longest goes first, so that nobody waits for it alone at the end.

        Raises:
            HarnessError: a scenario was lost.
        """
        if self._order:
            places = {(defect_of(item) or fault_of(item) or "", written(item).id): item for item in items}
            items[:] = [places[pair] for pair in self._order if pair in places]
            return
        expected: Counter[str] = Counter()
        for what in {played(item.path) for item in items}:
            files = {
                item.path.relative_to(_base(what)).as_posix() for item in items if played(item.path) == what
            }
            expected.update(case.id for one in _features(what) if one.feature in files for case in one.cases)
        if lost := expected - Counter(item.nodeid for item in items):
            raise HarnessError(f"not collected: {', '.join(sorted(lost))}; run `batchproof lint`")
        if self._only:
            items[:] = [item for item in items if item.nodeid in self._only]
        items.sort(key=lambda item: -_waits(played(item.path))[item.nodeid])


def _title(id_: str) -> str:
    """The id of a scenario without its example: an outline is one function."""
    one = catalogue()[id_]
    return f"{one.feature}::{one.name}"


def defect_of(item: pytest.Item) -> str | None:
    """The planted defect that a test is to catch; None: it judges the implementation itself."""
    callspec = getattr(item, "callspec", None)
    return callspec.params.get(DEFECT) if callspec else None


def fault_of(item: pytest.Item) -> str | None:
    """The fault profile that a test plays its scenario under, empty for none; None: it is in no grid."""
    callspec = getattr(item, "callspec", None)
    return callspec.params.get(FAULT) if callspec else None


def played(file: Path) -> Path:
    """What a feature file belongs to: the suite (its folder of features), or nothing but itself."""
    features = suite.features()
    return features if file.is_relative_to(features) else file


def _base(what: Path) -> Path:
    """The folder from which the files of a suite, or a single file, are named."""
    return what.parent if what.is_file() else what


@cache
def catalogue(what: Path | None = None) -> dict[str, Planned]:
    """All that the suite can run, or one feature file, by id."""
    return {
        case.id: Planned(
            case.id, one.name, case.title, one.feature, next(iter(one.requirements), ""), case.example
        )
        for one in _features(what)
        for case in one.cases
    }


@cache
def _features(what: Path | None) -> tuple[Scenario, ...]:
    return tuple(parse_features(what))


def needed(item: pytest.Item) -> frozenset[str]:
    """The capabilities that the tags of a test's scenario name."""
    return needs(played(item.path))[written(item).id]


@cache
def needs(what: Path | None = None) -> dict[str, frozenset[str]]:
    """The capabilities that the tags of each scenario name, by its id."""
    return {case.id: one.capabilities for one in _features(what) for case in one.cases}


@cache
def _waits(what: Path) -> dict[str, float]:
    """About how long each of them waits, in seconds, by id."""
    return {case.id: one.waits_s(case) for one in _features(what) for case in one.cases}


def under(one: Planned, profile: FaultProfile) -> Planned:
    """The play of a scenario under a fault profile: what it judges is the profile's requirement."""
    return msgspec.structs.replace(
        one,
        id=f"{one.id} under {profile.name}",
        title=f"{one.title}, under {profile.name}",
        requirement=profile.requirement,
        fault=profile.name,
    )


def planned(item: pytest.Item) -> Planned:
    """What a test judges; a planted defect is no part of its id."""
    fault = fault_of(item)
    return under(written(item), BY_NAME[fault]) if fault else written(item)


def written(item: pytest.Item) -> Planned:
    """The scenario behind a test, as it is written."""
    callspec = getattr(item, "callspec", None)
    values = callspec.params.get("_pytest_bdd_example") if callspec else None
    title = item.nodeid.partition("::")[0] + "::" + getattr(item, "originalname", item.name)
    return catalogue(played(item.path))[f"{title}[{'-'.join(values.values())}]" if values else title]
