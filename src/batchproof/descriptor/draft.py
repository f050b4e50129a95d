"""A first descriptor, written from a few answers. It is pure.

Whatever is typed is quoted, and what batchproof needs to run many instances on one machine is set in the
arguments that are usual for it: the kubeconfig, no leader election, no fixed ports.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING

import orjson

from batchproof.descriptor.launch import PLACEHOLDER, PLACEHOLDERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

BY_VARIABLE = "env"
"""The answer for an implementation that reads the kubeconfig from the variable KUBECONFIG."""
KUBECONFIG_FLAG = "--kubeconfig"

_ADDRESS = re.compile(r"--(?:[a-z-]*-)?(?:bind-address|address|addr|port)")
_LISTENS = re.compile(r"(?:[0-9.]+|\[::\]|localhost)?:?\d+")
"""A port to listen at, with or without an address of this machine."""
_PYTHON = re.compile(r"python(3(\.\d+)?)?")
_ELECTION = re.compile(r"(--(?:enable-)?leader-elect(?:ion)?)(?:=.*)?")


@dataclass(frozen=True, slots=True)
class Draft:
    """What is known of an implementation.

    Attributes:
        command: the program and its arguments.
        kubeconfig: the flag that takes the path of the kubeconfig, or ``BY_VARIABLE``.
        env: variables with their values.
        pass_env: variables that are passed on from the environment of batchproof.
        notes: what its author should look at, a comment each.
        needs: what its profile needs of the control plane, as lines.
        watches: what it watches once it is ready; empty: what is usual.
    """

    name: str
    profile: str
    command: tuple[str, ...]
    capabilities: tuple[str, ...] = ()
    kubeconfig: str = KUBECONFIG_FLAG
    version: str = "0.1.0"
    organisation: str = "unknown"
    env: tuple[tuple[str, str], ...] = ()
    pass_env: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    watches: tuple[str, ...] = ()


def words(command: str) -> tuple[str, ...]:
    """A command line as a shell splits it.

    Raises:
        ValueError: a quotation is not closed.
    """
    return tuple(shlex.split(command))


def adapted(draft: Draft) -> Draft:
    """The draft with the arguments that a run on one machine needs; a note says what was changed."""
    program, *arguments = draft.command
    kept, changes = _for_many_instances(arguments)
    named = any("{kubeconfig}" in argument for argument in kept)  # the user has put it where it belongs
    if draft.kubeconfig != BY_VARIABLE and not named:
        kept = [*_without(kept, draft.kubeconfig), f"{draft.kubeconfig}={{kubeconfig}}"]
    return replace(draft, command=(program, *kept), notes=(*draft.notes, *changes))


def written(draft: Draft) -> str:
    """The text of the descriptor."""
    argv, binary = _program(draft.command)
    lines = [
        "# docs/reference/descriptor.md of batchproof explains every field.",
        f"name: {_quoted(draft.name)}",
        f"version: {_quoted(draft.version)}  # the version that is judged",
        f"organisation: {_quoted(draft.organisation)}  # who makes it: this appears in every report",
        f"profiles: [{draft.profile}]",
        f"capabilities: [{', '.join(draft.capabilities)}]  # the optional parts that it has",
        *(f"# {_comment(note)}" for note in draft.notes),
        "start:",
        "  argv:",
        *(f"    - {_quoted(word)}" for word in argv),
        *_environment(draft, argv),
    ]
    if draft.watches:
        watches = ", ".join(draft.watches)
        lines += ["  ready:", f"    watches: [{watches}]  # it is ready once it watches these"]
    if binary:
        lines += ["binary:", f"  path: {_quoted(binary)}  # from the folder of this file"]
    return "\n".join([*lines, *draft.needs]) + "\n"


def _for_many_instances(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The arguments without leader election and fixed ports, and what was changed."""
    kept: list[str] = []
    changes: list[str] = []
    for before, word in zip(("", *arguments), arguments, strict=False):
        flag, equals, value = word.partition("=")
        new = word
        if (found := _ELECTION.fullmatch(word)) and value != "false":
            new = f"{found[1]}=false"
        elif equals and _ADDRESS.fullmatch(flag) and _LISTENS.fullmatch(value):
            new = f"{flag}=0"
        elif _ADDRESS.fullmatch(before) and _LISTENS.fullmatch(word):
            new = "0"
        if new != word:
            shown = word if word.startswith("-") else f"{before} {word}"
            changes.append(f"changed {shown} to {new}: many instances run on one machine")
        kept.append(new)
    return kept, changes


def _without(arguments: Sequence[str], flag: str) -> list[str]:
    """The arguments without a flag that they may have already, and its value."""
    left, skip = [], False
    for word in arguments:
        if not skip and not word.startswith(f"{flag}=") and word != flag:
            left.append(word)
        skip = word == flag and not skip
    return left


def _program(command: Sequence[str]) -> tuple[list[str], str]:
    """The arguments of ``start``, and the path of ``binary``: of a program that is named by its path."""
    program, *arguments = command
    rest = [_literal(word) for word in arguments]
    if _PYTHON.fullmatch(PurePath(program).name):
        return [_interpreter(program), *rest], ""
    if "/" in program and "{" not in program:
        return ["{binary}", *rest], program
    return [program, *rest], ""


def _interpreter(program: str) -> str:
    """How the descriptor names a Python: one that is named by its path has packages of its own."""
    if "/" not in program:
        return "{python}"
    return program if program.startswith(("/", "{")) else f"{{descriptor_dir}}/{PurePath(program)}"


def _literal(word: str) -> str:
    """A word in which braces that are no placeholder stand for themselves."""

    def kept(found: re.Match[str]) -> str:
        known = found["literal"] or found["port"] or found["name"] in PLACEHOLDERS
        return found[0] if known else f"{{{found[0]}}}"

    return PLACEHOLDER.sub(kept, word)


def _environment(draft: Draft, argv: Sequence[str]) -> Iterator[str]:
    variables = [(name, _literal(value)) for name, value in draft.env]
    if _PYTHON.fullmatch(PurePath(argv[0].strip("{}")).name) and "PYTHONPATH" not in dict(variables):
        variables.append(("PYTHONPATH", "{descriptor_dir}"))
    if draft.kubeconfig == BY_VARIABLE:
        yield "  # it reads the kubeconfig from KUBECONFIG, which is always set"
    if variables:
        yield "  env:"
        yield from (f"    {_quoted(name)}: {_quoted(value)}" for name, value in variables)
    if draft.pass_env:
        yield f"  pass_env: [{', '.join(map(_quoted, draft.pass_env))}]  # set them where batchproof runs"


def _comment(text: str) -> str:
    return " ".join(text.split())


def _quoted(text: str) -> str:
    """A text as YAML: JSON is a part of it. What needs no quotes has none."""
    plain = re.fullmatch(r"[A-Za-z./_][A-Za-z0-9./_-]*", text) and text.lower() not in _WORDS
    return text if plain else orjson.dumps(text).decode().translate(_BREAKS)


_BREAKS = {0x85: "\\x85", 0x2028: "\\u2028", 0x2029: "\\u2029", 0xFEFF: "\\ufeff"}
"""What YAML reads as the end of a line, or not at all, and JSON as itself."""
_WORDS = {"true", "false", "yes", "no", "on", "off", "null", "y", "n", ".inf", ".nan"}
