"""What a Deployment says of how a controller is started, as the beginning of a descriptor."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from batchproof.descriptor.draft import Draft
from batchproof.ground import yaml_text
from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

_KINDS = ("Deployment", "StatefulSet", "DaemonSet")
_TAG = re.compile(r"(?:^|/)(?P<name>[^/:@]+)(?::(?P<tag>[^/@]+))?(?:@.*)?$")
_REFERENCE = re.compile(r"\$\((?P<name>[A-Za-z_][A-Za-z0-9_]*)\)")
_NAME = re.compile(r"[^a-z0-9.-]+")
_IN_THE_POD = {"metadata.namespace": "default", "metadata.name": "batchproof-0"}
"""Values for what a pod knows of itself."""


def drafted(path: Path, profile: str, container: str = "") -> Draft:
    """The draft of a descriptor from the first Deployment (or StatefulSet, DaemonSet) of a manifest.

    Args:
        path: the manifest; it may hold other documents.
        profile: what the controller is judged as.
        container: which of its containers; empty: the only one that is not a sidecar's.

    Raises:
        UserError: it cannot be read, there is none in it, or it is unclear which container it is.
    """
    try:
        documents = yaml_text.load_all(path)
    except yaml_text.WrongYaml as error:
        raise UserError(f"{path}:{error.line}: not valid YAML: {error}") from error
    found = next((one for one in documents if isinstance(one, dict) and one.get("kind") in _KINDS), None)
    if found is None:
        raise UserError(f"{path}: there is no {', '.join(_KINDS[:-1])} or {_KINDS[-1]} in it")
    try:
        chosen = _container(found["spec"]["template"]["spec"]["containers"], container)
        name = str(found["metadata"]["name"])
        return _draft(name, profile, chosen)
    except (KeyError, TypeError, AttributeError) as error:
        raise UserError(f"{path}: it is no complete {found['kind']}: {error} is missing or wrong") from error


def _container(containers: Sequence[Mapping[str, Any]], wanted: str) -> Mapping[str, Any]:
    names = [str(one["name"]) for one in containers]
    if wanted:
        if wanted not in names:
            raise UserError(f"--container: there is no container {wanted!r}; there is {', '.join(names)}")
        return containers[names.index(wanted)]
    if len(containers) > 1 and "manager" not in names:
        raise UserError(f"which container is it? Name one with --container: {', '.join(names)}")
    return containers[names.index("manager") if len(containers) > 1 else 0]


def _draft(name: str, profile: str, container: Mapping[str, Any]) -> Draft:
    image = str(container.get("image", ""))
    tag = (_TAG.search(image) or {"tag": None})["tag"]
    variables, passed, notes = _variables(container.get("env") or ())
    command = [str(word) for word in container.get("command") or ()]
    notes = [f"from the container {container['name']} of the image {image}", *notes]
    program = _program(command[0]) if command else f"./bin/{name}"
    if not command:
        notes.append("no command is named there, so the image has one: look at `binary` below")
    if program.startswith("./"):
        notes.append(f"put the program of the image at {program}, next to this file, or change the path")
    arguments = [str(word) for word in (*command[1:], *(container.get("args") or ()))]
    known = dict(variables)
    filled = [_REFERENCE.sub(lambda it: known.get(it["name"], it[0]), word) for word in arguments]
    return Draft(
        name=_NAME.sub("-", name.lower()).strip("-."),
        profile=profile,
        command=(program, *filled),
        version=str(tag).removeprefix("v") if tag else "0.1.0",
        env=tuple(variables),
        pass_env=tuple(passed),
        notes=tuple(notes),
    )


def _program(named: str) -> str:
    """Where the program of an image is expected on this machine; an interpreter is this machine's own."""
    name = PurePath(named).name
    return name if "/" not in named or name.startswith("python") else f"./bin/{name}"


def _variables(env: Sequence[Mapping[str, Any]]) -> tuple[list[tuple[str, str]], list[str], list[str]]:
    """The variables with a value, the names of those without, and notes on both."""
    values: list[tuple[str, str]] = []
    passed: list[str] = []
    notes: list[str] = []
    for name, value, source in _told(env):
        if source is None:
            values.append((name, value))
        elif (field := (source.get("fieldRef") or {}).get("fieldPath")) in _IN_THE_POD:
            values.append((name, _IN_THE_POD[field]))
            notes.append(f"{name} was {field} of the pod")
        else:
            passed.append(name)
            notes.append(f"{name} comes from the cluster there: set it where batchproof runs")
    return values, passed, notes


def _told(env: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str, Mapping[str, Any] | None]]:
    for one in env:
        if one["name"] != "KUBECONFIG":
            yield str(one["name"]), str(one.get("value", "")), one.get("valueFrom")
