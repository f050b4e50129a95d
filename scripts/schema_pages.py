"""The reference of files that have a JSON Schema: pages in docs/reference/, which ``pages.py`` writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from batchproof.ground import suite
from batchproof.report.markdown import plain, table
from batchproof.report.schemas import schemas

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_FOLDER = Path(__file__).parents[1] / "docs" / "reference"
_TITLES = {
    "implementation": "The descriptor",
    "dialect": "The dialect of a gang scheduler",
    "results": "results.jsonl",
    "report": "report.json",
    "trust": "The trust file",
}
_PAGES = {"implementation": "descriptor"}
_MORE = {
    "implementation": "To write one, see [certify a controller](../how-to/certify-a-controller.md).",
    "dialect": "To write one, see [describe your dialect](../how-to/dialect.md).",
    "results": "How to read results is in [read a report](../how-to/read-a-report.md).",
    "report": "How to read results is in [read a report](../how-to/read-a-report.md).",
    "trust": "How to use it is in [check a certificate](../how-to/check-a-certificate.md).",
}
_SEE = {
    "implementation": {
        "capabilities": "[capabilities](capabilities.md)",
        "control_plane.crds": "[its API server](../how-to/processes.md#what-it-needs-of-its-api-server)",
        "deviations": "[waive a known failure](../how-to/deviations.md)",
        "dialect": "[the dialect](dialect.md)",
        "election": "[replicas that elect a leader](../how-to/processes.md#replicas-that-elect-a-leader)",
        "isolation": "[what the view shows](../explanation/surroundings.md#what-the-view-shows)",
        "managed_by": "[controllers by managedBy](../how-to/managed-by.md)",
        "processes": "[several processes](../how-to/processes.md)",
        "profiles": "[requirements](../requirements/README.md)",
        "start": "[in-cluster mode](../how-to/in-cluster.md)",
        "pass_env": "[the environment](../../SECURITY.md#the-environment)",
    },
}
"""Where more is said of a field."""


def pages() -> dict[Path, str]:
    """The text of each page."""
    return {_FOLDER / f"{_PAGES.get(name, name)}.md": _page(name) for name in _TITLES}


def _page(name: str) -> str:
    file = f"{name}.schema.json"
    schema = json.loads(schemas().get(file) or (suite.schemas() / file).read_bytes())
    place = f"README.md#{name}" if file in schemas() else f"schemas/{file}"
    see = _SEE.get(name, {})
    blocks = [
        f"# {_TITLES[name]}",
        "<!-- Made by `python scripts/pages.py`: do not edit. -->",
        f"{_prose(schema['description'])} {_MORE[name]}",
        f"The schema is [{file}](../../reports/{place}).",
        *_section(schema, see),
    ]
    for title, one in schema.get("$defs", {}).items():
        blocks += [
            f"## {title}",
            f"{_prose(one.get('description', ''))}{_seen(see, title)}",
            *_section(one, see),
        ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _section(schema: Mapping[str, Any], see: Mapping[str, str]) -> Iterator[str]:
    """A table of the fields of an object; of anything else its form and an example."""
    rows = list(_rows(schema, see, ""))
    if rows:
        yield table(("field", "form", "default", "meaning"), rows, str)
    elif "$ref" not in schema:
        yield f"Form: {_form(schema)}.{_example(schema)}"


def _rows(schema: Mapping[str, Any], see: Mapping[str, str], before: str) -> Iterator[tuple[str, ...]]:
    """The fields of an object and all below them, named by their paths."""
    needed = schema.get("required", ())
    for name, one in schema.get("properties", {}).items():
        path = f"{before}{name}"
        default = "needed" if name in needed else _default(one)
        meaning = f"{_prose(one.get('description', ''))}{_example(one)}{_seen(see, path)}"
        yield f"`{path}`", _form(one), default, meaning.strip()
        yield from _rows(one, see, f"{path}.")
        yield from _rows(one.get("items", {}), see, f"{path}[].")


def _form(schema: Mapping[str, Any]) -> str:
    """What a value looks like, in words."""
    several = schema.get("anyOf") or schema.get("oneOf") or ()
    if "$ref" in schema:
        return _referred(schema["$ref"].removeprefix("#/").replace("properties/", ""))
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    if several and all("required" not in one for one in several):
        return " or ".join(map(_form, several))
    if isinstance(kinds := schema.get("type"), list):
        return " or ".join(_form({**schema, "type": one}) for one in kinds)
    return _typed(schema, kinds or "anything")


def _referred(path: str) -> str:
    """Another part of the schema: a section of the page, or a field above."""
    name = path.removeprefix("$defs/")
    return f"[{name}](#{name.lower()})" if name != path else f"as `{path.replace('/', '.')}`"


def _typed(schema: Mapping[str, Any], kind: str) -> str:
    """A value of one type."""
    values = schema.get("additionalProperties")
    if kind == "array":
        items = schema.get("items", {})
        return "list" if items.get("type") == "object" else f"list of {_form(items)}"
    if kind == "object":
        return f"mapping to {_form(values)}" if isinstance(values, dict) else "mapping"
    return schema.get("format", " ".join([kind, *_bounds(schema)]))


def _bounds(schema: Mapping[str, Any]) -> Iterator[str]:
    words = {"minimum": "from {} on", "exclusiveMinimum": "above {}", "maximum": "up to {}"}
    yield from (text.format(schema[key]) for key, text in words.items() if key in schema)


def _default(schema: Mapping[str, Any]) -> str:
    return f"`{json.dumps(schema['default'])}`".replace("|", "\\|") if "default" in schema else ""


def _example(schema: Mapping[str, Any]) -> str:
    """The first example, as YAML of one line."""
    for one in schema.get("examples", ())[:1]:
        return f" Example: `{json.dumps(one)}`".replace("|", "\\|")
    return ""


def _seen(see: Mapping[str, str], path: str) -> str:
    return f" See {see[path]}." if path in see else ""


def _prose(text: str) -> str:
    """A description in which what stands in backquotes is code, and *words* may be emphasized."""
    parts = text.replace("``", "`").split("`")
    return "`".join(
        part.replace("|", "\\|") if number % 2 else _plain(part) for number, part in enumerate(parts)
    )


def _plain(text: str) -> str:
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{before}{plain(text)}{after}".replace("\\*", "*")
