"""An ephemeral kind cluster: made for one run, and deleted with it, however the run ends."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from batchproof.api.client import Api
from batchproof.api.credentials import locate, read
from batchproof.control_plane import kind_record
from batchproof.control_plane.competing import ImplementationRole, look_for_rivals
from batchproof.control_plane.controllers import old_name
from batchproof.control_plane.existing import call
from batchproof.control_plane.kind_record import DAEMON_VARIABLE, KindRecord, recorded, run, words
from batchproof.control_plane.plane import Lifecycle, Plane, Traits
from batchproof.control_plane.tools import ToolFailed, send
from batchproof.ground import yaml_text
from batchproof.ground.errors import HarnessError, UserError
from batchproof.processes.programs import farewell, lives

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

TRAITS: Final = Traits("kind", disposable=True, controlled=True, real_kubelet=True)
_ANSWER_LIMIT_S: Final = 20.0
_PULL_LIMIT_S: Final = 900.0
_READY_WITHIN: Final = "180s"
_CONTROLLERS_LIMIT_S: Final = 60.0
_POLL_S: Final = 0.1
_CGROUPS_V1: Final = "1"
_ELSE: Final = "or judge without containers: --cluster embedded"

# kubeadm's own choice of controllers. Before 1.31 (v1beta3) they are called by their old names, and arguments
# are a table.
_KUBEADM_CONTROLLERS: Final = ("bootstrap-signer-controller", "token-cleaner-controller")
_OLDER: Final = "v1beta3"
_VERSIONS: Final = ("v1beta4", _OLDER)


class KindCluster(Lifecycle):
    """One kind cluster for one run.

    Args:
        run_dir: the folder of the run.
        kind: the program.
        image: the node image; None for the one that kind takes by itself.
        config: a configuration of kind; what is needed is added to it.
        api_server_flags: further flags for kube-apiserver.
        part: what the implementation is to do there; the controllers that do the same do not run.
        run: the id of the run.
        say: called with each line that a user should read.
    """

    def __init__(
        self,
        run_dir: Path,
        kind: Path,
        *,
        image: str | None,
        config: Path | None,
        api_server_flags: Sequence[str],
        part: ImplementationRole,
        run: str,
        say: Callable[[str], None],
    ) -> None:
        self._run_dir = run_dir
        self._kind = kind
        self._image = image
        self._config = config
        self._flags = api_server_flags
        self._part = part
        self._run = run
        self._say = say
        self._record: KindRecord | None = None
        self._farewell: Path | None = None

    def start(self) -> Plane:
        """Create the cluster, and return when its node is ready.

        Raises:
            UserError: Docker, the image or the configuration cannot be used; the message says what to do.
            HarnessError: the cluster did not come up.
        """
        cgroups = cgroup_version()
        _sweep(self._say)
        if self._image:
            _ensure_image(self._image, self._say)
        config = configuration(
            self._config,
            old_cgroups=cgroups == _CGROUPS_V1,
            api_server_flags=self._flags,
            without=() if self._part.installed else self._part.built_in,
        )
        if cgroups == _CGROUPS_V1:
            self._say(
                "this machine has cgroup v1: kubelet is configured to work with it (failCgroupV1: false)"
            )
        self._record = record = self._promise(config)
        self._create(record, config)
        access = read(locate(Path(record.kubeconfig), None, self._run_dir))
        version = call(access, lambda api: api.get("/version"))
        call(access, _controllers_at_work)  # else a rival that has yet to start would not be seen
        taken = call(access, lambda api: look_for_rivals(api, self._part, self._run))
        return Plane(
            **vars(access),
            kubernetes_version=str(version["gitVersion"]).removeprefix("v"),
            traits=TRAITS,
            run_dir=self._run_dir,
            taken=taken,
        )

    def check(self) -> None:
        """Nothing to look after: each scenario asks whether the API server answers."""

    def stop(self) -> None:
        """Delete the cluster.

        Raises:
            HarnessError: it could not be deleted; the message says how to.
        """
        if self._record is not None:
            self._record.delete()
            self._record = None
        if self._farewell:
            self._farewell.unlink(missing_ok=True)
            self._farewell = None

    def _promise(self, config: Mapping[str, Any]) -> KindRecord:
        """From now on the cluster is deleted, however the run ends."""
        name = self._run_dir.name
        record = KindRecord(
            name=name,
            kind=str(self._kind),
            run_dir=str(self._run_dir),
            kubeconfig=str(self._run_dir / "kind.kubeconfig"),
            daemon=_daemon(),
            nodes=_node_names(name, config),
        )
        record.write()
        self._farewell = farewell(
            self._run_dir, "cluster", [sys.executable, "-m", kind_record.__name__, record.file]
        )
        return record

    def _create(self, record: KindRecord, config: Mapping[str, Any]) -> None:
        file = self._run_dir / "kind.yaml"
        file.write_text(json.dumps(config), "utf-8")
        image = ["--image", self._image] if self._image else []
        self._say(f"creating the kind cluster {record.name}")
        try:
            send(
                [
                    self._kind,
                    *("create", "cluster", "--name", record.name, "--config", file, *image),
                    *("--wait", _READY_WITHIN, "--kubeconfig", record.kubeconfig),
                ],
                run_dir=self._run_dir,
                name="kind",
                env=record.environment,
                cwd=self._run_dir,
                looking=lambda _: None,
            )
        except ToolFailed as error:
            raise _explained(error, self._image) from error


def configuration(
    path: Path | None, *, old_cgroups: bool, api_server_flags: Sequence[str], without: Sequence[str]
) -> dict[str, Any]:
    """The configuration of kind: the user's, and what a run needs.

    Args:
        path: the user's.
        old_cgroups: this machine has cgroup v1.
        api_server_flags: further flags for kube-apiserver.
        without: controllers of kube-controller-manager that must not run, by their names of today.

    Raises:
        UserError: the user's is no configuration of a kind cluster.
    """
    config: dict[str, Any] = {"kind": "Cluster", "apiVersion": "kind.x-k8s.io/v1alpha4"}
    if path:
        content = next(iter(yaml_text.load_all(path)), None)
        if not isinstance(content, dict) or content.get("kind") != "Cluster":
            raise UserError(
                f"--kind-config: {path} is no configuration of kind: it is not of the kind Cluster"
            )
        config = content
    patches = list(config.get("kubeadmConfigPatches") or [])
    if old_cgroups:
        patches.append(json.dumps({"kind": "KubeletConfiguration", "failCgroupV1": False}))
    flags = dict(flag.removeprefix("--").split("=", 1) for flag in api_server_flags)
    for version in _VERSIONS:
        named = [*_KUBEADM_CONTROLLERS, *(f"-{name}" for name in without)]
        controllers = ",".join(["*", *(map(old_name, named) if version == _OLDER else named)])
        arguments = {
            "apiServer": flags,
            "controllerManager": {"controllers": controllers} if without else {},
        }
        parts = {part: {"extraArgs": _extra(version, given)} for part, given in arguments.items() if given}
        if parts:
            about = {"kind": "ClusterConfiguration", "apiVersion": f"kubeadm.k8s.io/{version}"}
            patches.append(json.dumps({**about, **parts}))
    return {**config, "kubeadmConfigPatches": patches}


def _extra(version: str, given: Mapping[str, str]) -> Any:
    """Arguments of a program, as a version of kubeadm spells them."""
    if version == "v1beta3":
        return dict(given)
    return [{"name": name, "value": value} for name, value in given.items()]


async def _controllers_at_work(api: Api) -> None:
    """Wait until the cluster's own controllers work: one of them makes a ServiceAccount in each namespace.

    kind waits for the node alone, and that may be ready before.

    Raises:
        HarnessError: they did not start.
    """
    for _ in range(round(_CONTROLLERS_LIMIT_S / _POLL_S)):
        if await api.get("/api/v1/namespaces/default/serviceaccounts/default", missing_ok=True):
            return
        await asyncio.sleep(_POLL_S)
    raise HarnessError(
        f"the controllers of the kind cluster were not at work after {_CONTROLLERS_LIMIT_S:.0f} s"
    )


def cgroup_version() -> str:
    """The version of cgroups that containers get here.

    Raises:
        UserError: there is no Docker, or it does not answer.
    """
    if shutil.which("docker") is None:
        raise UserError(
            f"--cluster kind needs docker, and there is none on the PATH: install Docker, {_ELSE}"
        )
    try:
        asked = run(["docker", "info", "--format", "{{.CgroupVersion}}"], _ANSWER_LIMIT_S)
    except subprocess.TimeoutExpired as error:
        raise UserError(
            f"the Docker daemon does not answer within {_ANSWER_LIMIT_S:.0f} s; is it well? Else {_ELSE}"
        ) from error
    said = asked.stdout.decode().strip()
    if asked.returncode or not said:
        raise UserError(
            f"the Docker daemon does not answer: {words(asked)}\n"
            f"start it, or let DOCKER_HOST name another, {_ELSE}"
        )
    return said


def _ensure_image(image: str, say: Callable[[str], None]) -> None:
    """See that Docker has an image: kind itself would only say after many tries that it cannot be had.

    Raises:
        UserError: it is not there, and cannot be pulled.
    """
    if not run(["docker", "image", "inspect", image], _ANSWER_LIMIT_S).returncode:
        return
    say(f"pulling the node image {image}")
    pulled = run(["docker", "pull", "--quiet", image], _PULL_LIMIT_S)
    if pulled.returncode:
        raise UserError(
            f"Docker has no image {image}, and cannot pull it: {words(pulled)}\n"
            "look at --kind-image, or load it with `docker load`; docs/how-to/clusters.md says how"
        )


def _sweep(say: Callable[[str], None]) -> None:
    """Delete the clusters of runs that are dead, if they are this daemon's."""
    for record in recorded():
        if record.daemon == _daemon() and not lives(Path(record.run_dir)):
            say(f"deleting the kind cluster {record.name}, which a run that was killed has left")
            record.delete()


def _daemon() -> str:
    return os.environ.get(DAEMON_VARIABLE, "")


def _node_names(cluster: str, config: Mapping[str, Any]) -> tuple[str, ...]:
    """What kind calls the containers of a cluster: by role, numbered from the second on."""
    roles = [str(node.get("role", "control-plane")) for node in config.get("nodes") or [{}]]
    names = []
    for role in dict.fromkeys(roles):
        numbers = range(1, roles.count(role) + 1)
        names += [f"{cluster}-{role}{number if number > 1 else ''}" for number in numbers]
    return (*names, f"{cluster}-external-load-balancer") if roles.count("control-plane") > 1 else (*names,)


def _explained(error: ToolFailed, image: str | None) -> UserError | HarnessError:
    """What a failed creation means for the user."""
    if "failed to pull image" in error.output:
        return UserError(
            "the node image of kind cannot be pulled: name one that Docker has with --kind-image; "
            f"docs/how-to/clusters.md says how to make one\n{error.last_words()}"
        )
    if "failed to load configuration" in error.output or "invalid configuration" in error.output:
        return UserError(f"kind does not take the configuration:\n{error.last_words()}")
    return HarnessError(
        f"kind could not create a cluster of {image or 'its own image'}:\n{error.last_words(30)}"
    )
