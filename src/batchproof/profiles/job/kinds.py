"""How sentences write Jobs, their indexes and their counts."""

from __future__ import annotations

import re

from batchproof.judgement.template import SEVERAL, ArgumentKind, add, listed, parts
from batchproof.profiles.job.policies import RULES
from batchproof.profiles.job.specs import Setting, Value
from batchproof.profiles.shared.names import JOB, LONG_JOB

_JOBS = {"the Job": JOB, "the long-named Job": LONG_JOB}
_NAMED = {name: words for words, name in _JOBS.items()}

_ADJECTIVES = "suspended|Indexed|work-queue"
_KEY = r"(?:parallelism|suspend|selector|label|finalizer|[a-z]+[A-Z]\w*)"
_SETTING = rf"(?:\d+ completions?|completions \d+|{_KEY} [^\s,]+)"
_VALUES = {"true": True, "false": False}


def _settings(text: str) -> tuple[Setting, ...]:
    return tuple(map(_setting, parts(text)))


def _setting(text: str) -> Setting:
    if text.startswith(tuple("0123456789")):
        return "completions", int(text.split(maxsplit=1)[0])
    key, value = text.split(" ")
    return key, int(value) if value.isdigit() else _VALUES.get(value, value)


def _settings_in_words(settings: tuple[Setting, ...]) -> str:
    return listed([_in_words(key, value) for key, value in settings])


def _in_words(key: str, value: Value) -> str:
    if key == "completions":
        return f"{value} completion{'' if value == 1 else 's'}"
    return f"{key} {str(value).lower() if isinstance(value, bool) else value}"


def _kinds_in_words(kinds: tuple[str, ...]) -> str:
    return " ".join(["an" if kinds[:1] == ("Indexed",) else "a", *kinds, ""])


add(
    {
        "job": ArgumentKind(
            r"the Job|the long-named Job|Job [a-z]",
            lambda text: _JOBS.get(text) or text.removeprefix("Job "),
            lambda value: _NAMED.get(value) or f"Job {value}",
        ),
        "of_job": ArgumentKind(
            r"(?: of (?:the long-named Job|Job [a-z]))?",
            lambda text: _JOBS.get(text.removeprefix(" of ")) or text.removeprefix(" of Job ") or JOB,
            lambda value: "" if value == JOB else f" of {_NAMED.get(value) or f'Job {value}'}",
        ),
        "job_kinds": ArgumentKind(
            rf"an? (?:(?:{_ADJECTIVES}) )*",
            lambda text: tuple(text.split()[1:]),
            _kinds_in_words,
        ),
        "job_name": ArgumentKind(
            "(?: [a-z])?", lambda text: text.strip() or JOB, lambda value: "" if value == JOB else f" {value}"
        ),
        "job_settings": ArgumentKind(SEVERAL.format(_SETTING), _settings, _settings_in_words),
        "job_rules": ArgumentKind(RULES),
        "manager": ArgumentKind("no controller|the built-in controller|the implementation as its manager"),
        "pods_have": ArgumentKind(
            r"an init container|the (?:subdomain|hostname) [\w-]+|JOB_COMPLETION_INDEX of the user's own"
        ),
        "propagation": ArgumentKind(
            "(?: with (?:foreground|orphan) propagation)?",
            lambda text: text.split()[1].capitalize() if text else "Background",
            lambda value: "" if value == "Background" else f" with {value.lower()} propagation",
        ),
        "counts": ArgumentKind(
            SEVERAL.format(r"\d+ (?:active|ready|terminating|succeeded|failed)"),
            one=lambda value: re.fullmatch(r"1 \w+", value) is not None,
        ),
        "indexes": ArgumentKind(
            r"none|\d+(?:[,-]\d+)*",
            lambda text: "" if text == "none" else text,
            lambda value: value or "none",
        ),
        "place": ArgumentKind(r"annotation|label|hostname|name|environment"),
        "failures": ArgumentKind(r"(?:ignored )?failure counts"),
    }
)
