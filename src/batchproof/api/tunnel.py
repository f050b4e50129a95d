"""The way through an HTTP proxy that stands between this machine and an API server."""

from __future__ import annotations

import asyncio
import base64
import socket
from typing import Final
from urllib.parse import unquote, urlsplit

_OK: Final = b"200"
_LONGEST: Final = 16 * 1024


async def tunnel(proxy_url: str, host: str, port: int) -> socket.socket:
    """A connection to a server that a proxy has opened for us; nothing has been said on it yet.

    Source: RFC 9110, section 9.3.6.

    Raises:
        OSError: the proxy cannot be reached, or refuses.
    """
    proxy, loop = urlsplit(proxy_url), asyncio.get_running_loop()
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    lines = [f"CONNECT {place} HTTP/1.1", f"Host: {place}"]
    if proxy.username:
        who = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
        lines.append(f"Proxy-Authorization: Basic {base64.b64encode(who.encode()).decode()}")
    led = await _connected(proxy.hostname or "", proxy.port or 80)
    try:
        await loop.sock_sendall(led, "\r\n".join([*lines, "", ""]).encode())
        said = b""
        # Letter by letter: what follows the head is the server's, and belongs to TLS.
        while not said.endswith(b"\r\n\r\n") and len(said) < _LONGEST:
            if not (letter := await loop.sock_recv(led, 1)):
                break
            said += letter
    except BaseException:
        led.close()
        raise
    if said.split(b" ", 2)[1:2] != [_OK]:
        led.close()
        first = said.partition(b"\r\n")[0].decode(errors="replace")
        raise ConnectionError(f"the proxy {proxy.hostname} does not lead to {place}: {first}")
    return led


async def _connected(host: str, port: int) -> socket.socket:
    loop = asyncio.get_running_loop()
    led: socket.socket | None = None
    try:
        [(family, kind, protocol, _, address), *_] = await loop.getaddrinfo(
            host, port, type=socket.SOCK_STREAM
        )
        led = socket.socket(family, kind, protocol)
        led.setblocking(False)  # noqa: FBT003 - it takes no keyword
        await loop.sock_connect(led, address)
    except BaseException as error:
        if led:
            led.close()
        if isinstance(error, OSError):
            raise ConnectionError(f"the proxy {host}:{port} cannot be reached: {error}") from error
        raise
    return led
