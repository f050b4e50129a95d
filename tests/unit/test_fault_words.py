"""How sentences name requests: by the noun of an object, whichever profile brings it."""

from __future__ import annotations

import re

import pytest

from batchproof.ground.errors import UserError
from batchproof.ground.resources import JOBS, PODS
from batchproof.judgement.fault_words import requests_named, requests_pattern, views_pattern
from batchproof.judgement.faults import On
from batchproof.judgement.objects.api_object import NOUNS
from batchproof.profiles.shared.objects.volcano import PODGROUPS
from batchproof.profiles.shared.objects.workloads import NATIVE_GROUPS
from batchproof.profiles.volcano_job.objects import VOLCANO_JOBS

CHANGES = frozenset({"update", "patch"})


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("updates of the Job status", On(JOBS, CHANGES, "status")),
        ("update of the Volcano Job status", On(VOLCANO_JOBS, CHANGES, "status")),
        ("update of a pod", On(PODS, CHANGES)),
        ("updates of pods", On(PODS, CHANGES)),
        ("update of the native PodGroup", On(NATIVE_GROUPS, CHANGES)),
        ("PodGroup deletions", On(PODGROUPS, frozenset({"delete"}))),
        ("native PodGroup creation", On(NATIVE_GROUPS, frozenset({"create"}))),
        ("pod binding", On(PODS, frozenset({"create"}), "binding")),
    ],
)
def test_words_name_requests(words: str, named: On) -> None:
    assert requests_named(words) == named
    assert re.fullmatch(requests_pattern(), words)


def test_each_object_that_has_a_noun_can_be_named() -> None:
    for noun, resource in NOUNS.items():
        assert requests_named(f"updates of the {noun} status").resource == resource
        assert requests_named(f"{noun} creations").resource == resource
        assert resource.plural in views_pattern().split("|")


@pytest.mark.parametrize("words", ["creation of a pod", "update of the Nothing", "podcreation", ""])
def test_other_words_name_none(words: str) -> None:
    assert not re.fullmatch(requests_pattern(), words)
    with pytest.raises(UserError, match="names no requests"):
        requests_named(words)
