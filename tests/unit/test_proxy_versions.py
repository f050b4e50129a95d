"""API versions that are served no more: what becomes of requests, and of their replies."""

from __future__ import annotations

import pytest

from batchproof.proxy.versions import SAME, Translation, translation

SERVED_AS = {"scheduling.k8s.io/v1beta1": "scheduling.k8s.io/v1"}
OLD = "/apis/scheduling.k8s.io/v1beta1/priorityclasses"
NEW = "/apis/scheduling.k8s.io/v1/priorityclasses"
WORDS = Translation("scheduling.k8s.io/v1beta1", "scheduling.k8s.io/v1")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (OLD, WORDS),
        (f"{OLD}/high", WORDS),
        (NEW, SAME),
        ("/apis/scheduling.k8s.io/v1beta1", SAME),
        ("/apis/scheduling.k8s.io/v1beta1x/priorityclasses", SAME),
        ("/api/v1/pods", SAME),
    ],
)
def test_only_what_is_asked_in_an_old_version_is_translated(path: str, words: Translation) -> None:
    assert translation(path, SERVED_AS) == words


def test_a_path_is_translated_once_with_all_that_follows() -> None:
    assert WORDS.path(f"{OLD}?watch=true&x={OLD}") == f"{NEW}?watch=true&x={OLD}"


def test_a_body_is_translated_there_and_back() -> None:
    old = b'{"kind":"PriorityClass","apiVersion":"scheduling.k8s.io/v1beta1","value":1}'
    new = b'{"kind":"PriorityClass","apiVersion":"scheduling.k8s.io/v1","value":1}'
    assert (WORDS.asked(old), WORDS.replied(new)) == (new, old)


def test_other_versions_in_a_reply_stay() -> None:
    line = b'{"type":"ADDED","object":{"apiVersion":"scheduling.k8s.io/v1alpha1"},"x":{"apiVersion":"v1"}}'
    assert WORDS.replied(line) == line


def test_nothing_is_changed_where_nothing_is_translated() -> None:
    assert (SAME.path(OLD), SAME.asked(b"a"), SAME.replied(b'{"apiVersion":"v1"}')) == (
        OLD,
        b"a",
        b'{"apiVersion":"v1"}',
    )
