"""The controllers of kube-controller-manager by name: those of today, and what older versions call them."""

from __future__ import annotations

from typing import Final

_JOINED: Final = {
    "bootstrap-signer": "bootstrapsigner",
    "garbage-collector": "garbagecollector",
    "token-cleaner": "tokencleaner",
}


def old_name(controller: str) -> str:
    """What a controller was called before Kubernetes 1.28; newer versions take that as an alias.

    Source: k8s.io/kubernetes cmd/kube-controller-manager/names/controller_names.go, new in 1.28.
    """
    plain = controller.removesuffix("-controller")
    return _JOINED.get(plain, plain)
