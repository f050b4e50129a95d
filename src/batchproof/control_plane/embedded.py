"""A control plane of plain processes: etcd, kube-apiserver, and controllers of kube-controller-manager.

kube-apiserver and etcd start at the same moment; etcd listens on a socket in the run's private folder, so
that no other user of the machine reaches it and only one port is needed. What the start costs is the work of
kube-apiserver, and a fixed second in it: the hooks for RBAC roles and priority classes begin with a sleep.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import secrets
import shutil
import ssl
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from batchproof.api.certificates import write_certificates
from batchproof.control_plane.controllers import old_name
from batchproof.control_plane.plane import Lifecycle, OwnPlane, Plane, Traits, flag_names
from batchproof.ground.errors import HarnessError, UserError
from batchproof.processes.environment import bare
from batchproof.processes.programs import Process, free_ports, spawn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

START_LIMIT_S: Final = 60.0
_POLL_S: Final = 0.02
_TRIES: Final = 5
_PORT_TAKEN: Final = "address already in use"
_RUNS: Final = "ersion"
"""What the controllers print once they have read their kubeconfig: their version."""
_NO_SPACE: Final = "no space left on device"

ETCD: Final = "etcd"
API_SERVER: Final = "kube-apiserver"
CONTROLLERS: Final = "kube-controller-manager"
DELETION: Final = "deletion-controllers"
"""The garbage collector and the namespace controller alone: fixtures/control_plane/main.go."""

_ETCD_FLAGS: Final = (
    "--data-dir=etcd",
    "--listen-client-urls=unix://etcd.sock",
    "--advertise-client-urls=unix://etcd.sock",
    "--listen-peer-urls=unix://etcd-peer.sock",
    "--unsafe-no-fsync",  # nothing in it outlives the run
    "--backend-batch-interval=5s",  # it is read from memory: no need to write it to a file ten times a second
)
_API_SERVER_FLAGS: Final = (
    "--etcd-servers=unix://etcd.sock",
    # The one that it makes for itself is RSA: its signatures, one for each connection, are 5 % of its work.
    "--tls-cert-file=certs/tls.crt",
    "--tls-private-key-file=certs/tls.key",
    "--bind-address=127.0.0.1",
    # No client finds it through the kubernetes Service; without an address a machine with no network fails.
    "--advertise-address=127.0.0.1",
    "--endpoint-reconciler-type=none",
    "--service-account-issuer=https://kubernetes.default.svc",
    "--service-account-key-file=service-account.key",
    "--service-account-signing-key-file=service-account.key",
    "--service-cluster-ip-range=10.0.0.0/24",
    "--authorization-mode=RBAC",
    "--token-auth-file=tokens.csv",
    # Pods need no token, and namespaces no default ServiceAccount: its controller does not run.
    "--disable-admission-plugins=ServiceAccount",
    # Every client is either the harness or under test: none may be slowed down for the sake of another.
    "--enable-priority-and-fairness=false",
)
_AUDIT_FLAGS: Final = (
    "--audit-policy-file=audit.json",
    "--audit-log-path=audit.log",
    "--audit-log-maxsize=100000",  # in MiB: a file that were moved away would be read no further
)
_NAMES: Final = ("kubernetes", "kubernetes.default", "kubernetes.default.svc")
"""By these pods know it, and a kubeconfig may give one as tls-server-name."""
_SELDOM: Final = {"GOGC": "400"}
"""They look for garbage when they have five times what they need, not twice: a sixth of their work less."""
_CONTROLLERS_USER: Final = "system:kube-controller-manager"
TRAITS: Final = Traits("embedded", disposable=True, controlled=False, own_programs=True)
_AUDIT_POLICY: Final = {
    "apiVersion": "audit.k8s.io/v1",
    "kind": "Policy",
    "omitStages": ["RequestReceived"],
    "rules": [
        # What Kubernetes itself does: garbage collection, the end of namespaces, its defaults.
        {"level": "None", "users": [_CONTROLLERS_USER, "system:apiserver"]},
        {"level": "None", "verbs": ["get", "list", "watch"]},
        {"level": "Metadata"},
    ],
}
_ALWAYS: Final = ("garbage-collector-controller", "namespace-controller")
_CONTROLLERS_RENAMED: Final = (1, 28)
_KUBECONFIG_FLAG: Final = ("--kubeconfig=kubeconfig",)
_CONTROLLER_FLAGS: Final = (
    *_KUBECONFIG_FLAG,
    "--leader-elect=false",
    "--use-service-account-credentials=false",
    "--kube-api-qps=1000",
    "--kube-api-burst=1000",
    "--secure-port=0",
)


class EmbeddedControlPlane(Lifecycle):
    """One control plane of its own; several may live in one run.

    Args:
        run_dir: the folder of the run.
        binaries: where etcd, kube-apiserver and the controllers are: deletion-controllers, or else
            kube-controller-manager, which `beside` needs.
        kubernetes_version: the version that kube-apiserver must have (major and minor count).
        api_server_flags: further flags for kube-apiserver; they replace those of the same name.
        with_controllers: whether the namespace and garbage collector controllers run; an implementation
            that brings its own does without.
        beside: further controllers of kube-controller-manager that run with them, by their names of today.
    """

    def __init__(
        self,
        run_dir: Path,
        binaries: Mapping[str, Path],
        *,
        kubernetes_version: str,
        api_server_flags: Sequence[str] = (),
        with_controllers: bool = True,
        beside: Sequence[str] = (),
    ) -> None:
        self._run_dir = run_dir
        self._binaries = binaries
        self._version = kubernetes_version
        self._flags = list(api_server_flags)
        self._with_controllers = with_controllers
        self._beside = beside
        self._token = secrets.token_urlsafe(24)
        self._controllers_token = secrets.token_urlsafe(24)
        self._folder: Path | None = None
        self._parts: list[Process] = []  # the newest first: the order of their end

    @classmethod
    def of(cls, made_of: OwnPlane, run_dir: Path) -> Self:
        """The control plane that is made of these."""
        return cls(
            run_dir,
            made_of.binaries,
            kubernetes_version=made_of.kubernetes_version,
            api_server_flags=made_of.api_server_flags,
            beside=made_of.beside,
        )

    def start(self) -> Plane:
        """Bring it up, and return when the API server says that it is ready.

        Raises:
            UserError: the binaries have another version, or refuse their flags.
            HarnessError: a part died or was not ready within START_LIMIT_S.
        """
        try:
            for _ in range(_TRIES):
                plane = self._start_once(free_ports(1)[0])
                if plane is not None:
                    return plane
                self.stop()
        except BaseException:
            self.stop()
            raise
        raise HarnessError(
            f"{API_SERVER} found its port taken {_TRIES} times; is another program taking all?"
        )

    def check(self) -> None:
        """Make sure that every part lives.

        Raises:
            HarnessError: one died; the message has its last words. The part that others need is named first.
        """
        for part in reversed(self._parts):
            if not part.alive:
                raise HarnessError(self._last_words(part))
            if part.name in {CONTROLLERS, DELETION}:
                self._forget_their_token(part)

    def stop(self) -> None:
        """End every part and remove its files."""
        # Without its etcd kube-apiserver hangs for a minute in its shutdown: so it dies first, and at once.
        for part in self._parts:
            part.kill()
        self._parts.clear()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def _start_once(self, port: int) -> Plane | None:
        """Start with this port; None if another process took it meanwhile."""
        try:
            self._folder = folder = Path(tempfile.mkdtemp(prefix="plane-", dir=self._run_dir))
            _write_private(folder / "service-account.key", _private_key())
            write_certificates(folder / "certs", *_NAMES)
            _write_private(folder / "tokens.csv", self._users())
            _write_private(folder / "audit.json", json.dumps(_AUDIT_POLICY))
            self._spawn(ETCD, _ETCD_FLAGS)
            own = [*_API_SERVER_FLAGS, *self._audit_flags, f"--secure-port={port}"]
            server = self._spawn(API_SERVER, _replaced(own, self._flags))
        except OSError as error:
            raise HarnessError(f"the control plane cannot be started: {error}") from error
        certificate = str(folder / "certs" / "ca.crt")
        version = self._await_ready(port, server, certificate)
        if version is None:
            return None
        (folder / "tokens.csv").unlink()  # it is read once
        if _minor(version) != _minor(self._version):
            raise UserError(
                f"{self._binaries[API_SERVER]} is Kubernetes {version}, needed is {self._version}"
            )
        plane = Plane(
            server=f"https://127.0.0.1:{port}",
            token=self._token,
            ca_file=certificate,
            kubernetes_version=version,
            traits=TRAITS,
            run_dir=self._run_dir,
            audit_log=folder / "audit.log" if self._audit_flags else None,
        )
        if self._with_controllers:
            theirs = replace(plane, token=self._controllers_token)
            _write_private(folder / "kubeconfig", theirs.kubeconfig())
            if self._beside or DELETION not in self._binaries:
                self._spawn(CONTROLLERS, _controller_flags(version, self._beside))
            else:
                self._spawn(DELETION, _KUBECONFIG_FLAG)
        return plane

    def _forget_their_token(self, controllers: Process) -> None:
        """Remove the file with the token that the audit does not look at, once it has been read."""
        config = self._folder / "kubeconfig" if self._folder else None
        if config and config.exists() and _RUNS in controllers.tail(200):
            config.unlink(missing_ok=True)

    @property
    def _audit_flags(self) -> tuple[str, ...]:
        """The flags to note the client of each write; none where the user has set such flags."""
        return () if flag_names(self._flags) & flag_names(_AUDIT_FLAGS) else _AUDIT_FLAGS

    def _users(self) -> str:
        """The users and their tokens; both may do everything, and the audit log names which one it was."""
        return (
            f'{self._token},batchproof,batchproof,"system:masters"\n'
            f'{self._controllers_token},{_CONTROLLERS_USER},{_CONTROLLERS_USER},"system:masters"\n'
        )

    def _spawn(self, program: str, flags: Sequence[str]) -> Process:
        folder = self._folder or self._run_dir
        part = spawn(
            [self._binaries[program], *flags],
            run_dir=self._run_dir,
            name=program,
            log=folder / f"{program}.log",
            env=bare(folder, _SELDOM),
            cwd=folder,
        )
        self._parts.insert(0, part)
        return part

    def _await_ready(self, port: int, server: Process, certificate: str) -> str | None:
        """Wait until the API server is ready: its version, or None if another process took its port."""
        end = time.monotonic() + START_LIMIT_S
        while time.monotonic() < end:
            if not server.alive and _PORT_TAKEN in server.tail(200):
                return None
            self.check()
            # A process that took the port may say that it is ready, but has another certificate.
            with contextlib.suppress(OSError, http.client.HTTPException, _NotReadyError):
                _get(port, "/readyz", self._token, certificate)
                return str(_get(port, "/version", self._token, certificate)["gitVersion"]).removeprefix("v")
            time.sleep(_POLL_S)
        raise HarnessError(f"{API_SERVER} was not ready within {START_LIMIT_S:.0f} s:\n{server.tail()}")

    def _last_words(self, part: Process) -> str:
        said = part.tail()
        if _NO_SPACE in part.tail(200):
            where = f"no space left in {self._run_dir}; free some, or set BATCHPROOF_RUNS to another folder"
            return f"{part.name} ended: {where}"
        flags = (
            f" (it was started with {' '.join(self._flags)})"
            if part.name == API_SERVER and self._flags
            else ""
        )
        return f"{part.name} ended with {part.returncode}{flags}; its last words:\n{said}"


class _NotReadyError(Exception):
    """The API server answered, but not with 200."""


def _get(port: int, path: str, token: str, certificate: str) -> dict[str, object]:
    """What the API server answers; {} for what is not JSON."""
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    tls.load_verify_locations(certificate)
    connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=2.0, context=tls)
    with contextlib.closing(connection):
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        response = connection.getresponse()
        body = response.read()
        if response.status != http.client.OK:
            raise _NotReadyError(path, response.status)
    answer = json.loads(body) if body.startswith(b"{") else {}
    return answer if isinstance(answer, dict) else {}


def _minor(version: str) -> list[str]:
    """The major and minor number, which must agree; patch releases may differ."""
    return version.split(".")[:2]


def _controller_flags(version: str, beside: Sequence[str]) -> list[str]:
    """The flags of kube-controller-manager; its controllers had other names once.

    Source: k8s.io/kubernetes cmd/kube-controller-manager/names/controller_names.go, new in 1.28.
    """
    names = [*_ALWAYS, *beside]
    if tuple(map(int, _minor(version))) < _CONTROLLERS_RENAMED:
        names = [old_name(name) for name in names]
    return [*_CONTROLLER_FLAGS, f"--controllers={','.join(names)}"]


def _replaced(flags: Sequence[str], by: Sequence[str]) -> list[str]:
    """The flags, without those that the others set too, and the others."""
    return [flag for flag in flags if not flag_names([flag]) & flag_names(by)] + list(by)


def _write_private(path: Path, text: str) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(text)


def _private_key() -> str:
    """A new private key on the curve P-256, in PEM, unencrypted.

    In the form of RFC 5915: kube-apiserver takes the public key from the same file, and finds it in no other.
    """
    # It loads much, and a worker of a run starts no control plane.
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415
    from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415
        Encoding,
        NoEncryption,
        PrivateFormat,
    )

    key = ec.generate_private_key(ec.SECP256R1())
    return key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()).decode("ascii")
