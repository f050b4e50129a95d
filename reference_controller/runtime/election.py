"""Leader election at work: takes the Lease, renews it, and lets the work go on only as long as it is held."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from reference_controller.election.api_json import lease_body, read_lease
from reference_controller.election.lease import LEASES, Lease, Terms, given_up, may_take, may_work, taken
from reference_controller.runtime import clock
from reference_controller.runtime.client import ApiClient, ApiError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

log = logging.getLogger(__name__)


class LeadershipLostError(Exception):
    """The Lease was not renewed in time, or another has it: the process must end."""


class Election:
    """One replica in the election for one Lease.

    Args:
        client: for the Lease alone: what the work waits for must not hold up a renewal.
        namespace: of the Lease.
        name: of the Lease.
        identity: the name of the replica; no two are the same.
        terms: how long is how long.
    """

    def __init__(self, client: ApiClient, namespace: str, name: str, identity: str, terms: Terms) -> None:
        self._client = client
        self._identity = identity
        self._terms = terms
        self._lease = Lease(namespace, name)
        self._path = LEASES.named(namespace, name)
        self._seen_s = clock.steady()
        self._renewed_s: float | None = None

    async def lead(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Stand by until the Lease is got, then work; the end of the work gives the Lease up.

        Raises:
            LeadershipLostError: the Lease is not held any more.
        """
        while True:
            if await self._renewed():
                break
            await asyncio.sleep(self._terms.retry_s)
        log.info("%s leads", self._identity)
        working = asyncio.create_task(work())
        try:
            await self._keep(working)
        finally:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)
            if self.leads:
                await self._give_up()

    @property
    def leads(self) -> bool:
        """The Lease is held for certain: what is written now is written by no other replica."""
        return self._renewed_s is not None and may_work(clock.steady() - self._renewed_s, self._terms)

    async def _keep(self, working: asyncio.Task[None]) -> None:
        """Renew the Lease as long as the work goes on."""
        while not (await asyncio.wait({working}, timeout=self._terms.retry_s))[0]:
            if not await self._renewed() and not self.leads:
                raise LeadershipLostError(f"{self._identity} has lost the Lease {self._lease.name}")
        working.result()

    async def _renewed(self) -> bool:
        """Take or renew the Lease; whether that went well."""
        asked_s = clock.steady()
        try:
            async with asyncio.timeout(self._terms.renew_deadline_s):
                await self._look()
                if not may_take(self._lease, self._identity, clock.steady() - self._seen_s):
                    self._renewed_s = None
                    return False
                await self._write(taken(self._lease, self._identity, self._terms, clock.now()))
        except (ApiError, TimeoutError) as error:
            log.warning("the Lease %s: %r", self._lease.name, error)
            return False
        self._renewed_s = asked_s
        return True

    async def _look(self) -> None:
        try:
            lease = read_lease(await self._client.get(self._path))
        except ApiError as error:
            if not error.not_found:
                raise
            lease = Lease(self._lease.namespace, self._lease.name)
        if lease.version != self._lease.version:
            self._seen_s = clock.steady()
        self._lease = lease

    async def _write(self, lease: Lease) -> None:
        if lease.version:
            stored = await self._client.put(self._path, lease_body(lease))
        else:
            stored = await self._client.post(LEASES.of(lease.namespace), lease_body(lease))
        self._lease = read_lease(stored)

    async def _give_up(self) -> None:
        try:
            await self._look()  # a renewal may have been under way
            if self._lease.holder == self._identity:
                await self._write(given_up(self._lease, clock.now()))
        except ApiError as error:
            log.warning("the Lease %s was not given up: %s", self._lease.name, error)
