"""Plays tests or references again and again, also beside busy processes: what is red once in 20 is a defect.

    ./check soak                                      integration and security of the quick tier, 20 times
    ./check soak --runs 10 --load 4 integration       one environment of tox.ini, beside 4 busy processes
    ./check soak tests/integration/test_run_ends.py   some tests
    ./check soak --runs 5 --load 12 job gang          the references of some profiles
    ./check soak quick                                all environments of a tier

It prints what was red or retried, what was slowest, and the rates: how often a correct controller is red. It
writes all into `.tox/soak/table.txt`; the log of each play that was red stays beside it. `--record` adds the
rates of each profile to `reports/soak.json`, from which `scripts/pages.py` makes a page. The exit code is 0
only if nothing was red.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, time
from typing import TYPE_CHECKING

import click
from junit_cases import Case, cases
from tox_ini import tiers_and_commands

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

ROOT = Path(__file__).parents[1]
WORK = Path(".tox", "soak")
RECORDS = ROOT / "reports" / "soak.json"
USUAL = ("integration", "security")
_SLOWEST = 10
_BUSY = "import os, sys\nwhile os.getppid() == int(sys.argv[1]):\n    pass"
"""Its argument is the process id of the soak: it ends by itself when that process has ended."""


@dataclass(frozen=True)
class Play:
    """What is played once in each run.

    Attributes:
        name: an environment of tox.ini, or the name of a profile.
        tests: only these, as pytest takes them; empty: all of the environment.
        profile: it is the reference of a profile.
    """

    name: str
    tests: tuple[str, ...] = ()
    profile: bool = False

    def command(self, output: Path) -> list[str]:
        """What is run; the results of a profile go into a folder below `output`."""
        if self.profile:
            run = [sys.executable, "-m", "batchproof", "run", "--profile", self.name]
            return [*run, "--output", str(output / self.name)]
        tox = [str(Path(sys.executable).with_name("tox")), "run", "--quiet", "-e", self.name]
        return [*tox, "--", *self.tests] if self.tests else tox

    def reports(self, output: Path) -> list[Path]:
        """Where JUnit reports of it may be."""
        if self.profile:
            return [output / self.name / "junit.xml"]
        work = ROOT / ".tox"
        return [work / "junit" / f"{self.name}.xml", *(work / "results").glob("*/junit.xml")]


@dataclass
class Row:
    """What became of a test or a scenario in all runs.

    Attributes:
        runs: how often it was played.
        red: how often it failed, broke or was inconclusive.
        undecided: how often it was inconclusive.
        retried: how often it was played twice in a run.
        slowest_s: the longest that it took, in seconds.
        log: of the first play in which it was red.
    """

    name: str
    runs: int = 0
    red: int = 0
    undecided: int = 0
    retried: int = 0
    slowest_s: float = 0.0
    log: str = ""

    def add(self, case: Case, log: Path) -> None:
        """Add a play."""
        self.runs += 1
        self.red += case.red
        self.undecided += case.undecided
        self.retried += case.retried
        self.slowest_s = max(self.slowest_s, case.took_s)
        if case.red and not self.log:
            self.log = str(log)

    def __str__(self) -> str:
        counts = f"{self.runs:5}{self.red:5}{self.retried:9}{self.slowest_s:10.1f} s"
        return f"{counts}  {self.name}  {self.log}".rstrip()


@dataclass(frozen=True)
class Rate:
    """How often the scenarios of a reference were red, in how many plays of a scenario.

    Attributes:
        day: when it was measured, as YYYY-MM-DD.
        commit: of the checkout; with ``+`` where files differed from it.
        machine: platform and processors.
        busy: how many other processes kept the processors busy.
        profile: of the reference.
        runs: how often the reference was judged.
        plays: of scenarios, in all runs.
        failed: how many of them failed or broke.
        undecided: how many were inconclusive in the end.
        retried: how many were played twice.
    """

    day: str
    commit: str
    machine: str
    busy: int
    profile: str
    runs: int
    plays: int
    failed: int
    undecided: int
    retried: int


HEAD = f"{'runs':>5}{'red':>5}{'retried':>9}{'slowest':>12}  test or scenario, first log"


class UnknownError(Exception):
    """Nothing is called so."""


class NotRecordedError(Exception):
    """The rates cannot be recorded."""


def plays(asked: Sequence[str], root: Path = ROOT) -> list[Play]:
    """What the words of a user mean: tiers, environments, tests, profiles.

    Raises:
        UnknownError: a word means nothing; the message says what there is.
    """
    tiers, commands = tiers_and_commands(root)
    profiles = {path.parent.name for path in (root / "features").glob("*/*.feature")}
    found: list[Play] = []
    tests: dict[str, tuple[str, ...]] = {}
    for word in asked or USUAL:
        if word in tiers:
            found += map(Play, tiers[word])
        elif word in commands:
            found.append(Play(word))
        elif word in profiles:
            found.append(Play(word, profile=True))
        elif word.startswith("tests/") and (root / word.partition("::")[0]).exists():
            folder = "/".join(Path(word.partition("::")[0]).parts[:2])
            playing = [name for name in commands if f"{folder} " in commands[name]]
            if not playing:
                raise UnknownError(f"no environment of tox.ini plays {folder}")
            tests[playing[0]] = (*tests.get(playing[0], ()), word)
        else:
            raise UnknownError(
                f"{word!r} is no tier ({', '.join(tiers)}), no environment of tox.ini, "
                f"no profile ({', '.join(sorted(profiles))}) and nothing in tests/"
            )
    return [*dict.fromkeys(found), *(Play(name, which) for name, which in tests.items())]


def play(one: Play, output: Path, log: Path) -> tuple[list[Case], int]:
    """Play it once, with what it prints in `log`; what became of its cases, and the exit code."""
    began = time()
    with log.open("wb") as file:
        code = subprocess.run(
            one.command(output), cwd=ROOT, stdin=subprocess.DEVNULL, stdout=file, stderr=file, check=False
        ).returncode
    written = [path for path in one.reports(output) if path.is_file() and path.stat().st_mtime >= began]
    return [case for path in written for case in cases(ROOT, path)], code


def table(rows: Iterable[Row]) -> tuple[list[Row], list[Row]]:
    """The rows that are to be looked at, the worst first; and all others, the slowest first."""
    worst = sorted((one for one in rows if one.red or one.retried), key=lambda one: (-one.red, -one.retried))
    others = sorted((one for one in rows if not (one.red or one.retried)), key=lambda one: -one.slowest_s)
    return worst, others


@contextmanager
def load(processes: int) -> Iterator[None]:
    """Keep that many processes busy for the length of a block."""
    busy = [subprocess.Popen([sys.executable, "-c", _BUSY, str(os.getpid())]) for _ in range(processes)]
    try:
        yield
    finally:
        for one in busy:
            one.kill()
            one.wait()


def soak(wanted: Sequence[Play], runs: int, processes: int, commit: str = "") -> int:
    """Play all of it so often; the exit code.

    Args:
        wanted: what is played in each run.
        runs: how often.
        processes: how many others keep the processors busy.
        commit: of the checkout; the rates of each profile are recorded with it. Empty: none are recorded.
    """
    output = ROOT / WORK
    output.mkdir(parents=True, exist_ok=True)
    rows: dict[str, Row] = {}
    of_profiles: dict[str, list[Case]] = {one.name: [] for one in wanted if one.profile}
    with load(processes):
        for number in range(1, runs + 1):
            for one in wanted:
                log = WORK / f"{number}-{one.name}.log"
                began = monotonic()
                found, code = play(one, output, ROOT / log)
                red = [case.name for case in found if case.red]
                if code and not red:  # it broke before it could say what
                    found.append(Case(f"{one.name}, as a whole", "", 0.0, red=True, retried=False))
                    red = [found[-1].name]
                for case in found:
                    rows.setdefault(case.name, Row(case.name)).add(case, log)
                if one.profile:
                    of_profiles[one.name] += found
                if not code:
                    (ROOT / log).unlink()
                retried = sum(case.retried for case in found)
                said = f"red: {', '.join(red)}; {log}" if code else "green"
                also = f", {retried} retried" if retried else ""
                took_s = monotonic() - began
                print(f"{number} of {runs}, {one.name}: {said}{also}, {took_s:.0f} s", flush=True)
    if commit:
        _record(
            Rate(_today(), commit, _machine(), processes, name, runs, *measured(found))
            for name, found in of_profiles.items()
        )
    return _tell([*rows.values()], output / "table.txt", rates(rows.values(), runs, processes))


def measured(played: Iterable[Case]) -> tuple[int, int, int, int]:
    """Of the plays of scenarios: how many there were, failed or broke, were inconclusive, were retried.

    What has no result, as a requirement that was not judged, is no play.
    """
    of = [one for one in played if one.took_s or one.red]
    undecided = sum(one.undecided for one in of)
    return len(of), sum(one.red for one in of) - undecided, undecided, sum(one.retried for one in of)


def rates(rows: Iterable[Row], runs: int, processes: int) -> str:
    """How often something was red or retried, and on which machine; what is undecided in the end is red."""
    of = [*rows]
    played = sum(one.runs for one in of)
    percent = 100 / max(played, 1)
    red, undecided, retried = (sum(getattr(one, it) for one in of) for it in ("red", "undecided", "retried"))
    return (
        f"{runs} runs beside {processes} busy processes on {_machine()}: {played} plays, "
        f"{red} red ({red * percent:.2f} %), {undecided} of them inconclusive, "
        f"{retried} retried ({retried * percent:.2f} %)"
    )


def _record(rates: Iterable[Rate]) -> None:
    """Add what was measured to the file of records."""
    before = json.loads(RECORDS.read_text("utf-8")) if RECORDS.exists() else []
    RECORDS.write_text(json.dumps([*before, *map(asdict, rates)], indent=1) + "\n", "utf-8")


def _machine() -> str:
    return f"{sys.platform}/{platform.machine()}, {os.cpu_count()} processors"


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def to_record(wanted: Sequence[Play], root: Path = ROOT) -> str:
    """The commit with which rates are recorded, as it is before the first run.

    Raises:
        NotRecordedError: nothing can be recorded; the message says what is missing.
    """
    if not any(one.profile for one in wanted):
        raise NotRecordedError("--record adds the rates of profiles: name one, such as job")
    described = subprocess.run(
        ["git", "describe", "--always", "--dirty=+", "--exclude=*"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    if described.returncode:
        raise NotRecordedError(f"--record names the commit: {described.stderr.strip() or 'git says none'}")
    return described.stdout.strip()


def _tell(rows: Sequence[Row], file: Path, rate: str) -> int:
    worst, others = table(rows)
    file.write_text("\n".join([rate, HEAD, *map(str, worst), *map(str, others), ""]), "utf-8")
    print("\n".join([HEAD, *map(str, worst), *map(str, others[:_SLOWEST]), rate]))
    print(f"{len(worst)} were red or retried, {len(others)} never; all of them: {file.relative_to(ROOT)}")
    return int(any(one.red for one in worst))


@click.command(help=(__doc__ or "").replace("\n\n  ", "\n\n\b\n  "))
@click.option("--runs", type=click.IntRange(1), default=20, show_default=True, metavar="N", help="How often.")
@click.option(
    "--load", "busy", type=click.IntRange(0), default=0, metavar="K", help="Busy processes beside it."
)
@click.option("--record", is_flag=True, help=f"Add the rates to {RECORDS.relative_to(ROOT)}.")
@click.argument("what", nargs=-1)
def main(runs: int, busy: int, what: tuple[str, ...], *, record: bool) -> None:
    """Soak what the user asks for."""
    try:
        wanted = plays(what)
        commit = to_record(wanted) if record else ""
    except (UnknownError, NotRecordedError) as error:
        raise click.UsageError(str(error)) from error
    sys.exit(soak(wanted, runs, busy, commit))


if __name__ == "__main__":
    os.chdir(ROOT)
    main(prog_name="./check soak")
