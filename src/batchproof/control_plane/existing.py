"""An existing cluster: only what carries the harness's own label is touched in it, and removed."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, TypeVar

from batchproof.api.access import Access, KubeconfigOrigin
from batchproof.api.client import Api
from batchproof.api.credentials import locate, read
from batchproof.control_plane import competing, leftovers, rights
from batchproof.control_plane.competing import ImplementationRole
from batchproof.control_plane.manifests import install
from batchproof.control_plane.plane import Lifecycle, Plane, Traits
from batchproof.control_plane.rights import Needs, Right
from batchproof.control_plane.unneeded_rights import unneeded_rights
from batchproof.ground.errors import HarnessError, UserError
from batchproof.judgement.history import Json
from batchproof.processes.programs import farewell

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

TRAITS: Final = Traits("existing", disposable=False, controlled=True)
T = TypeVar("T")
_REMOVE_WITHIN_S: Final = 60.0


def call(access: Access, use: Callable[[Api], Awaitable[T]]) -> T:
    """Make some requests of an API server, and wait for them."""

    async def calling() -> T:
        async with Api(access) as api:
            return await use(api)

    return asyncio.run(calling())


class ExistingCluster(Lifecycle):
    """The cluster of a kubeconfig, for one run.

    Args:
        run_dir: the folder of the run.
        run: the id of the run, which is in the label and the name of all that it makes.
        config: the kubeconfig; None for what kubectl would take.
        context: the context in it; None for the current one.
        part: what the implementation is to do there.
        needs: what its user needs rights for.
        with_all_my_rights: the user may have more rights than those.
        crds: files with the CustomResourceDefinitions that have to be there.
        objects: what else has to be there.
        say: called with each line that a user should read.
    """

    def __init__(
        self,
        run_dir: Path,
        *,
        run: str,
        config: Path | None,
        context: str | None,
        part: ImplementationRole,
        needs: Needs,
        with_all_my_rights: bool,
        crds: Sequence[Path],
        objects: Sequence[Json],
        say: Callable[[str], None],
    ) -> None:
        self._run_dir = run_dir
        self._run = run
        self._config = config
        self._context = context
        self._part = part
        self._needs = needs
        self._with_all_my_rights = with_all_my_rights
        self._crds = crds
        self._objects = objects
        self._say = say
        self._access: Access | None = None
        self._farewell: Path | None = None

    def start(self) -> Plane:
        """See that the cluster can be used.

        Raises:
            UserError: it cannot be reached, rights or objects are missing, or another controller works in it.
            HarnessError: it failed meanwhile.
        """
        origin = locate(self._config, self._context, self._run_dir)
        access = read(origin)
        try:
            version = call(access, lambda api: api.get("/version"))
        except HarnessError as error:
            raise UserError(f"{origin}: {error}") from error
        self._see_rights(access, origin)
        call(access, lambda api: install(api, self._crds, self._objects, make=False))
        self._name_leftovers(call(access, leftovers.find))
        self._promise(access, access.origin or origin)
        taken = call(access, self._look_for_rivals)
        return Plane(
            **vars(access),
            kubernetes_version=str(version["gitVersion"]).removeprefix("v"),
            traits=TRAITS,
            run_dir=self._run_dir,
            taken=taken,
        )

    def check(self) -> None:
        """Nothing of it is ours to look after; each scenario asks whether the API server answers."""

    def stop(self) -> None:
        """Remove all that the run has made.

        Raises:
            HarnessError: something could not be removed; the message names it.
        """
        if self._access is None:
            return
        access, self._access = self._access, None
        left = call(access, self._remove)
        if left:
            names = ", ".join(map(str, left))
            raise HarnessError(
                f"still in the cluster after {_REMOVE_WITHIN_S:.0f} s: {names}; `batchproof cleanup`"
            )
        if self._farewell:
            self._farewell.unlink(missing_ok=True)

    def _see_rights(self, access: Access, origin: KubeconfigOrigin) -> None:
        """See that the user has the rights that are needed, and none that would do harm in other hands."""
        who = f"the user of {origin}"
        with_descriptor = " -i DESCRIPTOR" if rights.manifests(self._needs) != rights.manifests() else ""
        give = f"`batchproof rbac{with_descriptor} | kubectl apply -f -`"
        if lacking := call(access, lambda api: rights.missing(api, self._needs)):
            raise UserError(
                f"{who} may not do all that a run needs in {access.server}:{_lines(lacking)}\n"
                f"give these rights, for instance with {give}"
            )
        if self._with_all_my_rights or self._part.installed:  # in place, batchproof starts nothing
            return
        if more := call(access, lambda api: unneeded_rights(api, self._needs)):
            raise UserError(
                f"{who} may do more in {access.server} than a run needs, and the implementation would work "
                f"with these rights:{_lines(more)}\n"
                f"judge as the ServiceAccount that {give} makes (docs/how-to/clusters.md says how), or say "
                "--with-all-my-rights if you trust the implementation with the whole cluster"
            )

    def _promise(self, access: Access, origin: KubeconfigOrigin) -> None:
        """From now on all is removed, however the run ends."""
        self._access = access
        reach = ["env", f"KUBECONFIG={os.pathsep.join(origin.files)}"]
        cleanup = [sys.executable, "-m", "batchproof", "cleanup", f"--run={self._run}"]
        command = [*reach, *cleanup, f"--context={origin.context}"]
        self._farewell = farewell(self._run_dir, "cluster", command)

    async def _remove(self, api: Api) -> list[leftovers.Leftover]:
        return await leftovers.remove(api, await leftovers.find(api, self._run), _REMOVE_WITHIN_S)

    async def _look_for_rivals(self, api: Api) -> tuple[str, ...]:
        return await competing.look_for_rivals(api, self._part, self._run)

    def _name_leftovers(self, found: list[leftovers.Leftover]) -> None:
        living = leftovers.living(found, datetime.now(UTC))
        for run in sorted({one.run for one in found} - living):
            what = leftovers.summary([one for one in found if one.run == run])
            self._say(f"left in the cluster by an earlier run: {what}; `batchproof cleanup` removes them")


def _lines(found: Sequence[Right]) -> str:
    """Rights, those of one resource on one line."""
    verbs: dict[str, list[str]] = {}
    for right in found:
        verbs.setdefault(str(replace(right, verb="")), []).append(right.verb)
    return "".join(f"\n  {', '.join(those)}{of}" for of, those in verbs.items())
