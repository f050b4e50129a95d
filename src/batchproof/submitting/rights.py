"""The rights that ``submit`` needs in one namespace: those of ``fixtures/rbac/submit.yaml``."""

from __future__ import annotations

import yaml

from batchproof.ground import suite
from batchproof.judgement.history import Json

NAMESPACE = "batchproof"
"""The one that the manifests name, and the default of ``submit``."""


def manifests(namespace: str = NAMESPACE) -> str:
    """The manifests that give the rights in a namespace."""
    text = (suite.fixtures() / "rbac" / "submit.yaml").read_text("utf-8")
    if namespace == NAMESPACE:
        return text
    objects = [_in(each, namespace) for each in yaml.safe_load_all(text)]
    return "---\n".join(yaml.safe_dump(each, sort_keys=False) for each in objects)


def _in(each: Json, namespace: str) -> Json:
    """A manifest for another namespace."""
    if each["kind"] == "Namespace":
        return {**each, "metadata": {**each["metadata"], "name": namespace}}
    moved = {**each, "metadata": {**each["metadata"], "namespace": namespace}}
    if "subjects" in each:
        moved["subjects"] = [{**one, "namespace": namespace} for one in each["subjects"]]
    return moved
