"""Ctrl-C ends a command however it was started, and SIGTERM does the same."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
from waiting import HANGS_S, LIVES

PROGRAM = f"""
import signal
from batchproof import cli

def wait(**_):
    print("ready", flush=True)
    {LIVES}

signal.signal(signal.SIGINT, signal.SIG_IGN)  # as a shell does that starts a program in the background
cli.command_line.main = wait
cli.main()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_command_in_the_background_ends_as_by_ctrl_c(number: signal.Signals) -> None:
    argv = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        assert program.stdout
        assert program.stdout.readline() == "ready\n"
        program.send_signal(number)
        _, said = program.communicate(timeout=HANGS_S)
    assert (program.returncode, said) == (130, "batchproof: interrupted\n")
