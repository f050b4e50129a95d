"""The descriptors of the programs, of which ``programs.yaml`` has one table a profile.

``python -m tests.unusual.descriptors gang/backs_off`` prints one.
"""

from __future__ import annotations

import sys
from pathlib import Path
from string import Template
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
TABLES: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("programs.yaml").read_text("utf-8"))
PROGRAMS = [f"{profile}/{program}" for profile, table in TABLES.items() for program in table["programs"]]


def descriptor(program: str) -> str:
    """The descriptor of a program, such as ``gang/backs_off``."""
    profile, _, name = program.partition("/")
    table = TABLES[profile]
    told = Template(yaml.safe_dump({**table["all"], **table["programs"][name]}, sort_keys=False))
    return told.substitute(program=name, name=name.replace("_", "-"), root=ROOT)


if __name__ == "__main__":
    sys.stdout.write(descriptor(sys.argv[1]))
