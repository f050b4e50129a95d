"""``batchproof control-plane``: what the embedded control plane is made of, and one to play with."""

from __future__ import annotations

import signal
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Literal

import click

from batchproof.control_plane import assets, cache
from batchproof.control_plane.build import GoModule, ensure_all
from batchproof.control_plane.embedded import EmbeddedControlPlane
from batchproof.control_plane.progress import shown
from batchproof.descriptor import implementation as descriptors
from batchproof.ground.errors import UserError
from batchproof.ground.screen import note, say, say_json
from batchproof.options import json_option
from batchproof.processes.programs import run_directory

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MIB = 1024 * 1024
_CHECK_EVERY_S = 1.0

_assets_option = click.option(
    "--assets",
    "assets_folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder with etcd, kube-apiserver and kube-controller-manager.",
)


@click.group(short_help="Build, list, start and remove the embedded control plane.")
def command() -> None:
    """Find, build and start the embedded control plane."""


@command.command()
@click.argument("wanted", metavar="[MODULE[/COMMAND]]...", nargs=-1)
def build(wanted: Sequence[str]) -> None:
    """Build what is not in the cache: by default what the control plane needs.

    MODULE names all commands of a module, MODULE/COMMAND one of them: see `batchproof control-plane list`.
    """
    with shown() as progress:
        built = [ensure_all(module, names, progress) for module, names in _chosen(wanted)]
    for binary in chain.from_iterable(one.values() for one in built):
        say(binary)


@dataclass(frozen=True, slots=True)
class _Held:
    """Something that can be built, or that the cache holds.

    Attributes:
        path: where it is, if it is there.
        size_mib: how large it is; None if it is not there.
        needed: what it is needed for: to run, only to build, or nothing any more.
    """

    name: str
    version: str
    path: str
    size_mib: int | None
    needed: Literal["to run", "to build", "no longer"]


_FOLDERS = {"no longer": "(no longer used)", "to build": "(only needed to build)"}


@command.command("list")
@click.option(
    "--for",
    "implementation",
    metavar="IMPLEMENTATION",
    help="Only what a run of this one needs, built or not: for the key of a cache.",
)
@json_option("Print the list as JSON.")
def list_(implementation: str | None, *, as_json: bool) -> None:
    """List what can be built, and what the cache holds."""
    held = list(_held())
    if implementation:
        judged = descriptors.load(descriptors.find(implementation))
        needed = {module.name for module in assets.modules_of(judged)}
        held = [one for one in held if one.name.partition("/")[0] in needed]
    if as_json:
        say_json([asdict(one) for one in held])
        return
    for one in held:
        state = "not built" if one.size_mib is None else f"{one.size_mib:4d} MiB  {one.path}"
        say(f"{one.name or _FOLDERS[one.needed]:<42} {one.version:<8} {state}")


def _held() -> Iterator[_Held]:
    for module in assets.modules():
        for name in module.commands:
            binary = module.built / name
            size = binary.stat().st_size // _MIB if binary.is_file() else None
            yield _Held(f"{module.name}/{name}", module.version, str(binary), size, "to run")
    known = {module.built for module in assets.modules()}
    for folder in sorted(cache.binaries_folder().glob("*")):
        if folder not in known:
            yield _Held("", "", str(folder), _size_mib(folder), "no longer")
    for folder in (cache.go_folder(), cache.toolchain_folder()):
        if folder.exists():
            yield _Held("", "", str(folder), _size_mib(folder), "to build")


@command.command()
def path() -> None:
    """Print the folder of the control plane's binaries, for KUBEBUILDER_ASSETS of other tools."""
    module = assets.module(assets.MODULE)
    if missing := [name for name in assets.PARTS if not (module.built / name).is_file()]:
        raise UserError(f"{', '.join(missing)} not built yet: run `batchproof control-plane build`")
    say(module.built)


@command.command()
@click.option("--keep-binaries", is_flag=True, help="Remove only what building needs.")
def clean(*, keep_binaries: bool) -> None:
    """Remove what batchproof keeps in the user's cache folder."""
    folders = [cache.go_folder(), cache.toolchain_folder()]
    folders += [] if keep_binaries else [cache.binaries_folder()]
    with cache.nobody_building():
        for folder in folders:
            if folder.exists():
                size = _size_mib(folder)
                cache.remove_tree(folder)
                note(f"removed {folder} ({size} MiB)")


@command.command()
@_assets_option
@click.option("--api-server-flag", "flags", multiple=True, help="For kube-apiserver; may be repeated.")
def up(assets_folder: Path | None, flags: tuple[str, ...]) -> None:
    """Start a control plane, and end it with Ctrl-C."""
    with shown() as progress:
        binaries = assets.Binaries(assets_folder, progress)
        programs, version = binaries.control_plane(), binaries.kubernetes_version
    with run_directory() as run:
        provider = EmbeddedControlPlane(
            run.path, programs, kubernetes_version=version, api_server_flags=flags
        )
        with provider as plane:
            # Not an Event: a handler that sets one just as it begins to be waited for waits for itself.
            asked: SimpleQueue[int] = SimpleQueue()
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, lambda number, _: asked.put(number))
            kubeconfig = run.path / "kubeconfig"
            kubeconfig.touch(mode=0o600)
            kubeconfig.write_text(plane.kubeconfig(), "utf-8")
            note(f"Kubernetes {plane.kubernetes_version} at {plane.server}; end it with Ctrl-C", err=True)
            say(kubeconfig)
            while True:
                provider.check()
                with suppress(Empty):
                    asked.get(timeout=_CHECK_EVERY_S)
                    return


def _chosen(wanted: Sequence[str]) -> list[tuple[GoModule, Sequence[str]]]:
    """The commands to build, by their modules."""
    if not wanted:
        return [(assets.module(assets.MODULE), assets.PARTS)]
    chosen: list[tuple[GoModule, Sequence[str]]] = []
    for each in wanted:
        name, _, single = each.partition("/")
        module = assets.module(name)
        chosen.append((module, [single] if single else [*module.commands]))
    return chosen


def _size_mib(folder: Path) -> int:
    return sum(file.lstat().st_size for file in folder.rglob("*") if file.is_file()) // _MIB
