"""By what the requests of a cell are known in the audit log of an API server that batchproof has started."""

from __future__ import annotations

import hmac
import secrets
from typing import Final

HEADER: Final = "Audit-ID"
"""The API server takes over what a client says in it. Source: k8s.io/apiserver, WithAuditInit."""
_CODE: Final = 16


class Stamps:
    """A new id for each request of the harness and of the proxy; no other client can make one.

    Attributes:
        newest: the number of the newest.
    """

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self.newest = 0

    def new(self) -> str:
        """An id for a request that is about to be made."""
        self.newest += 1
        return f"{self.newest}-{self._code(self.newest)}"

    def number(self, id_: str) -> int | None:
        """The number of an id; None if it is none of these."""
        number, _, code = id_.partition("-")
        if not number.isascii() or not number.isdigit() or len(number) > _CODE:
            return None
        return int(number) if hmac.compare_digest(code.encode(), self._code(int(number)).encode()) else None

    def _code(self, number: int) -> str:
        return hmac.digest(self._key, str(number).encode(), "sha256").hex()[:_CODE]
