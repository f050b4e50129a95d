#!/usr/bin/env python3
"""runc on a machine whose root lacks a capability: asks for no more than there is.

Docker 20.10 gives a privileged container every capability that it knows, and runc refuses what is outside the
bounding set. The bundle (`runc create`, `runc run`) or the process file (`runc exec`) says what is asked for;
here the names that cannot be given are taken out of it. Nothing is ever added.
"""

from __future__ import annotations

import json
import os
import re
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

LINUX_CAPABILITIES = [
    "chown",
    "dac_override",
    "dac_read_search",
    "fowner",
    "fsetid",
    "kill",
    "setgid",
    "setuid",
    "setpcap",
    "linux_immutable",
    "net_bind_service",
    "net_broadcast",
    "net_admin",
    "net_raw",
    "ipc_lock",
    "ipc_owner",
    "sys_module",
    "sys_rawio",
    "sys_chroot",
    "sys_ptrace",
    "sys_pacct",
    "sys_admin",
    "sys_boot",
    "sys_nice",
    "sys_resource",
    "sys_time",
    "sys_tty_config",
    "mknod",
    "lease",
    "audit_write",
    "audit_control",
    "setfcap",
    "mac_override",
    "mac_admin",
    "syslog",
    "wake_alarm",
    "block_suspend",
    "audit_read",
    "perfmon",
    "bpf",
    "checkpoint_restore",
]
"""In the order of their bits: include/uapi/linux/capability.h."""


def obtainable() -> set[str]:
    """The capabilities of the bounding set, as the runtime specification spells them."""
    status = Path("/proc/self/status").read_text("ascii")
    bits = int(re.findall(r"^CapBnd:\s*([0-9a-f]+)$", status, re.MULTILINE)[0], 16)
    return {f"CAP_{name.upper()}" for bit, name in enumerate(LINUX_CAPABILITIES) if bits >> bit & 1}


def trimmed(process: dict[str, Any], possible: set[str]) -> dict[str, Any]:
    """A process of the runtime specification that asks for what is possible."""
    asked = process.get("capabilities") or {}
    kept = {kind: [name for name in names or [] if name in possible] for kind, names in asked.items()}
    return {**process, "capabilities": kept}


def option(arguments: list[str], *names: str) -> str | None:
    """The value of an option that is given as two words."""
    return next((after for name, after in pairwise(arguments) if name in names), None)


def rewrite(arguments: list[str]) -> None:
    """Change the file that a command of runc reads, if it reads one."""
    if {"create", "run"} & set(arguments):
        path = Path(option(arguments, "--bundle", "-b") or ".") / "config.json"
        bundle = json.loads(path.read_text("utf-8"))
        path.write_text(json.dumps({**bundle, "process": trimmed(bundle["process"], obtainable())}), "utf-8")
    elif "exec" in arguments and (file := option(arguments, "--process", "-p")):
        path = Path(file)
        path.write_text(json.dumps(trimmed(json.loads(path.read_text("utf-8")), obtainable())), "utf-8")


if __name__ == "__main__":
    rewrite(sys.argv[1:])
    os.execvp("runc", ["runc", *sys.argv[1:]])  # noqa: S606 - it takes the place of this program
