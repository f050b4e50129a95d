"""Wrong controllers: mutants of the reference, described as a vendor's would be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml

from batchproof.descriptor.implementation import find
from batchproof.ground import suite
from batchproof.specification.mutants import load_mutants, plant

if TYPE_CHECKING:
    from pathlib import Path

DESCRIPTOR = """\
name: wrong
version: "1"
organisation: nobody
profiles: [job]
start:
  argv: ["{python}", "-m", "reference_controller", "job", "--kubeconfig={kubeconfig}"]
  env: {PYTHONPATH: "{descriptor_dir}/planted"}
  ready: {watches: [jobs, pods], within_s: 900}  # it only ends a hang
"""


def wrong(folder: Path, defect: str, more: str = "", among: Path | None = None, like: str = "") -> Path:
    """The descriptor of a reference with that defect, which stands beside it.

    Args:
        folder: where both are put.
        defect: its name.
        more: other fields of the descriptor.
        among: the folder of the defects; None: those of the suite.
        like: the bundled descriptor that it is like; empty: a Job controller's that declares nothing.
    """
    [planted] = [one for one in load_mutants(among) if one.name == defect]
    plant(planted, suite.reference().parent, folder / "planted")
    descriptor = folder / "wrong.yaml"
    text = DESCRIPTOR
    if like:
        content = yaml.safe_load(find(like).read_text("utf-8"))
        content["start"]["env"] = {"PYTHONPATH": "{descriptor_dir}/planted"}
        text = yaml.safe_dump({**content, "name": "wrong"})
    descriptor.write_text(text + more, "utf-8")
    return descriptor
