"""How sentences write TFJobs and their replicas."""

from __future__ import annotations

import re

from batchproof.judgement.template import SEVERAL, ArgumentKind, add, listed, parts
from batchproof.profiles.tfjob.containers import CONTAINERS
from batchproof.profiles.tfjob.specs import Replicas, Setting

_TYPES = r"PS|Chief|Master|Evaluator|Worker"
_VALUES = {"true": True, "false": False}


def _replicas(text: str) -> Replicas:
    pairs = (one.split() for one in parts(text))
    return tuple((kind if kind == "PS" else kind.removesuffix("s"), int(count)) for count, kind in pairs)


def _in_words(replicas: Replicas) -> str:
    many = {kind: "" if kind == "PS" or count == 1 else "s" for kind, count in replicas}
    return listed([f"{count} {kind}{many[kind]}" for kind, count in replicas])


def _settings(text: str) -> tuple[Setting, ...]:
    pairs = (one.split()[1:] for one in parts(text))
    return tuple((key, int(it) if it.isdigit() else _VALUES.get(it, it)) for key, it in pairs)


def _set(settings: tuple[Setting, ...]) -> str:
    return listed([f"the {key} {str(it).lower() if isinstance(it, bool) else it}" for key, it in settings])


add(
    {
        "suspended_tfjob": ArgumentKind("(?:suspended )?", bool, lambda value: "suspended " if value else ""),
        "replica_type": ArgumentKind(_TYPES),
        "replicas": ArgumentKind(SEVERAL.format(rf"\d+ (?:{_TYPES})s?"), _replicas, _in_words),
        "the_settings": ArgumentKind(SEVERAL.format(r"the \w+ \w+"), _settings, _set),
        "templates": ArgumentKind("say much|name no scheduler|name a finalizer|have an init container"),
        "containers": ArgumentKind("|".join(map(re.escape, sorted(CONTAINERS, key=len, reverse=True)))),
        "text_without_space": ArgumentKind(r"[^\s,]+"),
    }
)
