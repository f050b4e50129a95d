"""What a descriptor says that an implementation needs of its API server."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from batchproof.descriptor.launch import CA_BUNDLE, PLACEHOLDER, ProcessSpec
from batchproof.descriptor.reading import Reading, texts
from batchproof.ground import suite
from batchproof.ground.documents import near

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

FLAGS = frozenset(
    {
        "admission-control-config-file",
        "default-not-ready-toleration-seconds",
        "default-unreachable-toleration-seconds",
        "default-watch-cache-size",
        "delete-collection-workers",
        "disable-admission-plugins",
        "emulated-version",
        "emulation-forward-compatible",
        "enable-admission-plugins",
        "enable-garbage-collector",
        "event-ttl",
        "feature-gates",
        "max-mutating-requests-inflight",
        "max-requests-inflight",
        "min-compatibility-version",
        "min-request-timeout",
        "request-timeout",
        "runtime-config",
        "runtime-config-emulation-forward-compatible",
        "storage-media-type",
        "v",
        "vmodule",
        "watch-cache",
        "watch-cache-sizes",
    }
)
"""Those of kube-apiserver that say what the API is and how it is served. Who writes a descriptor is judged,
so it does not set who may do what, where the server listens, and what it notes of each write."""


@dataclass(frozen=True, slots=True)
class ModuleFiles:
    """Files that are copied out of a pinned Go module.

    Attributes:
        module: the folder below ``fixtures/`` that holds go.mod, go.sum and build.yaml.
        patterns: the paths inside the Go module, ``*`` standing for anything but a slash.
    """

    module: str
    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ControlPlaneNeeds:
    """What an implementation needs of its API server.

    Attributes:
        kubernetes: the version of it, such as ``1.24``; "" for the one that the suite is written for.
        api_server_flags: further flags.
        crds: files with CustomResourceDefinitions.
        objects: further objects that must exist before it starts, with placeholders.
        served_as: the API version that is served instead, by one that it asks for and that is served no more.
    """

    kubernetes: str = ""
    api_server_flags: tuple[str, ...] = ()
    crds: tuple[Path | ModuleFiles, ...] = ()
    objects: tuple[Mapping[str, Any], ...] = ()
    served_as: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def control_plane(reading: Reading, processes: Sequence[ProcessSpec]) -> ControlPlaneNeeds:
    """What it needs of the API server.

    Args:
        reading: the descriptor.
        processes: what is started: the objects may have their ports.
    """
    content: Mapping[str, Any] = reading.part("control_plane", {})
    objects = content.get("objects", ())
    _see_flags(reading, content.get("api_server_flags", ()))
    if reading.usable("start", "processes", "isolation"):
        _see_objects(reading, objects, processes)
    return ControlPlaneNeeds(
        kubernetes=content.get("kubernetes", ""),
        api_server_flags=tuple(content.get("api_server_flags", ())),
        crds=tuple(_crds(reading, content.get("crds", ()))),
        objects=tuple(objects),
        served_as=MappingProxyType(dict(content.get("served_as", {}))),
    )


def _see_flags(reading: Reading, flags: Iterable[str]) -> None:
    for position, flag in enumerate(flags):
        name = flag.removeprefix("--").partition("=")[0]
        if name not in FLAGS:
            message = (
                f"a descriptor cannot set --{name}{near(name, FLAGS)}; it can: {', '.join(sorted(FLAGS))}"
            )
            place = ("control_plane", "api_server_flags", position)
            reading.wrong(f"control_plane.api_server_flags: {message}", *place)


def _see_objects(reading: Reading, objects: Any, processes: Sequence[ProcessSpec]) -> None:
    """The objects are there before an instance starts: they may name its ports, and its authority."""
    ports = frozenset().union(*(process.ports for process in processes))
    bundle = {CA_BUNDLE} if any(process.uses("tls_dir") for process in processes) else set[str]()
    alone = reading.content.get("isolation") == "control-plane"
    for place, text in texts(objects, ("control_plane", "objects")):
        for match in PLACEHOLDER.finditer(text):
            if message := _wrong_placeholder(match, ports, bundle, alone=alone):
                reading.wrong(f"{'.'.join(map(str, place))}: {message}", *place)


def _wrong_placeholder(
    match: re.Match[str], ports: AbstractSet[str], bundle: AbstractSet[str], *, alone: bool
) -> str:
    """What is wrong with a placeholder in an object; empty if nothing is."""
    name, port = match["name"], match["port"]
    if not name and not port:
        return ""
    if not (name in bundle if name else port in ports):
        names = (*(f"port:{one}" for one in sorted(ports)), *bundle)
        known = ", ".join(f"{{{one}}}" for one in names) or "no placeholder"
        return f"{match[0]} means nothing here: objects may have {known}, as the processes do"
    return "" if alone else f"{match[0]} is another one for each instance: say 'isolation: control-plane'"


def _crds(reading: Reading, given: Iterable[Any]) -> list[Path | ModuleFiles]:
    """The files of CustomResourceDefinitions: a vendor's own lies beside the descriptor."""
    found: list[Path | ModuleFiles] = []
    for position, each in enumerate(given):
        if not isinstance(each, str):
            found.append(ModuleFiles(each["module"], tuple(each["files"])))
            continue
        given_file = reading.folder / Path(each).expanduser()
        file = given_file.absolute() if given_file.is_file() else suite.fixtures() / each
        if not file.is_file():
            message = (
                f"control_plane.crds: there is no file {given_file}, and batchproof brings none of that name"
            )
            reading.wrong(message, "control_plane", "crds", position)
        found.append(file)
    return found
