"""Facts about how pods are made from the template of their Job."""

from __future__ import annotations

import pytest
from fact_examples import examples, no, yes
from histories import Story, story

from batchproof.ground.resources import COMPLETION_INDEX
from batchproof.judgement.facts import FactCall
from batchproof.judgement.history import Json
from batchproof.judgement.objects.core import Pod
from batchproof.profiles.shared.facts.made import lacking, made_by_template

A = {"job": "a"}
GREEN: Json = {"metadata": {"labels": {"colour": "green"}}}
KEPT: Json = {"metadata": {"finalizers": ["example.com/kept"]}}


@examples(
    made_by_template(**A),
    yes("all of it", story().job("a", template={}).pod("a-1")),
    no("no label", story().job("a", template=GREEN).pod("a-1")),
    no("no finalizer", story().job("a", template=KEPT).pod("a-1")),
    no("no pod", story().job("a", template={})),
)
def test_a_fact_about_pods_as_they_are_made(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds


@pytest.mark.parametrize(
    ("template", "path"),
    [
        pytest.param({}, "", id="nothing said"),
        pytest.param({"containers": [{"name": "b"}]}, "", id="one of several"),
        pytest.param(
            {"containers": [{"name": "b", "env": [{"name": "X"}]}]}, "spec.containers[0]", id="no X"
        ),
        pytest.param({"grace": 7}, "spec.grace: 30 instead of 7", id="another value"),
        pytest.param({"hostname": "a"}, "spec.hostname: a-0 instead of a", id="another hostname"),
        pytest.param({"nodeSelector": {"a": "b"}}, "spec.nodeSelector: none instead of a=b", id="none"),
    ],
)
def test_what_a_pod_lacks_of_its_template(template: Json, path: str) -> None:
    pod = Pod(
        {
            "metadata": {},
            "spec": {
                "containers": [{"name": "a"}, {"name": "b", "tty": True}],
                "grace": 30,
                "hostname": "a-0",
            },
        }
    )

    assert lacking({"spec": template}, pod) == path


def test_an_index_takes_the_place_of_what_the_template_says() -> None:
    index = {COMPLETION_INDEX: "0"}
    pod = Pod({"metadata": {"annotations": index, "labels": index}, "spec": {"hostname": "a-0"}})

    assert lacking({"metadata": {"labels": {COMPLETION_INDEX: "7"}}, "spec": {"hostname": "same"}}, pod) == ""
