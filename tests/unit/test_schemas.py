"""The schemas of what batchproof writes are made from its records."""

from __future__ import annotations

import orjson
import pytest
from jsonschema import Draft202012Validator

from batchproof import suite
from batchproof.report.schemas import schemas


@pytest.mark.parametrize("name", schemas())
def test_a_schema_that_is_kept_is_the_one_that_the_records_make(name: str) -> None:
    kept = (suite.schemas() / name).read_bytes()
    assert kept == schemas()[name], "the records changed: run `python scripts/schemas.py`"


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
    assert report["$defs"]["Waiver"]["properties"]["observed"]["description"].endswith("stands for anything.")
