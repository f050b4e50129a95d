"""Providers of clusters are records: what is put into their folder is there, with its options."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from batchproof.control_plane import providers as package
from batchproof.control_plane.choice import ClusterOptions
from batchproof.control_plane.providers import DEFAULT, provider, providers, traits
from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = Path(package.__file__).parents[2]
ANOTHER = """
from batchproof.control_plane.plane import Traits
from batchproof.control_plane.provider import ClusterOption, Provider

PROVIDER = Provider(Traits("vcluster", True, True), (ClusterOption("chart", "its chart.", "file"),), print)
"""


@pytest.fixture
def another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A fourth provider: one new file in the folder of the others."""
    (tmp_path / "vcluster.py").write_text(ANOTHER)
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    providers.cache_clear()
    yield
    sys.modules.pop(f"{package.__name__}.vcluster", None)
    providers.cache_clear()


def test_the_default_is_the_first() -> None:
    assert [*providers()] == [DEFAULT, "existing", "kind"]
    assert ClusterOptions.of() == ClusterOptions(DEFAULT, {})


@pytest.mark.usefixtures("another")
def test_another_provider_is_one_file() -> None:
    assert provider("vcluster").traits.controlled
    chosen = ClusterOptions.of("vcluster", chart=Path("c"), context=None)
    assert chosen.words() == ("--cluster", "vcluster", "--chart", "c")
    assert chosen.words(files=False) == ("--cluster", "vcluster")
    with pytest.raises(UserError, match="--chart belongs to --cluster vcluster, not to --cluster kind"):
        ClusterOptions.of("kind", chart=Path("c"))


def test_no_option_belongs_to_two_providers() -> None:
    keys = [option.key for one in providers().values() for option in one.options]
    assert len(keys) == len(set(keys))


def test_no_other_file_compares_the_name_of_a_provider() -> None:
    """What depends on the kind of cluster is said of all kinds, in the traits."""
    names = [f'"{name}"' for name in providers()]
    compared = [
        f"{path.relative_to(SOURCE)}: {line.strip()}"
        for path in SOURCE.rglob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if any(f"{sign} {name}" in line for name in names for sign in ("==", "!=")) and "cluster" in line
    ]
    assert compared == []


def test_what_is_not_known_has_the_traits_of_any_cluster() -> None:
    assert not traits("vcluster").own_programs
    assert not traits("vcluster").disposable
    with pytest.raises(UserError, match="there is no cluster 'vcluster'; there is embedded, existing, kind"):
        provider("vcluster")
