"""The schemas of what batchproof writes are made from its records."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import orjson
import pytest
from jsonschema import Draft202012Validator

from batchproof.report.schemas import schemas

ROOT = Path(__file__).parents[2]
HOOK = runpy.run_path(str(ROOT / "scripts" / "wheel_schemas.py"))["WheelSchemas"]


def test_the_build_of_the_wheel_makes_each_schema_and_leaves_none_behind() -> None:
    hook = HOOK(str(ROOT), {}, None, None, "", "wheel")
    told: dict[str, Any] = {"force_include": {}}
    hook.initialize("standard", told)
    made = {Path(file): place for file, place in told["force_include"].items()}
    assert {place: file.read_bytes() for file, place in made.items()} == {
        f"batchproof/suite/schemas/{name}": text for name, text in schemas().items()
    }
    hook.finalize("standard", told, "")
    assert not any(file.exists() for file in made)


def test_an_editable_install_makes_none() -> None:
    hook = HOOK(str(ROOT), {}, None, None, "", "wheel")
    told: dict[str, Any] = {"force_include": {}}
    hook.initialize("editable", told)
    hook.finalize("editable", told, "")
    assert told == {"force_include": {}}


@pytest.mark.parametrize("name", schemas())
def test_a_schema_is_valid_and_describes_each_record(name: str) -> None:
    schema = orjson.loads(schemas()[name])
    Draft202012Validator.check_schema(schema)
    assert all(one["description"] for one in schema["$defs"].values())


def test_what_the_docstring_says_of_an_attribute_describes_its_property() -> None:
    report = orjson.loads(schemas()["report.schema.json"])
    assert report["properties"]["undecided"]["description"] == (
        "The preconditions that were not met, so that scenarios are inconclusive: each once."
    )
    assert report["$defs"]["Waiver"]["properties"]["values"]["description"].endswith("a text for anything.")
