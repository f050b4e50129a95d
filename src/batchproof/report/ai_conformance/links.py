"""Where evidence lies: an address of the web, or a file of the product's folder, maybe with a test in it.

As cncf/k8s-ai-conformance, ``scripts/validate.go``, ``resolveEvidencePath`` has it.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import urlsplit

_OTHER_PRODUCT = re.compile(r"v\d+\.\d+/[^/]+/", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_NOT_IN_HOST = re.compile(r"[ \\%]")
_WRONG_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")


class WrongLink(ValueError):  # noqa: N818 - reads as what it is
    """A link of evidence leads to no file of the product."""


@dataclass(frozen=True, slots=True)
class Link:
    """A file of the product.

    Attributes:
        path: below the product's folder.
        test: the test in it that is meant; empty if none is named.
    """

    path: PurePosixPath
    test: str


def is_web(link: str) -> bool:
    """Whether it is an address, and no file."""
    return link.startswith(("http://", "https://"))


def wrong_address(link: str) -> str:
    """Why nothing can be asked for by this address, by its form alone; empty if it has the right form."""
    if _CONTROL.search(link):
        return "it has a control character"
    try:
        parts = urlsplit(link)
        host, _ = parts.hostname, parts.port  # a wrong port raises an error
    except ValueError as error:
        return str(error)
    if parts.scheme not in {"http", "https"}:
        return f"unsupported protocol scheme {parts.scheme!r}"
    if not host or _NOT_IN_HOST.search(parts.netloc):
        return "it names no host"
    return "it has a wrong escape" if _WRONG_ESCAPE.search(parts.path) else ""


def local(folder: PurePosixPath, link: str) -> Link:
    """The file that a link means.

    Args:
        folder: that of the product in the repository: ``v1.37/acme``.
        link: relative to it, or to the root of the repository, with or without ``file://``.

    Raises:
        WrongLink: it names no file, one of another product, or one outside the folder.
    """
    path, _, test = link.strip().removeprefix("file://").partition("#")
    path = path.strip().removeprefix("/")
    if not path:
        raise WrongLink("empty file path")
    own = f"{folder.parent.name}/{folder.name}/"
    if path.startswith(own):
        path = path.removeprefix(own)
    elif _OTHER_PRODUCT.match(path):
        raise WrongLink(f"it references a different product directory; evidence must live in {folder}")
    whole = posixpath.normpath(f"/{folder}/{path}")
    below = posixpath.relpath(whole, f"/{folder}")
    if below in {".", ".."} or below.startswith("../"):
        raise WrongLink(f"it escapes the product directory {folder}")
    return Link(PurePosixPath(below), test)
