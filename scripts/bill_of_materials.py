"""The software bill of materials of the image, in CycloneDX: every library and Go module with its version."""

from __future__ import annotations

import hashlib
import re
import subprocess
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid5
from zipfile import ZipFile

from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL

from batchproof import __version__
from batchproof.control_plane.progress import unseen
from batchproof.control_plane.toolchain import find_go

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_PINNED = re.compile(r"^([a-z0-9-]+)==(\S+)", re.MULTILINE)
_MODULE = re.compile(r"^\t(?:mod|dep|=>)\t(\S+)\t(\S+)", re.MULTILINE)
_OLDEST_GO = (1, 18, 0)  # the first that reads the modules of a binary of today


def bill_of_materials(wheel: Path, lock: Path, programs: Iterable[Path]) -> str:
    """What is in the image above its base, as JSON; the same for the same content.

    Args:
        wheel: batchproof itself.
        lock: the file that pins the libraries.
        programs: those of the control plane, built by Go.

    Raises:
        UserError: there is no Go, which reads the modules of its binaries.
    """
    own = _of_file("batchproof", __version__, wheel, ComponentType.APPLICATION)
    go = find_go(_OLDEST_GO, unseen)
    programs = list(programs)
    parts = [
        *(_library("pypi", name, version) for name, version in _PINNED.findall(lock.read_text("utf-8"))),
        *(_of_file(one.name, "", one, ComponentType.APPLICATION) for one in programs),
        *_modules(go, programs),
    ]
    content = hashlib.sha256("\n".join(sorted(one.bom_ref.value or "" for one in [own, *parts])).encode())
    bom = Bom(components=parts, serial_number=uuid5(NAMESPACE_URL, content.hexdigest()))
    bom.metadata.component = own
    bom.register_dependency(own, parts)
    bom.metadata.timestamp = _made(wheel)
    return make_outputter(bom, OutputFormat.JSON, SchemaVersion.V1_6).output_as_string(indent=1)


def _modules(go: Path, programs: Iterable[Path]) -> Iterator[Component]:
    """The modules that are linked into programs, each once."""
    found: set[tuple[str, str]] = set()
    for program in programs:
        told = subprocess.run(
            [go, "version", "-m", program], check=True, capture_output=True, text=True
        ).stdout
        found |= {(name, version) for name, version in _MODULE.findall(told) if version != "(devel)"}
    for name, version in sorted(found):
        yield _library("golang", name, version)


def _library(kind: str, name: str, version: str) -> Component:
    namespace, _, last = name.rpartition("/")
    url = PackageURL(kind, namespace or None, last, version)
    return Component(type=ComponentType.LIBRARY, name=name, version=version, purl=url, bom_ref=str(url))


def _of_file(name: str, version: str, path: Path, kind: ComponentType) -> Component:
    """What is one file, by its digest."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Component(
        type=kind,
        name=name,
        version=version or None,
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
        licenses=[DisjunctiveLicense(id="Apache-2.0")],
        bom_ref=f"{name}@sha256:{digest}",
    )


def _made(wheel: Path) -> datetime:
    """The time of the files in the wheel: that of the build would make each bill another one."""
    with ZipFile(wheel) as packed:
        return datetime(*max(one.date_time for one in packed.infolist()), tzinfo=UTC)
