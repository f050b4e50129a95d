"""An ephemeral kind cluster: made for one run, and deleted with it, however the run ends.

Three deletions, each for whom the one before could not serve: the end of the run, its janitor (``kill -9`` of
the run), and the next run (the janitor was killed too). For the last, each cluster has a record in the cache
that names the folder of its run: a run whose janitor no longer holds the lock there is dead.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import yaml

from batchproof.control_plane import cache, kubeconfig
from batchproof.control_plane.errands import ErrandFailed, send
from batchproof.control_plane.existing import call
from batchproof.control_plane.plane import KIND, Plane
from batchproof.control_plane.rivals import look_for_rivals
from batchproof.errors import HarnessError, UserError
from batchproof.processes import farewell, lives

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import TracebackType

    from batchproof.control_plane.rivals import Part

_ANSWER_LIMIT_S: Final = 20.0
_PULL_LIMIT_S: Final = 900.0
_DELETE_LIMIT_S: Final = 120.0
_READY_WITHIN: Final = "180s"
_NETWORK_VARIABLE: Final = "KIND_EXPERIMENTAL_DOCKER_NETWORK"
_CGROUPS_V1: Final = "1"
_ELSE: Final = "or judge without containers: --cluster embedded"

# kubeadm's own choice of controllers, less those that a judged Job controller stands in for. Before 1.31
# (v1beta3) the controllers went by other names, and arguments were a table.
_OTHER_CONTROLLERS: Final = {
    "v1beta4": (
        "*,bootstrap-signer-controller,token-cleaner-controller,-job-controller,-ttl-after-finished-controller"
    ),
    "v1beta3": "*,bootstrapsigner,tokencleaner,-job,-ttl-after-finished",
}


class KindCluster:
    """One kind cluster for one run.

    Args:
        run_dir: the folder of the run.
        kind: the program.
        image: the node image; None for the one that kind takes by itself.
        config: a configuration of kind; what is needed is added to it.
        api_server_flags: further flags for kube-apiserver.
        part: what the implementation is to do there; the cluster's own Job controller makes room for one.
        run: the id of the run.
        say: told what a user should know.
    """

    def __init__(
        self,
        run_dir: Path,
        kind: Path,
        *,
        image: str | None,
        config: Path | None,
        api_server_flags: Sequence[str],
        part: Part,
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
        self._made: _Made | None = None

    def start(self) -> Plane:
        """Create the cluster, and return when its node is ready.

        Raises:
            UserError: Docker, the image or the configuration cannot be used; the message says what to do.
            HarnessError: the cluster did not come up.
        """
        cgroups = _cgroup_version()
        _sweep(self._kind, self._say)
        if self._image:
            _ensure_image(self._image, self._say)
        config = configuration(
            self._config,
            old_cgroups=cgroups == _CGROUPS_V1,
            api_server_flags=self._flags,
            judges_jobs=self._part.jobs,
        )
        if cgroups == _CGROUPS_V1:
            self._say("this machine has cgroup v1: kubelet is told to work with it (failCgroupV1: false)")
        self._made = made = _Made(self._run_dir.name, self._kind, self._run_dir)
        made.promise()
        self._create(made, config)
        access = kubeconfig.read(made.kubeconfig, None, self._run_dir)
        version = call(access, lambda api: api.get("/version"))
        taken = call(access, lambda api: look_for_rivals(api, self._part, self._run))
        return Plane(
            server=access.server,
            token=access.token,
            ca_file=access.ca_file,
            certificate_file=access.certificate_file,
            key_file=access.key_file,
            kubernetes_version=str(version["gitVersion"]).removeprefix("v"),
            provider=KIND,
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
        if self._made is not None:
            made, self._made = self._made, None
            made.delete()

    def __enter__(self) -> Plane:
        """Start."""
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop."""
        self.stop()

    def _create(self, made: _Made, config: Mapping[str, Any]) -> None:
        file = self._run_dir / "kind.yaml"
        file.write_text(json.dumps(config), "utf-8")
        image = ["--image", self._image] if self._image else []
        self._say(f"creating the kind cluster {made.name}")
        try:
            send(
                [
                    self._kind,
                    *("create", "cluster", "--name", made.name, "--config", file, *image),
                    *("--wait", _READY_WITHIN, "--kubeconfig", made.kubeconfig),
                ],
                run_dir=self._run_dir,
                name="kind",
                env=made.environment,
                cwd=self._run_dir,
                looking=lambda _: None,
            )
        except ErrandFailed as error:
            raise _explained(error, self._image) from error


class _Made:
    """A cluster that is there, or will be, and what has to be removed with it.

    Attributes:
        name: its name, and that of its network: the name of the run's folder.
        kubeconfig: how to reach it.
        environment: the variables that kind and docker need for it.
    """

    def __init__(self, name: str, kind: Path, run_dir: Path) -> None:
        self.name = name
        self.kubeconfig = run_dir / "kind.kubeconfig"
        # A network of its own: the one that kind shares between clusters would stay behind.
        self.environment = {_NETWORK_VARIABLE: name, "KIND_EXPERIMENTAL_PROVIDER": "docker"}
        self._run_dir = run_dir
        self._delete_cluster = [
            *(str(kind), "delete", "cluster", "--name", name),
            *("--kubeconfig", str(self.kubeconfig)),
        ]
        self._delete_network = ["docker", "network", "rm", name]
        self._farewells: list[Path] = []

    @property
    def record(self) -> Path:
        """Where the next run finds it."""
        return _records() / f"{self.name}.json"

    def promise(self) -> None:
        """From now on it is deleted, however the run ends."""
        self.record.parent.mkdir(parents=True, exist_ok=True)
        about = {"run_dir": str(self._run_dir), "docker": os.environ.get("DOCKER_HOST", "")}
        self.record.write_text(json.dumps(about), "utf-8")
        variables = [f"{name}={value}" for name, value in self.environment.items()]
        self._farewells = [
            farewell(self._run_dir, "1-cluster", ["env", *variables, *self._delete_cluster]),
            farewell(self._run_dir, "2-network", self._delete_network),
            farewell(self._run_dir, "3-record", ["rm", "-f", str(self.record)]),
        ]

    def delete(self) -> None:
        """Delete it now.

        Raises:
            HarnessError: that did not work.
        """
        done = _run(self._delete_cluster, _DELETE_LIMIT_S, self.environment)
        if done.returncode:
            raise HarnessError(
                f"the kind cluster {self.name} could not be deleted: {_words(done)}\n"
                f"delete it with `kind delete cluster --name {self.name}`"
            )
        _run(self._delete_network, _ANSWER_LIMIT_S)
        self.record.unlink(missing_ok=True)
        for promise in self._farewells:
            promise.unlink(missing_ok=True)


def configuration(
    path: Path | None, *, old_cgroups: bool, api_server_flags: Sequence[str], judges_jobs: bool
) -> dict[str, Any]:
    """The configuration of kind: the user's, and what a run needs.

    Raises:
        UserError: the user's is no configuration of a kind cluster.
    """
    config: dict[str, Any] = {"kind": "Cluster", "apiVersion": "kind.x-k8s.io/v1alpha4"}
    if path:
        try:
            told: Any = yaml.safe_load(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            raise UserError(f"--kind-config: {path} cannot be read: {error}") from error
        if not isinstance(told, dict) or told.get("kind") != "Cluster":
            raise UserError(
                f"--kind-config: {path} is no configuration of kind: it is not of the kind Cluster"
            )
        config = told
    patches = list(config.get("kubeadmConfigPatches") or [])
    if old_cgroups:
        patches.append(json.dumps({"kind": "KubeletConfiguration", "failCgroupV1": False}))
    flags = dict(flag.removeprefix("--").split("=", 1) for flag in api_server_flags)
    for version, controllers in _OTHER_CONTROLLERS.items():
        arguments = {
            "apiServer": flags,
            "controllerManager": {"controllers": controllers} if judges_jobs else {},
        }
        told = {part: {"extraArgs": _extra(version, given)} for part, given in arguments.items() if given}
        if told:
            about = {"kind": "ClusterConfiguration", "apiVersion": f"kubeadm.k8s.io/{version}"}
            patches.append(json.dumps({**about, **told}))
    return {**config, "kubeadmConfigPatches": patches}


def _extra(version: str, given: Mapping[str, str]) -> Any:
    """Arguments of a program, as a version of kubeadm spells them."""
    if version == "v1beta3":
        return dict(given)
    return [{"name": name, "value": value} for name, value in given.items()]


def _cgroup_version() -> str:
    """The version of cgroups that containers get here.

    Raises:
        UserError: there is no Docker, or nobody answers.
    """
    if shutil.which("docker") is None:
        raise UserError(
            f"--cluster kind needs docker, and there is none on the PATH: install Docker, {_ELSE}"
        )
    try:
        asked = _run(["docker", "info", "--format", "{{.CgroupVersion}}"], _ANSWER_LIMIT_S)
    except subprocess.TimeoutExpired as error:
        raise UserError(
            f"the Docker daemon does not answer within {_ANSWER_LIMIT_S:.0f} s; is it well? Else {_ELSE}"
        ) from error
    said = asked.stdout.decode().strip()
    if asked.returncode or not said:
        raise UserError(
            f"the Docker daemon does not answer: {_words(asked)}\n"
            f"start it, or let DOCKER_HOST name another, {_ELSE}"
        )
    return said


def _ensure_image(image: str, say: Callable[[str], None]) -> None:
    """See that Docker has an image: kind itself would only say after many tries that it cannot be had.

    Raises:
        UserError: it is not there, and cannot be pulled.
    """
    if not _run(["docker", "image", "inspect", image], _ANSWER_LIMIT_S).returncode:
        return
    say(f"pulling the node image {image}")
    pulled = _run(["docker", "pull", "--quiet", image], _PULL_LIMIT_S)
    if pulled.returncode:
        raise UserError(
            f"Docker has no image {image}, and cannot pull it: {_words(pulled)}\n"
            "look at --kind-image, or load it with `docker load`; docs/clusters.md tells how to make one"
        )


def _sweep(kind: Path, say: Callable[[str], None]) -> None:
    """Delete the clusters of runs that are dead, if they are this daemon's."""
    for record in sorted(_records().glob("*.json")):
        about = json.loads(record.read_text("utf-8"))
        run_dir = Path(about["run_dir"])
        if about["docker"] != os.environ.get("DOCKER_HOST", "") or lives(run_dir):
            continue
        say(f"deleting the kind cluster {record.stem}, which a run that was killed has left")
        _Made(record.stem, kind, run_dir).delete()


def _records() -> Path:
    return cache.cache_folder() / "kind" / "clusters"


def _explained(error: ErrandFailed, image: str | None) -> UserError | HarnessError:
    """What a failed creation means for the user."""
    if "failed to pull image" in error.output:
        return UserError(
            "the node image of kind cannot be pulled: name one that Docker has with --kind-image; "
            f"docs/clusters.md tells how to make one\n{error.last_words()}"
        )
    if "failed to load configuration" in error.output or "invalid configuration" in error.output:
        return UserError(f"kind does not take the configuration:\n{error.last_words()}")
    return HarnessError(
        f"kind could not create a cluster of {image or 'its own image'}:\n{error.last_words(30)}"
    )


def _run(
    command: Sequence[str], limit_s: float, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        command,
        capture_output=True,
        check=False,
        timeout=limit_s,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **(env or {})},
    )


def _words(done: subprocess.CompletedProcess[bytes]) -> str:
    return (done.stderr or done.stdout).decode(errors="replace").strip()
