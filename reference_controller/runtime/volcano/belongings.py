"""How what a Volcano Job needs beside its pods is made and taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from reference_controller.objects.api_json import deletion
from reference_controller.objects.resources import CLAIMS
from reference_controller.runtime.client import ApiError
from reference_controller.runtime.volcano.keys import new_keys
from reference_controller.runtime.volcano.known import Known
from reference_controller.volcano import api_json
from reference_controller.volcano.actions import (
    CreateClaim,
    CreateExtra,
    CreateGroup,
    DeleteExtra,
    DeleteGroup,
    TellClaimMissing,
    UpdateGroup,
)
from reference_controller.volcano.groups import group_spec
from reference_controller.volcano.objects import GROUPS
from reference_controller.volcano.plugins.extra import Extra
from reference_controller.volcano.reconcile import Observed

if TYPE_CHECKING:
    from collections.abc import Coroutine

Preparation = (
    CreateGroup | UpdateGroup | DeleteGroup | CreateExtra | DeleteExtra | CreateClaim | TellClaimMissing
)


async def prepare(known: Known, action: Preparation, observed: Observed) -> None:
    """Make the writes of an action.

    Raises:
        ApiError: one of them failed.
    """
    job, client = observed.job, known.client
    match action:
        case CreateGroup():
            body = api_json.new_group(job, group_spec(job, observed.priorities))
            await _unless_there(client.post(GROUPS.of(job.namespace), body))
        case UpdateGroup(group):
            body = api_json.group_change(group, group_spec(job, observed.priorities))
            await client.merge(GROUPS.path(group), body)
        case DeleteGroup(group):
            await _unless_gone(client.delete(GROUPS.path(group), deletion(group.uid)))
        case CreateExtra(extra):
            await _create(known, extra, observed)
        case DeleteExtra(child):
            await _unless_gone(client.delete(child.resource.path(child), deletion(child.uid)))
        case CreateClaim(claim):
            await client.post(CLAIMS.of(job.namespace), api_json.new_claim(job, claim))
        case TellClaimMissing(claim):
            message = f"Failed to create PVC, err: pvc {claim.name} is not found"
            known.recorder.record(job, "Warning", "PVCError", message)
        case _:
            assert_never(action)


async def _create(known: Known, extra: Extra, observed: Observed) -> None:
    """VOL-045: what is there already is made to hold what it must."""
    job = observed.job
    if any(it.resource == extra.resource and it.name == extra.name for it in observed.extras):
        path = extra.resource.named(job.namespace, extra.name)
        await known.client.merge(path, api_json.extra_change(extra))
        return
    body = api_json.new_extra(job, extra, new_keys() if extra.has_keys else {})
    await known.client.post(extra.resource.of(job.namespace), body)


async def _unless_gone(removal: Coroutine[None, None, object]) -> None:
    """What is gone already need not be deleted; that it failed would count against the Job (VOL-013)."""
    try:
        await removal
    except ApiError as error:
        if not error.not_found:
            raise


async def _unless_there(creation: Coroutine[None, None, object]) -> None:
    """VOL-005: the watch has still to show the PodGroup that is there, or its end: that leads back here."""
    try:
        await creation
    except ApiError as error:
        if not error.already_exists:
            raise
