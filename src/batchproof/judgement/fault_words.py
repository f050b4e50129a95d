"""How sentences name the requests that a fault is about: ``updates of the Job status``, ``pod creations``.

What they name is an object that has a noun (``class Job(Thing, of=JOBS, noun="Job")``), so a profile that
brings objects brings the words for them.
"""

from __future__ import annotations

import re
from functools import cache

from batchproof.ground.errors import UserError
from batchproof.judgement.faults import On
from batchproof.judgement.objects.api_object import NOUNS
from batchproof.judgement.parts import load

_CHANGES = frozenset({"update", "patch"})
_ACTS = {
    "creation": (frozenset({"create"}), ""),
    "deletion": (frozenset({"delete"}), ""),
    "binding": (frozenset({"create"}), "binding"),
}


@cache
def requests_pattern() -> str:
    """What is read as a kind of requests, in singular or plural."""
    noun = _noun()
    return rf"updates? of (?:the |a )?(?:{noun})s?(?: status)?|(?:{noun}) (?:{'|'.join(_ACTS)})s?"


@cache
def requests_named(words: str) -> On:
    """The requests that these words name.

    Raises:
        UserError: they name none.
    """
    noun = _noun()
    update = re.fullmatch(rf"updates? of (?:the |a )?(?P<noun>{noun})s?(?: (?P<part>status))?", words)
    if update:
        return On(NOUNS[update["noun"]], _CHANGES, update["part"] or "")
    if act := re.fullmatch(rf"(?P<noun>{noun}) (?P<act>{'|'.join(_ACTS)})s?", words):
        verbs, subresource = _ACTS[act["act"]]
        return On(NOUNS[act["noun"]], verbs, subresource)
    raise UserError(f"{words!r} names no requests: it must be like 'updates of pods', 'pod creations'")


@cache
def views_pattern() -> str:
    """What is read as a resource whose view is held back, by its plural."""
    load("objects")
    return "|".join(sorted({re.escape(it.plural) for it in NOUNS.values()}))


@cache
def _noun() -> str:
    """What is read as a noun: the longest first, for ``native PodGroup`` is another one than ``PodGroup``."""
    load("objects")
    return "|".join(map(re.escape, sorted(NOUNS, key=len, reverse=True)))
