"""PRODUCT.yaml, and the requirements of a version, as the checker of CNCF AI Conformance reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from batchproof.report.ai_conformance.program import ProgramRequirement

if TYPE_CHECKING:
    from collections.abc import Mapping


class WrongProduct(ValueError):  # noqa: N818 - reads as what it is
    """A document does not have the form that the checker reads."""


@dataclass(frozen=True, slots=True)
class ProductAnswer:
    """An entry of PRODUCT.yaml: what the vendor answers to a requirement.

    Attributes:
        evidence: addresses, and files of the product's folder, each maybe with ``#`` and a test.
    """

    id: str
    description: str
    level: str
    status: str
    evidence: tuple[str, ...]
    notes: str


@dataclass(frozen=True, slots=True)
class Product:
    """A document with metadata, and with the entries of each section.

    Attributes:
        metadata: by field; None if there are none.
        spec: the entries by section; None if there are none.
    """

    metadata: Mapping[str, Any] | None
    spec: Mapping[str, tuple[ProductAnswer, ...]] | None


def parse_product(value: Any) -> Product:
    """What a document of YAML says.

    Raises:
        WrongProduct: something in it is of another type than the checker reads.
    """
    document = _mapping(value, "the document") or {}
    metadata = _mapping(document.get("metadata"), "metadata")
    spec = _mapping(document.get("spec"), "spec")
    if spec is None:
        return Product(metadata, None)
    answers = {
        section: tuple(_answer(one, f"spec.{section}[{at}]") for at, one in enumerate(_list(those, section)))
        for section, those in spec.items()
    }
    return Product(metadata, answers)


def parse_schema(value: Any, version: str) -> tuple[ProgramRequirement, ...]:
    """The requirements of upstream's ``docs/AIConformance-X.Y.yaml``, which has the form of a PRODUCT.yaml.

    Args:
        value: the document.
        version: that of Kubernetes that they have to be of: ``1.37``.

    Raises:
        WrongProduct: it does not have that form, has no requirement, or is of another version.
    """
    schema = parse_product(value)
    found = tuple(
        ProgramRequirement(one.id, section, one.level, one.description)
        for section, those in (schema.spec or {}).items()
        for one in those
    )
    if not found:
        raise WrongProduct("there is no requirement below spec")
    said = (schema.metadata or {}).get("kubernetesVersion")
    if said != f"v{version}":
        raise WrongProduct(f"metadata.kubernetesVersion is {said}, and the product is below v{version}")
    return found


def _answer(value: Any, place: str) -> ProductAnswer:
    fields = _mapping(value, place) or {}
    return ProductAnswer(
        **{name: _text(fields.get(name), f"{place}.{name}") for name in _TEXTS},
        evidence=tuple(
            _text(one, f"{place}.evidence[{at}]")
            for at, one in enumerate(_list(fields.get("evidence"), f"{place}.evidence"))
        ),
    )


_TEXTS = ("id", "description", "level", "status", "notes")


def _mapping(value: Any, place: str) -> dict[str, Any] | None:
    if value is not None and not isinstance(value, dict):
        raise WrongProduct(f"{place} is no mapping")
    return value


def _list(value: Any, place: str) -> list[Any]:
    if value is not None and not isinstance(value, list):
        raise WrongProduct(f"{place} is no list")
    return value or []


def _text(value: Any, place: str) -> str:
    """A scalar as text, which is how the checker reads it; nothing is an empty one."""
    if isinstance(value, (dict, list)):
        raise WrongProduct(f"{place} is no text")
    return "" if value is None else str(value)
