"""A node image of kind, made where no image registry can be reached: of Go modules and Debian packages.

``python tests/kind/image.py`` makes it, if it is not there, and prints its name. What is made is kept in the
cache of batchproof. A machine that can pull kind's own node image does not need this.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from archive import PATH, Image, of_files, pack

from batchproof.control_plane import assets, cache
from batchproof.control_plane.build import GoModule, ensure
from batchproof.control_plane.progress import shown
from batchproof.ground import places
from batchproof.ground.errors import UserError
from batchproof.processes.environment import ours
from batchproof.processes.programs import run_directory, spawn
from batchproof.profiles.job import built_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

HERE: Final = Path(__file__).parent
ROOTFS: Final = HERE / "rootfs"
HANGS_S: Final = 900.0  # it only ends a hang; where this is started by itself tests/shared is not on the path
KUBERNETES: Final = "v1.37.0"
REPOSITORY: Final = "batchproof.dev/kind-node"
PROGRAMS: Final = {
    "usr/bin": ("kubelet", "kubeadm", "kubectl"),
    "usr/local/bin": ("containerd", "ctr", "containerd-shim-runc-v2"),
}
PACKAGES: Final = (
    "ca-certificates",
    "conntrack",
    "containernetworking-plugins",
    "ethtool",
    "iproute2",
    "iptables",
    "kmod",
    "mount",
    "nftables",
    "procps",
    "runc",
    "socat",
    "systemd",
    "systemd-sysv",
    "util-linux",
)
NETWORK_PLUGINS: Final = ("bridge", "host-local", "loopback", "portmap")
# What a node of one run does not need, or must not have: it shares the machine with others.
UNITS_KEPT: Final = ("systemd-journal", "systemd-tmpfiles-setup-dev", "systemd-sysctl")
UNITS_MASKED: Final = ("systemd-binfmt.service", "systemd-udevd.service", "systemd-logind.service")
TABLES: Final = ("iptables", "ip6tables")
# containerd as a store alone: nothing that needs a node around it.
_NO_NODE: Final = (
    "io.containerd.cri.v1.images",
    "io.containerd.cri.v1.runtime",
    "io.containerd.grpc.v1.cri",
    "io.containerd.internal.v1.opt",
    "io.containerd.nri.v1.nri",
    "io.containerd.tracing.processor.v1.otlp",
)


def main() -> int:
    """Make the image."""
    try:
        print(ensure_image())  # noqa: T201 - the name of the image is what is asked for
    except UserError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def ensure_image() -> str:
    """The name of the image, which Docker has afterwards.

    Raises:
        UserError: no Docker daemon answers, or a program that makes it is missing.
    """
    _docker("info")  # else it would be found out when all is built
    tag = f"{REPOSITORY}:{KUBERNETES}-{digest()}"
    if _docker("image", "inspect", tag, check=False).returncode == 0:
        return tag
    kept = folder() / f"node-{tag.rpartition('-')[2]}.tar.gz"
    if not kept.is_file():
        with cache.writing(), cache.locked("kind-node", "the node image of kind", _say):
            if not kept.is_file():
                _make(tag, kept)
    _docker("load", "--quiet", "--input", str(kept))
    return tag


def folder() -> Path:
    """Where all of it is kept."""
    path = places.cache_folder() / "kind"
    path.mkdir(parents=True, exist_ok=True)
    return path


def modules() -> list[GoModule]:
    """The Go modules that the programs of a node come from."""
    return [assets.module(assets.MODULE), *map(GoModule.read, sorted((HERE / "node").iterdir()))]


def digest() -> str:
    """What the image is made of, in short; the versions of Debian packages are not part of it."""
    told = hashlib.sha256()
    for name in ("image.py", "archive.py"):
        told.update((HERE / name).read_bytes())
    for module in modules():
        told.update(module.built.name.encode())
    for path in sorted(path for path in ROOTFS.rglob("*") if path.is_file()):
        told.update(path.relative_to(ROOTFS).as_posix().encode() + b"\0" + path.read_bytes())
    return told.hexdigest()[:12]


def _make(tag: str, kept: Path) -> None:
    for program in ("mmdebstrap", "docker"):
        if shutil.which(program) is None:
            raise UserError(
                f"there is no {program}: apt-get install --no-install-recommends docker.io mmdebstrap"
            )
    if os.geteuid() != 0:
        raise UserError("a node image can be made by root only: it has files of several users, and devices")
    programs = _programs()
    with run_directory() as run:
        tree = run.path / "tree"
        with _stage("the Debian system"):
            tree.mkdir()
            _run("tar", "-C", str(tree), "-xf", str(debian(PACKAGES, "essential")))
        with _stage("what makes a node of it"):
            images = _fill(tree, programs)
        with _stage("the images of the control plane"):
            archive = run.path / "images.tar"
            pack(_images(tree, programs, images), archive)
            _preload(tree, archive, programs, run.path)
            archive.unlink()
        with _stage("the image"):
            _import(tree, tag)
    with _stage("its copy in the cache"):
        unfinished = kept.with_suffix(".unfinished")
        with subprocess.Popen(["docker", "save", tag], stdout=subprocess.PIPE) as saving:
            assert saving.stdout is not None
            with gzip.open(unfinished, "wb", compresslevel=1) as file:
                shutil.copyfileobj(saving.stdout, file, 2**20)
        unfinished.rename(kept)


def _programs() -> dict[str, Path]:
    """Every program that is built, by its name."""
    with shown() as progress:
        given = assets.Binaries(None, progress).control_plane(built_in.CONTROLLERS)
        built = {
            command: ensure(module, command, progress)
            for module in modules()
            for command in module.commands
            if command not in given
        }
    return {**built, **given}


def debian(packages: Iterable[str], variant: str) -> Path:
    """An archive of packages of the Debian release that this machine has, from the mirror that it uses.

    Args:
        packages: what is installed beside what the variant has.
        variant: of mmdebstrap: ``essential`` is a system, ``extract`` these packages and no shell.
    """
    wanted = f"{variant} {' '.join(packages)}"
    name = f"debian-{release()}-{hashlib.sha256(wanted.encode()).hexdigest()[:12]}.tar"
    packed = folder() / name
    if not packed.is_file():
        unfinished = packed.with_suffix(".unfinished.tar")
        without = [f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in ("doc", "man", "locale")]
        sources = Path("/etc/apt/sources.list.d/debian.sources")
        command = ["mmdebstrap", "--quiet", "--mode=root", f"--variant={variant}", *without]
        command += [f"--include={','.join(packages)}", release(), str(unfinished)]
        _run(*command, *([str(sources)] if sources.is_file() else ["/etc/apt/sources.list"]))
        unfinished.rename(packed)
    return packed


def release() -> str:
    """The name of the Debian release that this machine has."""
    lines = Path("/etc/os-release").read_text("utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)["VERSION_CODENAME"]


def _fill(tree: Path, programs: Mapping[str, Path]) -> list[str]:
    """Make a node of a Debian system; returns the names of the images that its control plane needs."""
    _run("cp", "-a", "--no-preserve=ownership", f"{ROOTFS}/.", str(tree))
    for place, names in PROGRAMS.items():
        for name in names:
            shutil.copy2(programs[name], tree / place / name)
    plugins = tree / "opt/cni/bin"
    plugins.mkdir(parents=True)
    for name in NETWORK_PLUGINS:
        (tree / "usr/lib/cni" / name).rename(plugins / name)
    for place in ("etc/kubernetes/manifests", "var/lib/kubelet"):
        (tree / place).mkdir(parents=True, exist_ok=True)
    (tree / "kind/version").write_text(KUBERNETES, "ascii")
    asked = [str(programs["kubeadm"]), "config", "images", "list", "--kubernetes-version", KUBERNETES]
    images = _run(*asked).stdout.decode().split()
    pause = next(image for image in images if "/pause:" in image)
    config = tree / "etc/containerd/config.toml"
    config.write_text(config.read_text("utf-8").replace("@PAUSE@", pause), "utf-8")
    _choose_units(tree)
    for place in ("var/cache", "var/log", "var/lib/apt", "etc/apt"):
        shutil.rmtree(tree / place)
    for place in ("var/cache", "var/log"):
        (tree / place).mkdir()
    (tree / "etc/machine-id").unlink(missing_ok=True)
    return images


def _choose_units(tree: Path) -> None:
    """Let systemd start kubelet and its runtime, and little else."""
    for link in (*tree.glob("etc/systemd/system/*.wants/*"), *tree.glob("lib/systemd/system/*.wants/*")):
        if not link.name.startswith(UNITS_KEPT):
            link.unlink()
    systemctl = ["chroot", str(tree), "systemctl", "--quiet"]
    _run(*systemctl, "enable", "containerd", "kubelet")
    _run(*systemctl, "set-default", "multi-user.target")
    _run(*systemctl, "mask", *UNITS_MASKED)


def _images(tree: Path, programs: Mapping[str, Path], names: Iterable[str]) -> Iterator[Image]:
    """Each image of the control plane."""
    for image in names:
        program = image.rpartition("/")[2].partition(":")[0]
        place = {"coredns": "/coredns", "pause": "/pause"}.get(program, f"/usr/local/bin/{program}")
        files = {place: programs[program]}
        if program == "kube-proxy":
            files |= _tables_of_the_kernel(tree)
        yield of_files(image, place, files)


def _tables_of_the_kernel(tree: Path) -> dict[str, Path]:
    """The programs with which kube-proxy writes its rules, and the libraries that they need."""
    tools = ["/usr/sbin/xtables-nft-multi", "/usr/sbin/nft", "/usr/sbin/conntrack", "/bin/ip", "/bin/kmod"]
    tools += [f"/{path.relative_to(tree)}" for path in tree.glob("usr/lib/*/xtables/*.so")]
    needed = _run("chroot", str(tree), "ldd", *tools, check=False).stdout.decode()
    libraries = {word for word in needed.split() if word.startswith("/") and not word.endswith(":")}
    files = {place: tree / place.removeprefix("/") for place in {*tools, *libraries}}
    rules = tree / "usr/sbin/xtables-nft-multi"
    called = [f"/usr/sbin/{name}{what}" for name in TABLES for what in ("", "-save", "-restore")]
    return files | dict.fromkeys(called, rules)


def _preload(tree: Path, archive: Path, programs: Mapping[str, Path], run_dir: Path) -> None:
    """Put images into the store of the node's container runtime."""
    state = run_dir / "containerd"
    state.mkdir()
    socket = state / "socket"
    config = state / "config.toml"
    config.write_text(
        f'version = 3\nroot = "{tree}/var/lib/containerd"\nstate = "{state}/state"\n'
        f"disabled_plugins = {json.dumps(_NO_NODE)}\n"
        f'[grpc]\naddress = "{socket}"\n[ttrpc]\naddress = "{socket}.ttrpc"\n',
        "utf-8",
    )
    runtime = spawn(
        [programs["containerd"], "--config", config],
        run_dir=run_dir,
        name="containerd",
        log=state / "log",
        env=ours({"PATH": f"{programs['containerd'].parent}:{os.environ['PATH']}"}),
    )
    end = time.monotonic() + HANGS_S
    while not socket.exists():
        if not runtime.alive or time.monotonic() > end:
            raise UserError(f"containerd does not start:\n{runtime.tail()}")
        time.sleep(0.05)
    pinned = ["--local", "--discard-unpacked-layers", "--label", "io.cri-containerd.pinned=pinned"]
    _run(str(programs["ctr"]), "-a", str(socket), "-n", "k8s.io", "images", "import", *pinned, str(archive))
    runtime.stop()


def _import(tree: Path, tag: str) -> None:
    changes = [
        "ENV container=docker",
        f"ENV {PATH}",
        'ENTRYPOINT ["/usr/local/bin/entrypoint", "/sbin/init"]',
    ]
    options = [word for change in changes for word in ("--change", change)]
    with subprocess.Popen(
        ["tar", "-C", str(tree), "--numeric-owner", "-c", "."], stdout=subprocess.PIPE
    ) as packing:
        subprocess.run(["docker", "import", *options, "-", tag], stdin=packing.stdout, check=True, stdout=2)


def _docker(*words: str, check: bool = True) -> subprocess.CompletedProcess[bytes]:
    return _run("docker", *words, check=check)


def _run(*command: str, check: bool = True) -> subprocess.CompletedProcess[bytes]:
    done = subprocess.run(command, capture_output=True, check=False)
    if check and done.returncode:
        said = done.stderr.decode(errors="replace")[-3000:]
        raise UserError(f"{command[0]} ended with {done.returncode}: {' '.join(command)}\n{said}")
    return done


@contextmanager
def _stage(what: str) -> Iterator[None]:
    began = time.monotonic()
    yield
    _say(f"{what}: {time.monotonic() - began:.1f} s", 0, 0)


def _say(stage: str, done: int, total: int) -> None:
    del done, total
    sys.stderr.write(f"node image: {stage}\n")


if __name__ == "__main__":
    sys.exit(main())
