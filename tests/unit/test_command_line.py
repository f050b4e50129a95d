"""What holds of every command: options, help, colors, completion, and the page that lists them all."""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import forked
import orjson
import pytest
import report_sample as sample
from waiting import HANGS_S

from batchproof.cli import command_line
from batchproof.descriptor.implementation import bundled, find
from batchproof.ground import suite

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
ESCAPE = "\x1b["


def commands(command: click.Command = command_line, path: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command with its path."""
    yield path or "batchproof", command
    if isinstance(command, click.Group):
        ctx = click.Context(command)
        for name in command.list_commands(ctx):
            below = command.get_command(ctx, name)
            assert below is not None
            yield from commands(below, f"{path} {name}".strip())


EVERY = [pytest.param(command, id=path) for path, command in commands()]


@pytest.fixture
def runs(tmp_path: Path) -> tuple[str, str]:
    """A run that fails, and one that passes."""
    for name, scenarios in (("bad", sample.scenarios()), ("good", sample.passing_scenarios())):
        (tmp_path / name).mkdir()
        sample.write_stream(tmp_path / name, sample.stream(scenarios))
    return str(tmp_path / "bad"), str(tmp_path / "good")


def asked(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "NO_COLOR"}}
    return forked.asked(*arguments, env=env | variables)


def on_a_terminal(*arguments: str, **variables: str) -> str:
    """What a command prints on a terminal."""
    mine, its = pty.openpty()
    env = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TERM": "xterm"}
    child = forked.started(*arguments, out=its, err=2, env=env | variables)
    os.close(its)
    said = b""
    while True:
        try:
            part = os.read(mine, 4096)
        except OSError:  # Linux says so that the other end is closed
            break
        if not part:
            break
        said += part
    forked.ended(child)
    os.close(mine)
    return said.decode()


@pytest.mark.parametrize("command", EVERY)
def test_every_command_has_the_options_of_all(command: click.Command) -> None:
    names = [name for param in command.params for name in param.opts]
    assert {"--quiet", "--color"} <= {*names}
    assert len(names) == len({*names})


@pytest.mark.parametrize("command", EVERY)
def test_the_help_is_short_whole_and_says_what_each_option_does(command: click.Command) -> None:
    short = command.get_short_help_str(100)
    assert not short.endswith("..."), short
    assert re.match(r"[A-Z][a-z]+,? ", short), short
    assert short.endswith("."), short
    options = [param for param in command.params if isinstance(param, click.Option)]
    assert not [one.name for one in options if not one.help]


def test_colors_are_for_terminals_unless_it_is_said_otherwise(runs: tuple[str, str]) -> None:
    bad, good = runs
    assert ESCAPE not in asked("diff", bad, good).stdout
    assert ESCAPE in asked("diff", bad, good, "--color", "always").stdout
    assert ESCAPE in asked("--color", "always", "diff", bad, good, NO_COLOR="1").stdout
    assert ESCAPE in on_a_terminal("diff", bad, good)
    assert ESCAPE not in on_a_terminal("diff", bad, good, NO_COLOR="1")
    assert ESCAPE not in on_a_terminal("diff", bad, good, "--color", "never")
    assert ESCAPE not in on_a_terminal("--color", "never", "diff", bad, good)


def test_always_changes_the_colors_and_nothing_else(runs: tuple[str, str]) -> None:
    plain, colored = (asked("compare", *runs, "--color", when).stdout for when in ("never", "always"))
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain


def test_quiet_leaves_the_result_and_the_exit_code(runs: tuple[str, str], tmp_path: Path) -> None:
    bad, good = runs
    assert (asked("report", good, "-q").stdout, (Path(good) / "index.html").exists()) == ("", True)
    descriptor = tmp_path / "acme.yaml"
    made = asked("init", str(descriptor), "--no-input", "--start", "python3 -m acme", "-q")
    assert (made.returncode, made.stderr, descriptor.exists()) == (0, "", True)
    descriptor.write_text("name: 1")
    loud, quiet = asked("lint", str(descriptor)), asked("--quiet", "lint", str(descriptor))
    assert (quiet.returncode, quiet.stdout) == (loud.returncode, loud.stdout) == (1, loud.stdout)
    assert "errors" in loud.stderr
    assert quiet.stderr == ""
    assert asked("diff", good, bad, "-q").returncode == 1


def test_a_replay_is_json_for_programs(tmp_path: Path) -> None:
    left_out = sample.scenario(
        "TTL-001", "Left out", "skipped", reason="not-declared", claims=[], history=None
    )
    sample.write_stream(tmp_path, sample.stream([left_out]))
    told = asked("replay", str(tmp_path), "--any-suite", "--json")
    assert (told.returncode, orjson.loads(told.stdout)) == (0, {"judged": 0, "differing": []})


READ_BY_PROGRAMS = {
    "cleanup",
    "compare",
    "control-plane list",
    "diff",
    "doctor",
    "explore",
    "implementations",
    "lint",
    "mutants",
    "replay",
    "requirements",
    "run",
    "smoke",
    "steps",
    "verify",
}
"""What answers a question. The others write files, scripts or manifests, print a path, or wait for a user."""


def test_what_answers_a_question_answers_programs_too() -> None:
    with_json = {
        path for path, command in commands() if "--json" in {o for p in command.params for o in p.opts}
    }
    assert with_json == READ_BY_PROGRAMS


@pytest.mark.parametrize("arguments", [["{}"], ["-i", "{}"]], ids=["argument", "option"])
@pytest.mark.parametrize("command", ["lint", "smoke"])
def test_a_descriptor_is_named_as_an_argument_or_as_run_names_it(
    command: str, arguments: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "acme.yaml"
    path.write_text("name: 1\n")
    told = asked(command, *(one.format(path) for one in arguments))
    assert told.returncode == 1
    assert f"{path}:1: descriptor-invalid name: 1 is not text; write it in quotes" in told.stdout


@pytest.mark.parametrize(
    "command", [["run", "-n", "1"], ["run", "--faults", "all"], ["explore", "--for", "1s"]]
)
def test_a_mistyped_capability_is_refused_before_anything_runs(command: list[str], tmp_path: Path) -> None:
    path = tmp_path / "acme.yaml"
    head = 'name: acme\nversion: "1"\norganisation: Acme\nprofiles: [job]\ncapabilities: [SucessPolicy]\n'
    path.write_text(f"{head}start: {{argv: [acme]}}\n")
    told = asked(*command, "-i", str(path), "-o", str(tmp_path / "out"))
    assert told.returncode == 2
    assert "needs the capability 'SucessPolicy'; did you mean 'SuccessPolicy'?" in told.stderr
    assert not (tmp_path / "out" / "results.jsonl").exists()


@pytest.mark.parametrize("command", ["lint", "smoke"])
def test_two_descriptors_are_one_too_many(command: str, tmp_path: Path) -> None:
    path = tmp_path / "acme.yaml"
    path.write_text("name: 1\n")
    told = asked(command, str(path), "-i", str(path))
    assert (told.returncode, "name a descriptor each: leave one out" in told.stderr) == (2, True)
    assert asked("smoke").returncode == 2


def test_what_a_descriptor_has_wrong_is_json_for_programs(tmp_path: Path) -> None:
    path = tmp_path / "acme.yaml"
    path.write_text("name: 1\n")
    linted, smoked = (asked(command, "-i", str(path), "--json") for command in ("lint", "smoke"))
    assert {(row["line"], row["code"]) for row in orjson.loads(linted.stdout)} == {(1, "descriptor-invalid")}
    told = orjson.loads(smoked.stdout)
    assert (told["descriptor"], told["usable"], len(told["trials"])) == (str(path), False, 1)
    assert "write it in quotes" in told["trials"][0]["advice"]
    assert linted.returncode == smoked.returncode == 1


def test_what_would_run_is_json_for_programs() -> None:
    told = asked("run", "--dry-run", "--json", "-k", "FIN-004 or TTL", "-i", "reference")
    scenarios = orjson.loads(told.stdout)["scenarios"]
    assert told.returncode == 0
    assert {"id": "FIN-004.1a", "requirement": "FIN-004", "skipped": ""}.items() <= scenarios[0].items()
    grid = orjson.loads(asked("run", "--dry-run", "--json", "-k", "FIN-004", "--faults", "all").stdout)
    assert "conflicts" in grid["fault_profiles"]
    assert [one["id"] for one in grid["scenarios"]] == ["FIN-004.1a", "FIN-004.1b"]


@pytest.mark.parametrize("more", [[], ["--faults", "all"]], ids=["plain", "faults"])
def test_a_dry_run_refuses_an_implementation_as_the_run_would(more: list[str]) -> None:
    told = asked("run", "--dry-run", "--profile", "job", "-i", "kube-scheduler", *more)
    assert (told.returncode, told.stdout) == (2, "")
    assert "claims the profile gang, not job" in told.stderr


def test_the_programs_of_the_control_plane_are_json_for_programs(tmp_path: Path) -> None:
    told = asked("control-plane", "list", "--json", BATCHPROOF_CACHE=str(tmp_path))
    rows = orjson.loads(told.stdout)
    assert {"name": "control_plane/etcd", "size_mib": None, "needed": "to run"}.items() <= rows[0].items()
    assert not Path(rows[0]["path"]).exists()


def test_a_command_that_was_renamed_still_works_and_says_so() -> None:
    old, new = asked("defects", "--shard", "0/1"), asked("mutants", "--shard", "0/1")
    note, _, rest = old.stderr.partition("\n")
    assert note == "`batchproof defects` is now `batchproof mutants`: the old name will be removed"
    assert (rest, old.stdout, old.returncode) == (new.stderr, new.stdout, new.returncode)
    assert "defects" not in asked("--help").stdout
    assert asked("defects", "--help").stdout == asked("mutants", "--help").stdout


def test_a_mistyped_command_gets_a_hint() -> None:
    wrong = asked("requirments")
    assert wrong.returncode == 2
    assert "there is no command 'requirments'; did you mean 'requirements'?" in wrong.stderr
    assert "see batchproof --help" in asked("xyzzy").stderr


def test_the_bundled_implementations_are_listed_by_the_names_that_a_run_takes() -> None:
    rows = orjson.loads(asked("implementations", "--json").stdout)["implementations"]
    assert {one["name"] for one in rows} == {*bundled()}
    assert {one["dialect"] for one in rows} - {None} == {
        it.stem for it in (suite.fixtures() / "dialects").iterdir()
    }
    assert all(Path(one["descriptor"]) == find(one["name"]) for one in rows)

    lines = asked("implementations", "--profile", "gang").stdout.splitlines()
    assert ["volcano", "1.10.0", "gang", "volcano"] in [line.split() for line in lines]
    assert ["cluster-scheduler", "of", "the", "cluster", "gang", "native"] in [line.split() for line in lines]
    assert not any("volcano-controllers" in line for line in lines)


def test_a_pager_gets_lines_that_it_can_show() -> None:
    lines = asked("requirements", "--profile", "job").stdout.splitlines()
    assert max(map(len, lines)) <= 100


def test_what_can_be_said_about_a_word_is_listed_with_the_parts_of_its_phrases() -> None:
    lines = asked("steps", "zone").stdout.splitlines()
    assert {"gang: nodes", "  <nodes> join", "<nodes>: {count} nodes ...", "  in zone {zone}"} <= {*lines}
    assert "  the user suspends the Job" not in lines

    told = orjson.loads(asked("steps", "ZONE", "--json").stdout)
    parts = {one["name"]: one["parts"] for one in told["phrases"]}
    assert "by its group all in one zone" in parts["a_gang"]
    assert all("zone" in one["sentence"] for one in told["facts"])


@pytest.mark.parametrize(
    ("words", "sentence", "note"),
    [
        (["gang a with minimum 3 has 2 pods"], "<a_gang>: gang {name} ...", ""),
        (["PS"], "  the TF_CONFIG of each Worker names all PS and no other Worker", ""),
        (["minimum", "gang"], "  each gang is bound with its minimum or not at all", ""),
        (["a user removes queue a"], "  a user deletes queue {name}", "have 2 of 3"),
    ],
)
def test_a_sentence_is_found_by_its_words_in_any_order(words: list[str], sentence: str, note: str) -> None:
    found = asked("steps", *words)
    assert sentence in found.stdout.splitlines()
    assert note in found.stderr
    assert bool(note) == bool(found.stderr)


def test_words_that_no_sentence_has_are_an_error() -> None:
    found = asked("steps", "qwertz")
    assert found.returncode == 2
    assert "no sentence has any of these words" in found.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_its_script(shell: str) -> None:
    script = asked("completion", shell)
    assert script.returncode == 0
    assert "_BATCHPROOF_COMPLETE" in script.stdout
    if path := shutil.which(shell):
        subprocess.run([path, "-n"], input=script.stdout, text=True, check=True)


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("batchproof do", {"doctor"}),
        ("batchproof run --prof", {"--profile"}),
        ("batchproof run --profile vol", {"volcano-job"}),
        (
            "batchproof run -i kube-sched",
            {"kube-scheduler", "kube-scheduler-alpha", "kube-scheduler-with-jobs"},
        ),
        ("batchproof control-plane b", {"build"}),
    ],
)
def test_completion_offers_commands_options_and_names(words: str, offered: set[str]) -> None:
    last = str(len(words.split()) - 1)
    variables = {"_BATCHPROOF_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": last}
    told = forked.asked(env=os.environ | variables)
    assert told.returncode == 0, told.stderr
    assert {line.partition(",")[2] for line in told.stdout.splitlines()} == offered


_INTERRUPTED_WHILE_IT_FINALIZES = """
import os, signal, threading
from batchproof import cli

class Finalized:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)

def main(standalone_mode):
    Finalized()
    threading.Event().wait()

cli.command_line.main = main
cli.main()
"""


def test_an_interrupt_that_python_drops_ends_the_command_all_the_same() -> None:
    program = [sys.executable, "-c", _INTERRUPTED_WHILE_IT_FINALIZES]
    ended = subprocess.run(program, capture_output=True, text=True, check=False, timeout=HANGS_S)
    assert (ended.returncode, ended.stderr.splitlines()[-1]) == (130, "batchproof: interrupted")
    assert "Exception ignored" not in ended.stderr
