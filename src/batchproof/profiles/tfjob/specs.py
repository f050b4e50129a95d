"""What the phrase of a TFJob means: a TFJob as its user asks for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Replicas: TypeAlias = tuple[tuple[str, int], ...]
"""Types of replicas, with how many there are of each."""
Setting: TypeAlias = tuple[str, str | int | bool]
Said: TypeAlias = Literal["", "say much", "name no scheduler", "name a finalizer", "have an init container"]
"""What pod templates say beside what they must, or do not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TFJobSpec:
    """A TFJob.

    Attributes:
        replicas: how many of each type.
        suspended: it is suspended from the beginning.
        settings: what it sets, in the words of the API; ``restartPolicy`` is that of every type.
        templates: what its pod templates say.
        containers: the containers of its pod templates, as ``CONTAINERS`` names them; empty: the usual one.
        name: its name; empty: the usual one, or another if that was asked for already.
    """

    replicas: Replicas
    suspended: bool = False
    settings: tuple[Setting, ...] = ()
    templates: Said = ""
    containers: str = ""
    name: str = ""
