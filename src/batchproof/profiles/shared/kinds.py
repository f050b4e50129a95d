"""How sentences of several profiles write what became of pods, and Events."""

from __future__ import annotations

from batchproof.judgement.template import ArgumentKind, add

add(
    {
        "outcome": ArgumentKind(r"succeeded|failed"),
        "made": ArgumentKind(r"created|deleted"),
        "event": ArgumentKind(r"Normal|Warning"),
    }
)
