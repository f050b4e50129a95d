"""A credential plugin, as a cloud has one: prints an ExecCredential that expires in a few seconds.

``plugin.py token|certificate FOLDER LIFE [silent]``: FOLDER holds what it makes credentials of, and the file
``calls``, to which it adds a line each time. With ``silent`` it does not say when they expire. Where FOLDER
has a file ``ended``, it fails.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import trustme

USER = "system:serviceaccount:batchproof:batchproof"


def token(folder: Path, expires_at: float) -> str:
    """A token that each holder of the secret can check: when it expires, and a signature of that."""
    moment = f"{expires_at:.3f}"
    return f"{moment}.{signature(folder, moment)}"


def signature(folder: Path, moment: str) -> str:
    return hmac.new((folder / "secret").read_bytes(), moment.encode(), hashlib.sha256).hexdigest()


def certificate(folder: Path, expires_at: float) -> dict[str, str]:
    authority = trustme.CA.from_pem((folder / "ca.crt").read_bytes(), (folder / "ca.key").read_bytes())
    now = datetime.now(UTC)
    leaf = authority.issue_cert(
        "batchproof.invalid",
        common_name=USER,
        not_before=now - timedelta(minutes=1),
        not_after=datetime.fromtimestamp(expires_at, UTC),
    )
    return {
        "clientCertificateData": b"".join(blob.bytes() for blob in leaf.cert_chain_pems).decode(),
        "clientKeyData": leaf.private_key_pem.bytes().decode(),
    }


def main(kind: str, folder: Path, life_s: float, *, silent: bool) -> None:
    with (folder / "calls").open("a") as calls:
        calls.write(f"{time.time()} {os.getppid()}\n")
    if (folder / "ended").exists():
        sys.exit("your session has ended: log in again")
    expires_at = time.time() + life_s
    status = {"token": token(folder, expires_at)} if kind == "token" else certificate(folder, expires_at)
    if not silent:
        status["expirationTimestamp"] = datetime.fromtimestamp(expires_at, UTC).isoformat()
    asked = json.loads(os.environ["KUBERNETES_EXEC_INFO"])
    sys.stdout.write(json.dumps({**asked, "status": status}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3]), silent="silent" in sys.argv)
