"""Pages of HTML: each one file with no request to anywhere else.

Everything in a page that came from a run is untrusted: the templates escape all of it, and a content
security policy names the page's own script and style by their digests, so that even what slipped through
could not run.
"""

from __future__ import annotations

import base64
import hashlib
import re
import shlex
from functools import cache
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from batchproof.ground.screen import printable
from batchproof.report import wording
from batchproof.report.sources import linked

if TYPE_CHECKING:
    from collections.abc import Mapping

_CODE = re.compile(r"`([^`]+)`")
_TEMPLATE = Path(__file__).parent / "template"
MARKS = {
    "passed": "✓",
    "held": "✓",
    "failed": "✕",
    "broken": "✕",
    "errored": "!",
    "inconclusive": "?",
    "undecided": "?",
    "missing": "∅",
    "skipped": "\N{EN DASH}",
    "not-run": "·",
    "contested": "✕",
    "differing": "≠",
    "undeclared": "\N{EN DASH}",
    "same": "=",
}


def page(template: str, *, shares: Mapping[Any, int], **values: Any) -> str:
    """A page.

    Args:
        template: the name of its template.
        shares: how wide each part of the bar above its table is, by verdict.
        values: what else the template needs.
    """
    # The policy forbids style attributes, so the widths of the bar are part of the style sheet.
    widths = "".join(f".bar .{name}{{flex-grow:{number}}}" for name, number in shares.items())
    style = _style() + widths
    script = (_TEMPLATE / "page.js").read_text("utf-8")
    return (
        _environment()
        .get_template(template)
        .render(
            shares=shares,
            style=Markup(style),  # noqa: S704 - our own file
            script=Markup(script),  # noqa: S704 - our own file
            policy=f"default-src 'none'; img-src data:; style-src {_digest(style)}; "
            f"script-src {_digest(script)}; base-uri 'none'; form-action 'none'",
            **values,
        )
    )


def document(template: str, **values: Any) -> str:
    """A page without a script.

    Args:
        template: the name of its template.
        values: what the template needs.
    """
    style = _style()
    return (
        _environment()
        .get_template(template)
        .render(
            style=Markup(style),  # noqa: S704 - our own file
            policy=f"default-src 'none'; img-src data:; style-src {_digest(style)}; "
            "script-src 'none'; base-uri 'none'; form-action 'none'",
            **values,
        )
    )


@cache
def _style() -> str:
    return "".join((_TEMPLATE / name).read_text("utf-8") for name in ("page.css", "timeline.css"))


def _visible(value: object) -> object:
    """Text of a run with its control characters shown; Markup is ours and stays as it is."""
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def coded(text: str) -> Markup:
    """A text in which what stands between backticks is code; all else of it is escaped."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(printable(text)))))  # noqa: S704 - it is escaped


def _digest(text: str) -> str:
    """How a content security policy names an inline script or style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATE),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "duration": wording.duration,
        "total": fsum,  # sum() differs between Python 3.11 and 3.12, and a page is compared to the letter
        "utc": wording.utc,
        "link": wording.relative_link,
        "web": wording.web_link,
        "source": linked,
        "coded": coded,
        "shell": shlex.quote,
    }
    environment.globals |= {
        "mark": MARKS,
        "count": wording.count,
        "named": wording.named,
        "retried": wording.retried,
        "errored_because": wording.errored_because,
    }
    return environment
