"""The server that the API server asks before it stores what users want; what it decides is pure."""

from __future__ import annotations

import asyncio
import logging
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson
from aiohttp import web

from reference_controller.objects.resources import Resource
from reference_controller.objects.reviews import Answer, Asked, Webhook, configuration, read_review, written
from reference_controller.runtime.client import ApiClient, ApiError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

log = logging.getLogger(__name__)

_GROUP, _VERSION = "admissionregistration.k8s.io", "v1"
_HOST = "127.0.0.1"
_BETWEEN_LOOKS_S = 0.05
_DRY = "?dryRun=All"


@dataclass(frozen=True, slots=True)
class Admission:
    """What is asked about, and how it is answered.

    Attributes:
        name: that of the webhook configurations.
        mutating: of which requests it is asked what is to be filled in.
        validating: of which requests it is asked whether they may be stored.
        mutate: what is filled in.
        validate: what is wrong.
        trial: the URL path and body of a creation that it is asked about, for nothing but to see that.
    """

    name: str
    mutating: tuple[Webhook, ...]
    validating: tuple[Webhook, ...]
    mutate: Callable[[Asked], Answer]
    validate: Callable[[Asked], Awaitable[Answer]]
    trial: tuple[str, bytes]


class AdmissionServer:
    """Answers reviews over TLS; `ready_port` accepts connections once the API server asks."""

    def __init__(
        self, client: ApiClient, admission: Admission, *, port: int, ready_port: int, tls_dir: Path
    ) -> None:
        self._client = client
        self._admission = admission
        self._port = port
        self._ready_port = ready_port
        self._tls_dir = tls_dir
        self._asked: set[str] = set()

    async def run(self) -> None:
        """Serve for ever."""
        app = web.Application()
        app.router.add_post("/mutate", self._mutate)
        app.router.add_post("/validate", self._validate)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, _HOST, self._port, ssl_context=self._tls()).start()
        expected = await self._register()
        await self._in_force(expected)
        log.info("the API server asks us")
        ready = await asyncio.start_server(lambda _, writer: writer.close(), _HOST, self._ready_port)
        try:
            await ready.serve_forever()
        finally:
            await runner.cleanup()

    def _tls(self) -> ssl.SSLContext:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self._tls_dir / "tls.crt", self._tls_dir / "tls.key")
        return context

    async def _mutate(self, request: web.Request) -> web.Response:
        self._asked.add("mutate")
        asked = read_review(await request.read())
        return _json(written(asked, self._admission.mutate(asked)))

    async def _validate(self, request: web.Request) -> web.Response:
        self._asked.add("validate")
        asked = read_review(await request.read())
        return _json(written(asked, await self._admission.validate(asked)))

    async def _register(self) -> set[str]:
        """Let the API server ask us, as which it will; what an earlier process has left is replaced."""
        authority = (self._tls_dir / "ca.crt").read_text("utf-8")
        wanted = {
            "mutate": ("MutatingWebhookConfiguration", self._admission.mutating),
            "validate": ("ValidatingWebhookConfiguration", self._admission.validating),
        }
        registered = {what: it for what, it in wanted.items() if it[1]}
        for what, (kind, webhooks) in registered.items():
            url = f"https://{_HOST}:{self._port}/{what}"
            body = orjson.dumps(configuration(kind, self._admission.name, webhooks, url, authority))
            resource = Resource(_GROUP, _VERSION, f"{kind.lower()}s")
            try:
                await self._client.post(resource.everywhere, body)
            except ApiError as error:
                if not error.already_exists:
                    raise
                await self._client.merge(resource.named("", self._admission.name), body)
        return {*registered}

    async def _in_force(self, expected: set[str]) -> None:
        """Wait until the API server asks us: it learns that it has to a moment later."""
        path, body = self._admission.trial
        while not expected <= self._asked:
            try:
                await self._client.post(path + _DRY, body)
            except ApiError as error:
                log.info("asked for a trial: %s", error)
            await asyncio.sleep(_BETWEEN_LOOKS_S)


def _json(body: bytes) -> web.Response:
    return web.Response(body=body, content_type="application/json")
