"""Which cluster the user has chosen to judge on, and what belongs to that choice."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from batchproof.control_plane.provider import Provider
from batchproof.control_plane.providers import DEFAULT, provider, providers
from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class ClusterOptions:
    """A cluster, as the command line describes it.

    Attributes:
        cluster: the name of its provider.
        options: what the user has given of the provider's own options, by key.
    """

    cluster: str = DEFAULT
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, cluster: str = DEFAULT, **options: Any) -> Self:
        """The choice that the options of a command make; what is None was not given.

        Raises:
            UserError: an option is given that another provider has, or two that exclude each other.
        """
        given = {key: value for key, value in options.items() if value is not None}
        of_key = {option.key: (one, option) for one in providers().values() for option in one.options}
        for key in given:
            owner, option = of_key[key]
            if owner.name != cluster:
                raise UserError(
                    f"--{option.name} belongs to --cluster {owner.name}, not to --cluster {cluster}"
                )
        if mistake := provider(cluster).mistake(given):
            raise UserError(mistake)
        return cls(cluster, given)

    @property
    def provider(self) -> Provider:
        """Where the cluster comes from."""
        return provider(self.cluster)

    @property
    def assets(self) -> Path | None:
        """The folder of binaries that the user has; None: none was given."""
        return self.options.get("assets")

    def words(self, *, files: bool = True) -> tuple[str, ...]:
        """The options of the command line that choose this cluster; none for the default one.

        Args:
            files: also those that name a file of this machine.
        """
        words = [] if self.cluster == DEFAULT else ["--cluster", self.cluster]
        for option in self.provider.options:
            value = self.options.get(option.key)
            if value is None or (isinstance(value, Path) and not files):
                continue
            words += [f"--{option.name}", *([] if value is True else [str(value)])]
        return tuple(words)
