"""What an implementation needs to find on its API server: CustomResourceDefinitions, and further objects.

The second cell finds it there already: cells that share an API server need not agree which of them makes it.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from batchproof.api.client import Api, ApiError
from batchproof.ground import yaml_text
from batchproof.ground.errors import HarnessError, UserError
from batchproof.ground.resources import Resource
from batchproof.judgement.history import Json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

_DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_SERVED_WITHIN_S = 20.0
_POLL_S = 0.05
_APPROVAL = "api-approved.kubernetes.io"


async def install(api: Api, crds: Iterable[Path], objects: Iterable[Json], *, make: bool) -> None:
    """Make what is not there yet, and wait until every kind of the CustomResourceDefinitions is served.

    Args:
        api: the API server.
        crds: files with CustomResourceDefinitions.
        objects: further objects, in the order in which they are made.
        make: whether it may be made: not in a cluster that others use too.

    Raises:
        UserError: a file holds something else, or something is missing that may not be made.
        HarnessError: the API server refuses something, or does not come to serve a kind.
    """
    definitions = [definition for path in crds for definition in read_definitions(path)]
    see = _make if make else _find
    if make:
        for definition in definitions:
            await _make(api, _DEFINITIONS, definition)
    for definition in definitions:
        await (_served(api, definition) if make else _find_served(api, definition))
    for each in objects:
        await see(api, await _collection(api, each), each)


async def see_served(api: Api, resource: Resource, *, namespaced: bool) -> None:
    """See that the API server has a resource, before something waits for it.

    Raises:
        HarnessError: it does not.
    """
    found = await api.get(_root(resource.api_version), missing_ok=True)
    there = {each["name"]: each["namespaced"] for each in found.get("resources", ())}
    if there.get(resource.plural) is not namespaced:
        scope = "namespaced" if namespaced else "cluster-scoped"
        raise HarnessError(
            f"the API server serves no {scope} {resource.plural} of {resource.api_version}, which the "
            "dialect names; add its CustomResourceDefinition to 'control_plane.crds', or correct 'dialect'"
        )


async def _make(api: Api, path: str, body: Json) -> None:
    try:
        await api.create(path, body)
    except ApiError as error:
        if error.status != HTTPStatus.CONFLICT:
            raise HarnessError(f"{_title(body)} of the descriptor's control_plane: {error}") from error


async def _find(api: Api, path: str, body: Json) -> None:
    if not await api.get(f"{path}/{body['metadata']['name']}", missing_ok=True):
        raise _not_there(body)


async def _find_served(api: Api, definition: Json) -> None:
    """See that what is defined is served: this needs no right to read definitions."""
    spec = definition["spec"]
    for version in _versions(definition):
        if not await _kinds(api, version, spec["names"]["kind"]):
            raise _not_there(definition)
        for _ in range(round(_SERVED_WITHIN_S / _POLL_S)):
            if await _cached(api, f"{_root(version)}/{spec['names']['plural']}"):
                break
            await asyncio.sleep(_POLL_S)


def _not_there(body: Json) -> UserError:
    return UserError(
        f"{_title(body)} of the descriptor's control_plane is not in this cluster, which is not ours to "
        "change so: make it first"
    )


def _title(body: Json) -> str:
    return f"{body['kind']} {body['metadata']['name']}"


async def _served(api: Api, definition: Json) -> None:
    """Wait until a CustomResourceDefinition is established, and clients find its kind by discovery.

    Each collection is read from the API server's watch cache, which begins with that: a watch from a revision
    before its beginning is answered with 410 Gone.
    """
    spec, path = definition["spec"], f"{_DEFINITIONS}/{definition['metadata']['name']}"
    versions = _versions(definition)
    loop = asyncio.get_running_loop()
    deadline = loop.time() + _SERVED_WITHIN_S
    while True:
        stored = await api.get(path)
        found = [await _kinds(api, version, spec["names"]["kind"]) for version in versions]
        cached = [await _cached(api, f"{_root(version)}/{spec['names']['plural']}") for version in versions]
        if _established(stored) and all(found) and all(cached):
            return
        if loop.time() > deadline:
            raise HarnessError(
                f"{definition['metadata']['name']} is not served after {_SERVED_WITHIN_S:g} s. "
                f"The API server says of it: {stored.get('status', {}).get('conditions', 'nothing')}"
            )
        await asyncio.sleep(_POLL_S)


def _versions(definition: Json) -> list[str]:
    spec = definition["spec"]
    return [f"{spec['group']}/{each['name']}" for each in spec["versions"] if each["served"]]


async def _cached(api: Api, collection: str) -> bool:
    """The API server's watch cache holds a collection, as far as we may know."""
    try:
        await api.get(f"{collection}?resourceVersion=0")
    except ApiError as error:
        if error.status in {HTTPStatus.NOT_FOUND, HTTPStatus.TOO_MANY_REQUESTS}:
            return False
        if error.status != HTTPStatus.FORBIDDEN:
            raise
    return True


def _established(definition: Json) -> bool:
    conditions = definition.get("status", {}).get("conditions") or []
    return any(each["type"] == "Established" and each["status"] == "True" for each in conditions)


async def _kinds(api: Api, api_version: str, kind: str) -> list[Json]:
    """What discovery says of a kind; nothing if it does not know it."""
    found = await api.get(_root(api_version), missing_ok=True)
    return [each for each in found.get("resources", ()) if each["kind"] == kind and "/" not in each["name"]]


def _root(api_version: str) -> str:
    return f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"


async def _collection(api: Api, body: Json) -> str:
    """The path of the collection that an object belongs to."""
    kinds = await _kinds(api, body["apiVersion"], body["kind"])
    if not kinds:
        raise HarnessError(
            f"{_title(body)} of the descriptor's control_plane: the API server does not serve "
            f"{body['apiVersion']} {body['kind']}"
        )
    root = _root(body["apiVersion"])
    if kinds[0]["namespaced"]:
        root += f"/namespaces/{body['metadata'].get('namespace', 'default')}"
    return f"{root}/{kinds[0]['name']}"


# -- CustomResourceDefinitions


def read_definitions(path: Path) -> list[Json]:
    """The CustomResourceDefinitions in a file, as ``apiextensions.k8s.io/v1``.

    Raises:
        UserError: the file cannot be read, or holds something else.
    """
    documents = yaml_text.load_all(path)
    for each in documents:
        if not isinstance(each, dict) or each.get("kind") != "CustomResourceDefinition":
            raise UserError(f"{path}: may hold only CustomResourceDefinitions")
    return [as_v1(each) if each["apiVersion"].endswith("/v1beta1") else each for each in documents]


def as_v1(old: Mapping[str, Any]) -> Json:
    """A CustomResourceDefinition of ``v1beta1``, which no API server takes since 1.22, in the form of ``v1``.

    What was kept then is kept now: ``v1beta1`` kept unknown fields, where ``v1`` drops them unless the schema
    says otherwise at each level. And ``v1`` demands that a group of ``k8s.io`` says who approved its API.
    Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/v1/types.go, and KEP-1111.
    """
    spec = dict(old["spec"])
    metadata = dict(old["metadata"])
    if spec["group"].endswith(".k8s.io"):
        metadata["annotations"] = {**metadata.get("annotations", {}), _APPROVAL: "unapproved, as released"}
    schema = (spec.pop("validation", None) or {}).get("openAPIV3Schema", {})
    subresources = spec.pop("subresources", None)
    columns = spec.pop("additionalPrinterColumns", ())
    single = spec.pop("version", None)
    versions = spec.pop("versions", None) or [{"name": single, "served": True, "storage": True}]
    names = {"singular": spec["names"]["kind"].lower(), "listKind": f"{spec['names']['kind']}List"}
    spec.pop("preserveUnknownFields", None)
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": metadata,
        "spec": {
            **spec,
            "names": {**names, **spec["names"]},
            "versions": [
                {
                    **version,
                    "schema": {"openAPIV3Schema": {**_keeping_unknown(schema), "type": "object"}},
                    **({"subresources": subresources} if subresources else {}),
                    **({"additionalPrinterColumns": list(map(_column, columns))} if columns else {}),
                }
                for version in versions
            ],
        },
    }


def _keeping_unknown(schema: Mapping[str, Any]) -> Json:
    """A schema that keeps unknown fields of every object in it, but for metadata, whose fields are fixed."""
    kept: Json = dict(schema)
    for name, inner in schema.items():
        if name == "properties":
            kept[name] = {
                each: part if each == "metadata" else _keeping_unknown(part) for each, part in inner.items()
            }
        elif name in {"items", "additionalProperties"} and isinstance(inner, dict):
            kept[name] = _keeping_unknown(inner)
    if kept.get("type", "object") == "object":
        kept["x-kubernetes-preserve-unknown-fields"] = True
    return kept


def _column(column: Mapping[str, Any]) -> Json:
    """A printed column: its ``JSONPath`` is ``jsonPath`` now."""
    renamed = dict(column)
    renamed["jsonPath"] = renamed.pop("JSONPath")
    return renamed
