"""Words that the sentences of all models have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def some_pods(count: int, which: str = "") -> str:
    """The given number of pods: ``1 pod``, ``2 succeeded pods``."""
    return " ".join(filter(None, [str(count), which, "pod" if count == 1 else "pods"]))


def be(count: int) -> str:
    """``is`` or ``are``, by the number."""
    return "is" if count == 1 else "are"


def listed(parts: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if parts[1:] else parts)
