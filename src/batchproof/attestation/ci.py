"""What a CI system says of the job that signs: the run and its attempt, so that repeats can be looked up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_VARIABLES: Final = (
    "GITHUB_SERVER_URL",
    "GITHUB_REPOSITORY",
    "GITHUB_WORKFLOW_REF",
    "GITHUB_SHA",
    "GITHUB_RUN_ID",
    "GITHUB_RUN_ATTEMPT",
    "CI_JOB_URL",
    "CI_COMMIT_SHA",
    "CI_PIPELINE_ID",
)
"""Of GitHub and of GitLab. They are the word of the job; only an identity of Sigstore binds them."""


def ci_job(environment: Mapping[str, str]) -> dict[str, str]:
    """What the environment says of the job."""
    return {name: environment[name] for name in _VARIABLES if environment.get(name)}
