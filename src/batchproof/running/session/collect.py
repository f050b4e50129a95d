"""Features as pytest tests: one file a module, one scenario (or example) a test, named by its title."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest
from pytest_bdd import scenario
from pytest_bdd.feature import features as parsed_for_pytest
from pytest_bdd.parser import FeatureParser

from batchproof.evidence.plan import catalogue, features, needs, of_node, waits_s
from batchproof.ground import suite
from batchproof.ground.errors import HarnessError
from batchproof.report.records import Planned
from batchproof.running.plays import Play
from batchproof.running.selection import keywords
from batchproof.specification.gherkin import parsed_file

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from pytest_bdd.gherkin_parser import GherkinDocument
    from pytest_bdd.parser import Feature


_VARIANT = "batchproof_variant"
_PLAY = pytest.StashKey[Play]()


class FeatureModule(pytest.Module):
    """A feature file, seen by pytest as a module whose functions are its scenarios."""

    def _getobj(self) -> ModuleType:
        module = ModuleType(self.path.stem)
        base = played(self.path).parent
        relative = str(self.path.relative_to(base))
        for title in _feature(base, relative).scenarios:
            run = scenario(relative, title, features_base_dir=str(base))(_nothing_more())
            run.__name__ = title
            setattr(module, title, run)
        return module

    def istestfunction(self, obj: object, name: str) -> bool:
        """Every function here is a scenario, whatever its name."""
        return callable(obj) and not name.startswith("__")


class _ParsedOnce(FeatureParser):
    """Makes pytest-bdd's feature of a file that this process has parsed already: parsing is most of it."""

    def _parse_feature_file(self) -> GherkinDocument:
        return parsed_file(Path(self.abs_filename))


def _feature(base: Path, relative: str) -> Feature:
    """The feature, which ``scenario`` finds then too."""
    parser = _ParsedOnce(str(base), relative)
    if parser.abs_filename not in parsed_for_pytest:
        parsed_for_pytest[parser.abs_filename] = parser.parse()
    return parsed_for_pytest[parser.abs_filename]


@cache
def _mark(tag: str) -> pytest.MarkDecorator:
    decorator: pytest.MarkDecorator = getattr(pytest.mark, tag)  # looks through all marks that are registered
    return decorator


def _nothing_more() -> Any:
    def after_the_steps() -> None:
        """All is done in the steps."""

    return after_the_steps


class FeatureCollector:
    """Collects features, and sees that pytest runs just what the features hold.

    Args:
        plays: what is played; empty: each scenario, as it is written.
    """

    def __init__(self, plays: Sequence[Play] = ()) -> None:
        self._plays = {(one.variant, one.scenario): one for one in plays}
        self._vary = any(one.variant is not None for one in plays)

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """A ``.feature`` file is a module of tests."""
        if file_path.suffix != ".feature":
            return None
        module: pytest.Collector = FeatureModule.from_parent(parent, path=file_path)
        return module

    def pytest_bdd_apply_tag(self, tag: str, function: Any) -> bool:
        """A tag is a mark, so that ``-k large`` finds it."""
        _mark(tag)(function)
        return True

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Run a scenario once for each mutant that it may kill, or fault that it is played under."""
        if not self._vary:
            return
        title = metafunc.definition.nodeid
        chosen = [variant for variant, id_ in self._plays if _title(id_) == title]
        metafunc.fixturenames.append(_VARIANT)
        metafunc.parametrize(_VARIANT, list(dict.fromkeys(chosen)), indirect=True)

    @pytest.fixture(name=_VARIANT)
    def variant(self, request: pytest.FixtureRequest) -> str:
        """The mutant that the scenario is to kill, or the fault profile that it is played under."""
        return str(request.param)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Run what is to be run, and see that it is there: pytest-bdd drops a second scenario of a name.

        What waits longest goes first, so that no worker runs it alone at the end.

        Raises:
            HarnessError: a scenario was lost.
        """
        for item in items:
            item.extra_keyword_matches |= keywords(written(item))
        items[:] = self._in_given_order(items) if self._vary else self._longest_first(items)
        for item in items:
            one = Play(written(item).id)
            item.stash[_PLAY] = self._plays.get((_variant_of(item), one.scenario), one)

    def _in_given_order(self, items: Sequence[pytest.Item]) -> list[pytest.Item]:
        """What is played with a mutant or a fault, as it was asked for."""
        places = {(_variant_of(item), written(item).id): item for item in items}
        return [places[pair] for pair in self._plays if pair in places]

    def _longest_first(self, items: Sequence[pytest.Item]) -> list[pytest.Item]:
        """The scenarios as they are written, if all are there."""
        if lost := _expected({item.path for item in items}) - Counter(item.nodeid for item in items):
            raise HarnessError(f"not collected: {', '.join(sorted(lost))}; run `batchproof lint`")
        wanted = [item for item in items if not self._plays or (None, written(item).id) in self._plays]
        return sorted(wanted, key=lambda item: -waits_s(played(item.path))[written(item).id])


def _expected(paths: Collection[Path]) -> Counter[str]:
    """The tests that these feature files hold, as the plan has them."""
    expected: Counter[str] = Counter()
    for what in {played(path) for path in paths}:
        files = {path.relative_to(what.parent).as_posix() for path in paths if played(path) == what}
        of_files = (one for one in features(what) if one.feature in files)
        expected.update(case.node for one in of_files for case in one.cases)
    return expected


def _title(id_: str) -> str:
    """The id of a scenario without its example: an outline is one function."""
    one = catalogue()[id_]
    return f"{one.feature}::{one.name}"


def _variant_of(item: pytest.Item) -> str | None:
    """The mutant or the faults that a test plays its scenario with; None: it is played as it is written."""
    callspec = getattr(item, "callspec", None)
    return callspec.params.get(_VARIANT) if callspec else None


def play_of(item: pytest.Item) -> Play:
    """What a test plays."""
    return item.stash[_PLAY]


def played(file: Path) -> Path:
    """What a feature file belongs to: the folder of a profile, or nothing but itself."""
    features = suite.features()
    return features / file.relative_to(features).parts[0] if file.is_relative_to(features) else file


def needed(item: pytest.Item) -> frozenset[str]:
    """The capabilities that the tags of a test's scenario name."""
    return needs(played(item.path))[written(item).id]


def planned(item: pytest.Item) -> Planned:
    """What a test judges."""
    return play_of(item).judges(written(item))


def written(item: pytest.Item) -> Planned:
    """The scenario behind a test, as it is written."""
    callspec = getattr(item, "callspec", None)
    values = callspec.params.get("_pytest_bdd_example") if callspec else None
    title = item.nodeid.partition("::")[0] + "::" + getattr(item, "originalname", item.name)
    node = f"{title}[{'-'.join(values.values())}]" if values else title
    return of_node(node, played(item.path))
