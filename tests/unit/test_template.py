"""The sentences of facts: each sign of a template, written and read."""

from __future__ import annotations

from typing import Any

import pytest

from batchproof.ground.errors import UserError
from batchproof.judgement import facts
from batchproof.judgement.claims import Claim, never
from batchproof.judgement.facts import FactCall, Finding, fact
from batchproof.judgement.observed import Observed
from batchproof.judgement.template import Template, TemplateError
from batchproof.profiles.job.facts.jobs import job_finished

ACTIVE = "{count:d} [pod|pods]{job:of_job} [is|are] active"
BOUND = "{count:most} [pod|pods] of gang {gang:gang} [is|are] bound"
ONLY = "of gangs {gangs:gangs} only {which:gang_or_one} is bound"


@pytest.mark.parametrize(
    ("template", "sentence", "arguments"),
    [
        pytest.param(ACTIVE, "1 pod is active", {"count": 1, "job": "a"}, id="one"),
        pytest.param(ACTIVE, "0 pods are active", {"count": 0, "job": "a"}, id="none"),
        pytest.param(ACTIVE, "2 pods of Job b are active", {"count": 2, "job": "b"}, id="of another Job"),
        pytest.param(BOUND, "no pod of gang a is bound", {"count": 0, "gang": "a"}, id="at most none"),
        pytest.param(
            BOUND, "no more than 2 pods of gang a are bound", {"count": 2, "gang": "a"}, id="at most two"
        ),
        pytest.param(
            ONLY, "of gangs a and b only a is bound", {"gangs": ["a", "b"], "which": "a"}, id="that one"
        ),
        pytest.param(
            ONLY, "of gangs a, b and c only one is bound", {"gangs": [*"abc"], "which": ""}, id="any one"
        ),
        pytest.param("{job:job} is gone", "Job b is gone", {"job": "b"}, id="a Job by name"),
    ],
)
def test_a_sentence_is_written_and_read(template: str, sentence: str, arguments: dict[str, Any]) -> None:
    it = Template(template)

    assert it.write(arguments) == sentence
    assert it.read(sentence) == arguments


@pytest.mark.parametrize(
    "sentence", ["1 pods are active", "2 pods is active", "two pods are active", "1 pod is active now", ""]
)
def test_what_is_not_the_sentence_is_not_read(sentence: str) -> None:
    assert Template(ACTIVE).read(sentence) is None


def test_a_denial_has_words_of_its_own() -> None:
    it = Template("pod {pod:name} is <|not >bound")

    assert it.write({"pod": "p"}) == "pod p is bound"
    assert it.write({"pod": "p"}, denied=True) == "pod p is not bound"
    assert it.read("pod p is not bound") is None
    assert it.read("pod p is not bound", denied=True) == {"pod": "p"}


@pytest.mark.parametrize(
    ("template", "wrong"),
    [
        ("{count:number} pods", "there is no kind 'number'"),
        ("{job:job} and {job:job}", "{job} appears twice"),
        ("{job:job} has [pod|pods]", r"\[pod\|pods\] follows no number"),
        ("{job} is gone", "'{' is part of no sign"),
        ("{job:job} <finishes", "'<' is part of no sign"),
    ],
)
def test_a_template_that_cannot_be_used_says_why(template: str, wrong: str) -> None:
    with pytest.raises(TemplateError, match=wrong):
        Template(template)


# -- a sentence that does not fit its function


@pytest.mark.parametrize(
    ("sentence", "beside", "wrong"),
    [
        pytest.param("{jobs:job} is odd", (), "{jobs} is no argument of it", id="a wrong name"),
        pytest.param("it is odd", (), "the sentence does not say 'job'", id="an argument left out"),
        pytest.param("{job:job} is odd", ("jobs",), "beside names 'jobs'", id="a wrong name beside"),
        pytest.param("{job:job} is odd", ("job",), "in the sentence and in beside", id="twice"),
        pytest.param("{job:Job} is odd", (), "there is no kind 'Job'", id="an unknown kind"),
    ],
)
def test_a_sentence_that_does_not_fit_spoils_its_fact_only(
    sentence: str, beside: tuple[str, ...], wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(facts, "_FACTS", dict(facts._FACTS))

    @fact(sentence, beside=beside)
    def odd(seen: Observed, *, job: str) -> Finding:
        raise NotImplementedError(seen, job)

    with pytest.raises(UserError, match=wrong) as error:
        _ = odd(job="a").text
    assert str(error.value).startswith(f"{__file__}:")
    assert job_finished(job="a").text == "the Job finishes"


# -- a claim as a step of a scenario


def test_a_claim_is_a_step() -> None:
    claim = never(job_finished(job="b"))

    assert claim.step == "Then for 2 seconds Job b does not finish"
    assert Claim.read(claim.step.removeprefix("Then "), claim.fact.fact) == claim


@pytest.mark.parametrize("sentence", ["for 3 seconds the Job finishes", "within 3 seconds the Job finishes"])
def test_a_length_that_no_deadline_has_is_not_read(sentence: str) -> None:
    assert Claim.read(sentence, FactCall("job_finished").fact) is None
