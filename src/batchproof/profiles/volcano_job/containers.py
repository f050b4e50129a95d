"""What a kubelet gives the containers of a pod: their environment, and files of ConfigMaps or Secrets."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from batchproof.judgement.history import Json
from batchproof.judgement.objects.core import Pod

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def containers_of(pod: Pod) -> Iterator[Json]:
    """Every container of a pod, init containers first."""
    for kind in ("initContainers", "containers"):
        yield from pod.spec.get(kind) or []


def environment(pod: Pod, container: Json, config_maps: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """The variables of a container and their values; what cannot be looked up is the JSON that says where.

    Args:
        pod: the container's pod.
        container: the container.
        config_maps: the data of each ConfigMap, by its name.
    """
    given: dict[str, Any] = {}
    for source in container.get("envFrom") or []:
        data = config_maps.get((source.get("configMapRef") or {}).get("name", ""), {})
        given |= {f"{source.get('prefix') or ''}{key}": value for key, value in data.items()}
    return given | {it["name"]: _value(pod, it, config_maps) for it in container.get("env") or []}


def _value(pod: Pod, variable: Json, config_maps: Mapping[str, Mapping[str, str]]) -> Any:
    """What a variable is worth: a text, a key of a ConfigMap, a label or an annotation of the pod."""
    source = variable.get("valueFrom") or {}
    if reference := source.get("configMapKeyRef"):
        return config_maps.get(reference["name"], {}).get(reference["key"])
    place = str((source.get("fieldRef") or {}).get("fieldPath"))
    for kind, marks in (("labels", pod.labels), ("annotations", pod.annotations)):
        if place.startswith(f"metadata.{kind}['"):
            return marks.get(place.split("'")[1])
    return variable.get("value", source)


def files(pod: Pod, container: Json, kind: str, name: str, keys: Mapping[str, object]) -> dict[str, str]:
    """The files that a container has of an object: the key by the path.

    Args:
        pod: the container's pod.
        container: the container.
        kind: ``configMap`` or ``secret``, as a volume names it.
        name: the object's name.
        keys: the keys that it has.
    """
    shown = {it["name"]: _shown(it, kind, name, keys) for it in pod.spec.get("volumes") or []}
    found: dict[str, str] = {}
    for mount in container.get("volumeMounts") or []:
        place, part = PurePosixPath(mount["mountPath"]), PurePosixPath(mount.get("subPath") or "")
        for path, key in shown.get(mount["name"], {}).items():
            if path.is_relative_to(part):
                found[str(place / path.relative_to(part))] = key
    return found


def _shown(volume: Json, kind: str, name: str, keys: Mapping[str, object]) -> dict[PurePosixPath, str]:
    """The files of an object in a volume, which shows it alone or projected with others."""
    projected = (volume.get("projected") or {}).get("sources") or []
    sources = [volume.get(kind) or {}, *(it.get(kind) or {} for it in projected)]
    return {
        PurePosixPath(item["path"]): item["key"]
        for source in sources
        if name in {source.get("name"), source.get("secretName")}
        for item in source.get("items") or [{"key": key, "path": key} for key in keys]
    }
