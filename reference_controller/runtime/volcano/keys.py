"""A pair of keys for the plugin ssh."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from reference_controller.volcano.plugins.ssh import AUTHORIZED, PRIVATE, PUBLIC

BITS = 2048


def new_keys() -> dict[str, str]:
    """VOL-044: a private key, and its public one, with which the holder of the private one may log in."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=BITS)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    public = key.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()
    return {PRIVATE: private.decode(), PUBLIC: public, AUTHORIZED: public}
