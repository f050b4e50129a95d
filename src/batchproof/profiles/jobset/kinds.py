"""How sentences write JobSets and their child Jobs: ``the Jobs leader-0 and workers-0``."""

from __future__ import annotations

import re

from batchproof.judgement.template import SEVERAL, ArgumentKind, add, listed, parts
from batchproof.profiles.jobset.specs import Coordinator, Dependency, FailureRule, Labels, Replicas

_WAIT = r"([a-z]+) waits? until ([a-z]+) (?:is|are) (Ready|Complete)"
_RULE = r"the rule (\w+)(?: for the reason (\w+))?(?: of ([a-z]+))?"
_CHILD = r"[a-z]+-\d+"
_COORDINATOR = r"pod (\d+) of ([a-z]+)-(\d+)"


def _read(text: str) -> list[str]:
    return (
        [] if text == "no Job" else parts(text.partition(" ")[2].removeprefix("Jobs ").removeprefix("Job "))
    )


def _write(names: list[str]) -> str:
    match names:
        case []:
            return "no Job"
        case [name]:
            return f"only Job {name}"
        case _:
            return f"the Jobs {listed(names)}"


def _several(pattern: str) -> str:
    """The pattern of several of these, which remembers none of its groups."""
    return SEVERAL.format(re.sub(r"\((?!\?)", "(?:", pattern))


def _replicas(text: str) -> Replicas:
    pairs = (one.split() for one in parts(text))
    return tuple((name, int(count)) for count, name in pairs)


def _labels(text: str) -> Labels:
    pairs = (one.split("=") for one in parts(text))
    return tuple((label, value) for label, value in pairs)


def _waits_in_words(waits: tuple[Dependency, ...]) -> str:
    return listed([f"{it.name} {_form(it.name, 'waits', 'wait')} until {_on(it)}" for it in waits])


def _on(wait: Dependency) -> str:
    return f"{wait.on} {_form(wait.on, 'is', 'are')} {wait.status}"


def _form(name: str, one: str, many: str) -> str:
    return many if name.endswith("s") else one


def _coordinator(text: str) -> Coordinator:
    pod, name, job = re.fullmatch(_COORDINATOR, text).groups()  # type: ignore[union-attr]
    return Coordinator(name, int(job), int(pod))


def _rule_in_words(rule: FailureRule) -> str:
    reason = f" for the reason {rule.reason}" if rule.reason else ""
    return f"the rule {rule.action}{reason}{f' of {rule.name}' if rule.name else ''}"


add(
    {
        "suspended_jobset": ArgumentKind(
            "(?:suspended )?", bool, lambda value: "suspended " if value else ""
        ),
        "replicated_jobs": ArgumentKind(
            SEVERAL.format(r"\d+ [a-z]+"),
            _replicas,
            lambda value: listed([f"{count} {name}" for name, count in value]),
        ),
        "waits": ArgumentKind(
            _several(_WAIT),
            lambda text: tuple(Dependency(*found.groups()) for found in re.finditer(_WAIT, text)),
            _waits_in_words,
        ),
        "any_or_all": ArgumentKind("any|all"),
        "failure_rules": ArgumentKind(
            _several(_RULE),
            lambda text: tuple(FailureRule(*found.groups(default="")) for found in re.finditer(_RULE, text)),
            lambda rules: listed([_rule_in_words(rule) for rule in rules]),
        ),
        "node_labels": ArgumentKind(
            SEVERAL.format("[a-z]+=[a-z]+"),
            _labels,
            lambda value: listed([f"{label}={it}" for label, it in value]),
        ),
        "coordinator": ArgumentKind(
            re.sub(r"\((?!\?)", "(?:", _COORDINATOR),
            _coordinator,
            lambda value: f"pod {value.pod} of {value.name}-{value.job}",
        ),
        "child": ArgumentKind(_CHILD),
        "children": ArgumentKind(
            rf"no Job|only Job {_CHILD}|the Jobs {SEVERAL.format(_CHILD)}", _read, _write
        ),
        "job_change": ArgumentKind(
            "labels|annotates|sets a condition of|changes activeDeadlineSeconds of|"
            "renames the ReplicatedJob of"
        ),
        "service_change": ArgumentKind(
            "labels|annotates|gives another owner to|changes the session affinity of"
        ),
        "pod_change": ArgumentKind("a label|an annotation|a toleration|another toleration|a scheduling gate"),
        "condition": ArgumentKind(r"[A-Z]\w*"),
        "end": ArgumentKind("completed|failed"),
        "suspension": ArgumentKind("suspended|resumed"),
        "replicated": ArgumentKind("[a-z]+"),
    }
)
