"""Request targets, read as the API server reads them, or refused.

The proxy decides by the path and the query what a request asks for, and passes the target on letter by
letter. So nothing may have two readings: what a client of Kubernetes never sends is refused.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, unquote

if TYPE_CHECKING:
    from collections.abc import Mapping

_WRITTEN: Final = re.compile(r"/[!-~]*")
"""The origin form of RFC 9112, section 3.2.1, in visible ASCII: no absolute form, no authority, no space."""
_ESCAPE: Final = re.compile(r"%(..?)?")
_ESCAPED: Final = frozenset("!\"$&'()*+,:;<=>@[]^`{|} ")
"""What a path may have in the form ``%XX``: never what would read differently unescaped (``/ . % a``)."""
_LEGACY: Final = re.compile(r"/(api/[^/]+|apis/[^/]+/[^/]+)/(watch|proxy)(/|$)")
"""Verbs as a part of the path, deprecated since Kubernetes 1.11."""
_LISTED_BY: Final = frozenset({"limit", "continue"})


class TargetError(Exception):
    """The target is not one that a client of Kubernetes sends.

    Attributes:
        status: the HTTP status that says so.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def read(target: str) -> tuple[str, Mapping[str, str]]:
    """The path of a target, unescaped, and its query; of two parameters of a name the first counts.

    Source: RequestInfoFactory in k8s.io/apiserver; url.ParseQuery of Go, which drops what it cannot read.

    Raises:
        TargetError: the API server could read it in another way, or finds nothing there.
    """
    if not _WRITTEN.fullmatch(target) or "#" in target:
        raise TargetError(400, "the request target is not a path of visible ASCII characters")
    path, _, query = target.partition("?")
    if not all(_harmless(match.group(1)) for match in _ESCAPE.finditer(path)):
        raise TargetError(404, "the path has escaped characters that no path of the API has")
    unescaped = unquote(path)
    segments = unescaped.removeprefix("/").removesuffix("/").split("/")
    if (path != "/" and not all(segments)) or {".", ".."} & set(segments) or "\\" in unescaped:
        raise TargetError(404, "the path has an empty segment, or one that leads elsewhere")
    if _LEGACY.match(unescaped):
        raise TargetError(404, "batchproof serves no watch by its old path; ask with ?watch=true")
    return unescaped, _query(query)


def without_pages(target: str) -> str:
    """The same list in one piece: a ``continue`` token names an object, which may not be one of the view."""
    path, _, query = target.partition("?")
    kept = [pair for pair in query.split("&") if unquote(pair.partition("=")[0]) not in _LISTED_BY]
    return f"{path}?{'&'.join(kept)}" if any(kept) else path


def _harmless(code: str | None) -> bool:
    return code is not None and _is_byte(code) and chr(int(code, 16)) in _ESCAPED


def _query(query: str) -> Mapping[str, str]:
    if ";" in query or any(not _is_byte(match.group(1)) for match in _ESCAPE.finditer(query)):
        raise TargetError(400, "the query has a semicolon, or a percent sign that escapes nothing")
    pairs = parse_qsl(query, keep_blank_values=True, errors="replace")
    asked = dict(reversed(pairs))
    if asked.get("watch") == "":
        raise TargetError(400, "the query says neither that this is a watch nor that it is none")
    return asked


def _is_byte(code: str | None) -> bool:
    return re.fullmatch("[0-9A-Fa-f]{2}", code or "") is not None
