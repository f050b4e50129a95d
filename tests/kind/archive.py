"""Images of containers, made of files alone: no registry, no base, no daemon."""

from __future__ import annotations

import hashlib
import json
import tarfile
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PATH: Final = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def packed(images: Iterable[dict[str, Any]]) -> bytes:
    """Images of one layer each, as `docker load`, `kind load` and `ctr images import` read them.

    Args:
        images: of each its ``name``, its ``entrypoint`` and its ``files``, by their place in it.
    """
    whole = BytesIO()
    manifest = []
    with tarfile.open(fileobj=whole, mode="w") as archive:
        for image in images:
            layer = _layer(image["files"])
            of_layer = hashlib.sha256(layer).hexdigest()
            config = json.dumps(
                {
                    "architecture": "amd64",
                    "os": "linux",
                    "config": {"Env": [PATH], "Entrypoint": [image["entrypoint"]]},
                    "rootfs": {"type": "layers", "diff_ids": [f"sha256:{of_layer}"]},
                }
            ).encode()
            of_config = hashlib.sha256(config).hexdigest()
            _add(archive, f"{of_config}.json", config)
            _add(archive, f"{of_layer}/layer.tar", layer)
            layers = [f"{of_layer}/layer.tar"]
            manifest.append({"Config": f"{of_config}.json", "RepoTags": [image["name"]], "Layers": layers})
        _add(archive, "manifest.json", json.dumps(manifest).encode())
    return whole.getvalue()


def _layer(files: Mapping[str, Path]) -> bytes:
    """A layer with these files, and the folders that they lie in."""
    layer = BytesIO()
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
    return layer.getvalue()


def _add(archive: tarfile.TarFile, name: str, content: bytes, mode: int = 0o644) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(content), mode
    archive.addfile(entry, BytesIO(content))
