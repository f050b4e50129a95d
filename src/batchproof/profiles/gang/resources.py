"""How a scenario names what nodes have and pods ask for beside CPUs: ``2 GiB of memory``."""

from __future__ import annotations

from batchproof.judgement.template import listed, parts
from batchproof.profiles.gang.specs import Amounts

DEVICE = "example.com/device"
"""The extended resource that nodes may have."""
AMOUNT = r"\d+ (?:[GM]iB of memory|GiB of local storage|devices?|places? for pods?)"
"""The pattern of an amount of one resource."""
_UNITS = {
    "GiB of memory": ("memory", "Gi"),
    "MiB of memory": ("memory", "Mi"),
    "GiB of local storage": ("ephemeral-storage", "Gi"),
    "device": (DEVICE, ""),
    "place for pod": ("pods", ""),
}
_WORDS = {(resource, unit): words for words, (resource, unit) in _UNITS.items()}


def amounts_in(text: str) -> Amounts:
    """``1 GiB of memory and 2 devices`` as quantities of the API."""
    return tuple(map(_amount, parts(text)))


def in_words(amounts: Amounts) -> str:
    """The inverse of ``amounts_in``."""
    return listed([_in_words(resource, quantity) for resource, quantity in amounts])


def _amount(text: str) -> tuple[str, str]:
    number, _, words = text.partition(" ")
    resource, unit = _UNITS[words.replace("places", "place").removesuffix("s")]
    return resource, f"{number}{unit}"


def _in_words(resource: str, quantity: str) -> str:
    number = quantity.rstrip("GMi")
    unit = quantity.removeprefix(number)
    words = _WORDS[resource, unit]
    if unit or number == "1":
        return f"{number} {words}"
    return f"{number} {'places for pods' if resource == 'pods' else f'{words}s'}"
