"""The JSON Schemas of what batchproof writes: made from its records, for the wheel and the site of the docs.

What a docstring says of a record and of its attributes describes them in the schema too. A schema says as
well what no type can say: that a failure carries its evidence.
"""

from __future__ import annotations

import inspect
import re
from typing import Any, Final

import msgspec

from batchproof.report.json_report import Report
from batchproof.report.matrix import Matrix
from batchproof.report.records import Record, ScenarioRecord

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_ATTRIBUTE: Final = re.compile(r"^(?P<name>\w+): (?P<what>.*(?:\n +.*)*)", re.MULTILINE)
_STREAM: Final = (
    "One line of results.jsonl. A stream is one header, then one record a scenario (one an example of an "
    "outline), then one footer. A stream without a footer was cut and proves nothing. Times of day are RFC "
    "3339 with a time zone; everything that ends in _s is in seconds."
)
_EVIDENCE: Final = [
    {
        "description": "A failure carries its evidence.",
        "if": {"properties": {"verdict": {"const": "failed"}}},
        "then": {"required": ["unmet"], "properties": {"unmet": {"type": "object"}}},
    },
    {
        "description": "Nothing in a pass speaks against it.",
        "if": {"properties": {"verdict": {"const": "passed"}}},
        "then": {"properties": {"unmet": {"type": "null"}, "error": {"type": "null"}}},
    },
]


def schemas() -> dict[str, bytes]:
    """The text of each schema, by the name of its file."""
    stream = _schema("results", Record, title="Record of a results stream", description=_STREAM)
    stream["$defs"][ScenarioRecord.__name__]["allOf"] = _EVIDENCE
    made = {
        "results": stream,
        "report": _schema("report", Report, title="Report of a run"),
        "defect-matrix": _schema("defect-matrix", Matrix, title="Matrix of mutants"),
    }
    return {
        f"{name}.schema.json": msgspec.json.format(msgspec.json.encode(schema)) + b"\n"
        for name, schema in made.items()
    }


def _schema(name: str, form: Any, **about: str) -> dict[str, Any]:
    """The schema of a record; ``about`` says what its docstring does not."""
    (root,), records = msgspec.json.schema_components([form], ref_template="#/$defs/{name}")
    for record in records.values():
        _describe(record)
    root.pop("discriminator", None)  # says in another language what the tags say
    root = records.pop(form.__name__) if "$ref" in root else root
    head = {"$schema": _DIALECT, "$id": f"urn:batchproof:schema:{name}"}
    return {**head, **root, **about, "$defs": records}


def _describe(record: dict[str, Any]) -> None:
    """Share out a docstring: its attributes to the properties, the rest to the record."""
    text, _, attributes = inspect.cleandoc(record.get("description", "")).partition("Attributes:\n")
    record["description"] = " ".join(text.split())
    for found in _ATTRIBUTE.finditer(inspect.cleandoc(attributes)):
        what = " ".join(found["what"].split())
        record["properties"][found["name"]]["description"] = what[0].upper() + what[1:]
