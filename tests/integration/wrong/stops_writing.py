"""The reference controller, wrong: after so many writes (``WRITES``) it hangs in the next one, for ever.

It watches on, so that it looks alive. With ``WRITES=0`` it is one that does nothing at all.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import sys

from reference_controller.__main__ import main
from reference_controller.runtime.client import ApiClient

_writes = itertools.count(1)
_request = ApiClient.request


async def _request_or_hang(
    self: ApiClient, method: str, path: str, body: bytes | None = None, content_type: str = "application/json"
) -> object:
    if method != "GET" and next(_writes) > int(os.environ["WRITES"]):
        await asyncio.Event().wait()
    return await _request(self, method, path, body, content_type)


ApiClient.request = _request_or_hang  # type: ignore[method-assign]
sys.exit(main(sys.argv[1:]))
