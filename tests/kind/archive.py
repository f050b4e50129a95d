"""Images of containers, made of files alone: no registry, no base, no daemon."""

from __future__ import annotations

import hashlib
import json
import tarfile
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PATH: Final = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_PIECE: Final = 2**20


@dataclass(frozen=True, slots=True)
class Image:
    """An image that is to be packed.

    Attributes:
        name: its name with its tag.
        layers: tar files, the lowest first.
        config: what a container of it is started with, as the OCI image specification has it ("config").
        architecture: the one of its programs, as Go names it.
    """

    name: str
    layers: tuple[IO[bytes], ...]
    config: Mapping[str, Any] = field(default_factory=dict)
    architecture: str = "amd64"


def of_files(name: str, entrypoint: str, files: Mapping[str, Path]) -> Image:
    """An image of one layer that holds these files, by their place in it, and starts one of them."""
    return Image(name, (layer_of(files),), {"Env": [PATH], "Entrypoint": [entrypoint]})


def pack(images: Iterable[Image], path: Path) -> None:
    """Write an archive of images, as `docker load`, `kind load` and `ctr images import` read them.

    Source: the OCI image specification, "config.md" and "layer.md"; `docker save` for the archive.
    """
    manifest = []
    with tarfile.open(path, mode="w") as archive:
        for image in images:
            digests = [_add_layer(archive, layer) for layer in image.layers]
            config = json.dumps(
                {
                    "architecture": image.architecture,
                    "os": "linux",
                    "config": image.config,
                    "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}" for digest in digests]},
                }
            ).encode()
            of_config = hashlib.sha256(config).hexdigest()
            _add(archive, f"{of_config}.json", config)
            layers = [f"{digest}/layer.tar" for digest in digests]
            manifest.append({"Config": f"{of_config}.json", "RepoTags": [image.name], "Layers": layers})
        _add(archive, "manifest.json", json.dumps(manifest).encode())


def layer_of(files: Mapping[str, Path]) -> IO[bytes]:
    """A layer with these files, and the folders that they lie in."""
    layer = TemporaryFile()  # noqa: SIM115 - it is read where the image is packed
    with tarfile.open(fileobj=layer, mode="w") as archive:
        folders = {parent for place in files for parent in Path(place.removeprefix("/")).parents}
        for path in sorted(folders - {Path()}):
            entry = tarfile.TarInfo(str(path))
            entry.type, entry.mode = tarfile.DIRTYPE, 0o755
            archive.addfile(entry)
        for place, source in sorted(files.items()):
            _add(archive, place.removeprefix("/"), source.resolve().read_bytes(), 0o755)
        temporary = tarfile.TarInfo("tmp")
        temporary.type, temporary.mode = tarfile.DIRTYPE, 0o1777
        archive.addfile(temporary)
    return layer


def layer_of_folder(folder: Path, *, owner: int = 0) -> IO[bytes]:
    """A layer with all that a folder holds, without the owners and times of its files."""

    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = owner
        entry.uname = entry.gname = ""
        entry.mtime = 0
        return entry

    layer = TemporaryFile()  # noqa: SIM115 - it is read where the image is packed
    with tarfile.open(fileobj=layer, mode="w") as archive:
        for path in sorted(folder.rglob("*")):
            archive.add(path, str(path.relative_to(folder)), recursive=False, filter=plain)
    return layer


def _add_layer(archive: tarfile.TarFile, layer: IO[bytes]) -> str:
    """Add a layer; returns its digest, by which it is named."""
    layer.seek(0)
    found = hashlib.sha256()
    while piece := layer.read(_PIECE):
        found.update(piece)
    entry = tarfile.TarInfo(f"{found.hexdigest()}/layer.tar")
    entry.size = layer.tell()
    layer.seek(0)
    archive.addfile(entry, layer)
    return found.hexdigest()


def _add(archive: tarfile.TarFile, name: str, content: bytes, mode: int = 0o644) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(content), mode
    archive.addfile(entry, BytesIO(content))
