"""A program that meets each MUST in another way than Kubernetes' own is accused of no MUST."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml
from command import ended

from batchproof.descriptor.implementation import find
from batchproof.ground import suite
from batchproof.specification.edits import Edit
from batchproof.specification.mutants import Mutant, plant

FILE = Path(__file__).with_name("unusual.yaml")


@dataclass(frozen=True, kw_only=True)
class Unusual:
    """A row of ``unusual.yaml``, which says what is what."""

    name: str
    like: str
    what: str
    edits: list[dict[str, str]]
    misses: list[str]
    declares: dict[str, Any] = field(default_factory=dict)

    def describe(self, folder: Path) -> Path:
        """Make it below a folder; returns its descriptor."""
        edits = tuple(map(Edit.of, self.edits))
        made = Mutant(self.name, "", self.what, edits, FILE, 1, (1,) * len(edits))
        plant(made, suite.reference().parent, folder / "made")
        content = yaml.safe_load(find(self.like).read_text("utf-8"))
        content["start"]["env"] = {"PYTHONPATH": "{descriptor_dir}/made"}
        descriptor = folder / f"{self.name}.yaml"
        told = {**content, "name": self.name, **self.declares}
        descriptor.write_text(yaml.safe_dump(told), "utf-8")
        return descriptor


ALL = [Unusual(**row) for row in yaml.safe_load(FILE.read_text("utf-8"))]


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_who_is_unusual_but_right_is_accused_of_no_must(one: Unusual, tmp_path: Path) -> None:
    found = tmp_path / "found"

    code, said = ended("run", "-i", one.describe(tmp_path), "-o", found)

    assert code == 0, said
    verdicts = json.loads((found / "report.json").read_text("utf-8"))["requirements"]
    failed = {each["id"] for each in verdicts if each["verdict"] == "failed"}
    assert failed <= {*one.misses}, said
    code, said = ended("replay", found)
    assert code == 0, said
