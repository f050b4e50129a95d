"""Descriptors that extend another one: the same implementation in another configuration, or another version.

``extends:`` names a descriptor. What it says counts as if it stood here, but for what stands here:

- a mapping is added to that of the base, key by key, and ``null`` removes a key of the base;
- deviations are added to those of the base;
- anything else, such as a list, stands instead of what the base has there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import yaml

from batchproof.ground import documents, stored
from batchproof.ground.documents import Document, Problem, near

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

EXTENDS = "extends"
"""The key that names the base."""
_SCHEMA = "implementation"
_ADDED = "deviations"
_HOW = "name one bundled descriptor, or one file by its path from the folder of this file"


def whole(path: Path, known: Mapping[str, Path]) -> Document:
    """The descriptor in a file, with what it inherits. What is wrong with that is at the line of ``extends``.

    Args:
        path: the file.
        known: the files that a descriptor may name without a path.

    Raises:
        UserError: the file cannot be read, or that of its base.
    """
    own = documents.composed(path)
    if not isinstance(own.value, dict) or EXTENDS not in own.value:
        return documents.checked(own, _SCHEMA)
    name, file = own.value[EXTENDS], base_of(own, known)
    base = _base(file, name, known) if file else _HOW
    if isinstance(base, str):
        problem = Problem(path, own.line(EXTENDS), f"{EXTENDS}: {base}")
        return Document(path, None, (*own.problems, problem))
    here = {key: value for key, value in own.value.items() if key != EXTENDS}
    value = _merged(base, here)
    mine = here.get(_ADDED, [])
    inherited = base.get(_ADDED, []) if isinstance(mine, list) else []
    if inherited:
        value[_ADDED] = [*inherited, *mine]
    text = f"# It extends {name}.\n{stored.indented(value).decode()}"
    places = _places(cast("yaml.MappingNode", own.node), value, len(inherited))
    return documents.checked(replace(own, value=value, text=text, node=places, base=file), _SCHEMA)


def base_of(document: Document, known: Mapping[str, Path]) -> Path | None:
    """The file of the base of a descriptor; None if it names none."""
    name = document.value.get(EXTENDS) if isinstance(document.value, dict) else None
    return (known.get(name) or document.path.parent / name) if name and isinstance(name, str) else None


def _base(file: Path, name: str, known: Mapping[str, Path]) -> dict[str, Any] | str:
    """The content of the base; a message if it cannot be extended."""
    if not file.is_file():
        return f"there is no descriptor {name!r}{near(name, known)}: {_HOW}"
    document = documents.composed(file)
    if isinstance(document.value, dict) and EXTENDS in document.value:
        return f"{name} extends another one itself: extend {document.value[EXTENDS]}"
    document = documents.checked(document, _SCHEMA)
    return str(document.problems[0]) if document.problems else cast("dict[str, Any]", document.value)


def _merged(base: Any, here: Any) -> Any:
    if not isinstance(base, dict) or not isinstance(here, dict):
        return here
    found = {**base, **{key: _merged(base.get(key), value) for key, value in here.items()}}
    return {key: value for key, value in found.items() if not (key in here and here[key] is None)}


def _places(own: yaml.MappingNode, value: dict[str, Any], inherited: int) -> yaml.MappingNode:
    """Where each part of the whole stands: what is inherited, at the line of ``extends``."""
    at = next(key for key, _ in own.value if key.value == EXTENDS)
    pairs = {key.value: (key, child) for key, child in own.value if key is not at}
    if inherited and _ADDED in pairs:
        key, rows = pairs[_ADDED]
        pairs[_ADDED] = (key, yaml.SequenceNode(rows.tag, [*[at] * inherited, *rows.value], rows.start_mark))
    for key in value.keys() - pairs.keys():
        named = yaml.ScalarNode(at.tag, key, at.start_mark, at.end_mark)
        rows = yaml.SequenceNode(at.tag, [at] * inherited, at.start_mark) if key == _ADDED else at
        pairs[key] = (named, rows)
    return yaml.MappingNode(own.tag, [*pairs.values()], own.start_mark)
