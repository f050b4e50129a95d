"""CustomResourceDefinitions: which are taken, and what becomes of old ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from batchproof.control_plane.manifests import as_v1, read_definitions
from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path

OLD: dict[str, Any] = {
    "apiVersion": "apiextensions.k8s.io/v1beta1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "gangs.example.k8s.io"},
    "spec": {
        "group": "example.k8s.io",
        "names": {"kind": "Gang", "plural": "gangs"},
        "scope": "Namespaced",
        "version": "v1alpha1",
        "subresources": {"status": {}},
        "additionalPrinterColumns": [{"name": "Size", "type": "integer", "JSONPath": ".spec.size"}],
        "validation": {
            "openAPIV3Schema": {
                "properties": {
                    "metadata": {"type": "object"},
                    "spec": {
                        "type": "object",
                        "properties": {
                            "size": {"type": "integer"},
                            "parts": {"type": "array", "items": {"type": "object"}},
                        },
                    },
                }
            }
        },
    },
}
UNKNOWN_KEPT = {"x-kubernetes-preserve-unknown-fields": True}


def test_an_old_definition_keeps_its_names_version_and_subresources() -> None:
    new = as_v1(OLD)
    (version,) = new["spec"]["versions"]
    assert new["apiVersion"] == "apiextensions.k8s.io/v1"
    assert (new["spec"]["group"], new["spec"]["scope"]) == ("example.k8s.io", "Namespaced")
    assert new["spec"]["names"] == {
        "kind": "Gang",
        "plural": "gangs",
        "singular": "gang",
        "listKind": "GangList",
    }
    assert (version["name"], version["served"], version["storage"]) == ("v1alpha1", True, True)
    assert version["subresources"] == {"status": {}}
    assert version["additionalPrinterColumns"] == [
        {"name": "Size", "type": "integer", "jsonPath": ".spec.size"}
    ]
    assert set(new["spec"]) == {"group", "names", "scope", "versions"}


def test_an_old_definition_keeps_unknown_fields_at_each_level() -> None:
    schema = as_v1(OLD)["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    assert schema == {
        "type": "object",
        **UNKNOWN_KEPT,
        "properties": {
            "metadata": {"type": "object"},
            "spec": {
                "type": "object",
                **UNKNOWN_KEPT,
                "properties": {
                    "size": {"type": "integer"},
                    "parts": {"type": "array", "items": {"type": "object", **UNKNOWN_KEPT}},
                },
            },
        },
    }


@pytest.mark.parametrize(
    ("group", "approval_told"), [("example.k8s.io", True), ("k8s.io", False), ("example.com", False)]
)
def test_only_a_group_of_kubernetes_says_who_approved_it(group: str, approval_told: bool) -> None:
    new = as_v1({**OLD, "spec": {**OLD["spec"], "group": group}})
    assert ("api-approved.kubernetes.io" in new["metadata"].get("annotations", {})) is approval_told


def test_an_old_definition_of_several_versions_keeps_them_all() -> None:
    versions = [
        {"name": "v1", "served": True, "storage": True},
        {"name": "v0", "served": False, "storage": False},
    ]
    new = as_v1({**OLD, "spec": {**OLD["spec"], "versions": versions}})
    assert [(each["name"], each["served"]) for each in new["spec"]["versions"]] == [
        ("v1", True),
        ("v0", False),
    ]


def test_a_definition_of_today_is_taken_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "crds.yaml"
    kind = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition"
    path.write_text(f"---\n{kind}\nmetadata: {{name: a.b}}\n---\n")
    assert [each["metadata"]["name"] for each in read_definitions(path)] == ["a.b"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kind: Namespace", "may hold only CustomResourceDefinitions"),
        ("just text", "may hold only CustomResourceDefinitions"),
        ("a: [", "not valid YAML"),
    ],
)
def test_a_file_of_anything_else_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "crds.yaml"
    path.write_text(text)
    with pytest.raises(UserError, match=message):
        read_definitions(path)
