"""Creating and deleting the objects that an owner controls, with its expectations and Events."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from reference_controller.objects.api_json import deletion
from reference_controller.objects.identity import Topic, Versioned
from reference_controller.objects.resources import Resource
from reference_controller.runtime.client import ApiError
from reference_controller.runtime.events import EventRecorder
from reference_controller.runtime.expectations import Expectations
from reference_controller.runtime.informer import Informer
from reference_controller.runtime.runtime import Runtime

if TYPE_CHECKING:
    from typing import Any


class Reasons(NamedTuple):
    """The reasons of the events about children; empty: there is no event."""

    created: str = "SuccessfulCreate"
    create_failed: str = "FailedCreate"
    deleted: str = "SuccessfulDelete"
    delete_failed: str = "FailedDelete"


REASONS = Reasons()
FAILURES = Reasons(created="", deleted="")


class Children:
    """The children of one resource.

    Args:
        runtime: what all controllers share.
        recorder: where events go.
        resource: of the children.
        informer: their cache.
        noun: what events call a child.
        reasons: of the events.
        propagation: how what the children control is deleted with them; None: the API server chooses.
    """

    def __init__(
        self,
        runtime: Runtime,
        recorder: EventRecorder,
        resource: Resource,
        informer: Informer[Any],
        *,
        noun: str = "pod",
        reasons: Reasons = REASONS,
        propagation: str | None = None,
    ) -> None:
        self._client = runtime.client
        self._recorder = recorder
        self._resource = resource
        self._informer = informer
        self._noun = noun
        self._reasons = reasons
        self._propagation = propagation

    async def create(self, owner: Topic, body: bytes, expectations: Expectations) -> ApiError | None:
        """Create one that `expect_creations` has counted; the error if that failed.

        EXP-014: one that failed is not waited for.
        """
        try:
            raw = await self._client.post(self._resource.of(owner.namespace), body)
        except ApiError as error:
            expectations.creation_failed()
            if not error.namespace_terminating:
                self._record(owner, "Warning", self._reasons.create_failed, f"Error creating: {error}")
            return error
        metadata = raw["metadata"]
        expectations.created(metadata["uid"], int(metadata["resourceVersion"]), self._informer.seen)
        self._record(owner, "Normal", self._reasons.created, f"Created {self._noun}: {metadata['name']}")
        return None

    async def delete(self, owner: Topic, child: Versioned, expectations: Expectations) -> ApiError | None:
        """Delete one that `expect_deletion` has named; the error if that failed.

        EXP-026: what was not deleted, or was gone already, is not waited for.
        """
        try:
            options = deletion(child.uid, propagation=self._propagation)
            await self._client.delete(self._resource.path(child), options)
        except ApiError as error:
            expectations.deletion_failed(child.uid)
            if not error.not_found:
                self._record(owner, "Warning", self._reasons.delete_failed, f"Error deleting: {error}")
            return error
        self._record(owner, "Normal", self._reasons.deleted, f"Deleted {self._noun}: {child.name}")
        return None

    def _record(self, owner: Topic, kind: str, reason: str, message: str) -> None:
        if reason:
            self._recorder.record(owner, kind, reason, message)
