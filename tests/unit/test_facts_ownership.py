"""Facts about whose a pod is: each with a history of which it is true and one of which it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fact_examples import examples
from histories import Story, story

from batchproof.profiles.shared.facts.ownership import pod_belongs, pod_change_asked

if TYPE_CHECKING:
    from batchproof.judgement.facts import FactCall

OF_A = {"pod": "p", "job": "a"}


def made_by_a_user() -> Story:
    """A pod that belongs to nobody, beside a Job."""
    return story().job("a").pod("p", of=None)


@examples(
    [
        pytest.param(pod_belongs(**OF_A), made_by_a_user().owned("p", by="a"), True, id="adopted"),
        pytest.param(pod_belongs(**OF_A), made_by_a_user(), False, id="nobody's"),
        pytest.param(pod_belongs(**OF_A), story().job("a").pod("p", of="b"), False, id="another's"),
        pytest.param(
            pod_belongs(**OF_A),
            story().job("a").pod("p").gone("jobs", "a").job("a"),
            False,
            id="that of a Job of its name before",
        ),
        pytest.param(pod_belongs(**OF_A), story().job("a"), False, id="no such pod"),
        pytest.param(
            pod_change_asked(pod="p"), made_by_a_user().asks("patch", "pods", "p"), True, id="asked"
        ),
        pytest.param(
            pod_change_asked(pod="p"),
            made_by_a_user().asks("delete", "pods", "p").answered(409),
            True,
            id="asked in vain",
        ),
        pytest.param(
            pod_change_asked(pod="p"), made_by_a_user().asks("patch", "pods", "q"), False, id="not it"
        ),
        pytest.param(
            pod_change_asked(pod="p"),
            *(made_by_a_user().asks("patch", "pods", "p").asks("delete", "pods", "p"), True),
            id="asked twice",
        ),
        pytest.param(pod_change_asked(pod="p"), made_by_a_user(), False, id="nothing asked"),
    ]
)
def test_a_fact_about_whose_a_pod_is(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
