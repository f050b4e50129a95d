"""How sentences write gangs and queues, and what their pods and nodes have."""

from __future__ import annotations

from typing import get_args

from batchproof.judgement.template import SEVERAL, ArgumentKind, add, listed, parts
from batchproof.profiles.gang.resources import AMOUNT, amounts_in, in_words
from batchproof.profiles.gang.specs import Tolerated

_TASKS = "server|worker"
_SECONDS = {"2": "window", "15": "patience", "30": "long patience"}
_A_FEW = {"a": 1, "an": 1, "another": 1}
_QUEUES = f"queues {SEVERAL.format('[a-z]+')}"


def _tasks(text: str) -> tuple[tuple[str, int], ...]:
    pairs = (one.split() for one in parts(text))
    return tuple((task.removesuffix("s"), int(count)) for count, task in pairs)


def _tasks_in_words(tasks: tuple[tuple[str, int], ...]) -> str:
    return listed([f"{count} {task}{'' if count == 1 else 's'}" for task, count in tasks])


def _queues_in_words(names: tuple[str, ...]) -> str:
    return f"queues {listed(list(names))}" if names[1:] else f"a queue {names[0]}"


add(
    {
        "gang": ArgumentKind(r"[a-z]"),
        "gang_or_one": ArgumentKind(
            r"one|[a-z]", lambda text: "" if text == "one" else text, lambda value: value or "one"
        ),
        "gangs": ArgumentKind(SEVERAL.format("[a-z]"), parts, lambda value: listed(list(value))),
        "tree": ArgumentKind("[t-z]"),
        "of_tree": ArgumentKind(
            "(?: of tree [t-z])?",
            lambda text: text.removeprefix(" of tree ") or None,
            lambda value: f" of tree {value}" if value else "",
        ),
        "priority": ArgumentKind("urgent|high|low|negative"),
        "task": ArgumentKind(_TASKS),
        "tasks": ArgumentKind(SEVERAL.format(rf"\d+ (?:{_TASKS})s?"), _tasks, _tasks_in_words),
        "cpus": ArgumentKind(r"\d+(?:\.\d+)?", one=lambda value: bool(value == "1")),
        "zones": ArgumentKind(r"[a-z]+(?: or [a-z]+)?"),
        "tolerated": ArgumentKind("|".join(how for how in get_args(Tolerated) if how)),
        "more": ArgumentKind(
            r"\d+(?: more)?", lambda text: int(text.split()[0]), one=lambda value: bool(value == 1)
        ),
        "a_few": ArgumentKind(
            r"an?|another|\d+",
            lambda text: _A_FEW.get(text) or int(text),
            lambda value: "a" if value == 1 else str(value),
            lambda value: bool(value == 1),
        ),
        "amounts": ArgumentKind(SEVERAL.format(AMOUNT), amounts_in, in_words),
        "with_memory": ArgumentKind(
            r"(?: with \d+ GiB of memory)?",
            lambda text: amounts_in(text.removeprefix(" with ")) if text else (),
            lambda value: f" with {in_words(value)}" if value else "",
        ),
        "queues": ArgumentKind(
            f"a queue [a-z]+|{_QUEUES}",
            lambda text: tuple(parts(text.removeprefix("a queue ").removeprefix("queues "))),
            _queues_in_words,
        ),
        "waiting": ArgumentKind(
            "|".join(_SECONDS),
            lambda text: _SECONDS[text],
            lambda value: next(text for text, name in _SECONDS.items() if name == value),
        ),
        "room": ArgumentKind(
            r"\d+ of them|its minimum",
            lambda text: None if text == "its minimum" else int(text.split()[0]),
            lambda value: "its minimum" if value is None else f"{value} of them",
        ),
    }
)
