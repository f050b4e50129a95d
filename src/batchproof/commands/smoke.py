"""``batchproof smoke``: check a descriptor first, and blame it, not the implementation."""

from __future__ import annotations

import shlex
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from batchproof.control_plane.choice import ClusterOptions
from batchproof.descriptor import implementation as descriptors
from batchproof.ground.screen import note, say, say_json
from batchproof.options import (
    cluster_options,
    complete_implementation,
    implementation_option,
    json_option,
    the_one,
)
from batchproof.profiles.records import Trial
from batchproof.running.environment import staged
from batchproof.running.smoke import smoke
from batchproof.specification.descriptors import of_descriptor
from batchproof.specification.gherkin import parse_features
from batchproof.specification.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path


@click.command("smoke", short_help="Check that a descriptor can be judged, before anything is.")
@click.argument("descriptor", required=False, shell_complete=complete_implementation)
@implementation_option("The same as DESCRIPTOR.")
@cluster_options
@json_option("Print what was tried as JSON.")
def command(
    *, descriptor: str | None, implementation: str | None, choice: ClusterOptions, as_json: bool
) -> int:
    """Start what DESCRIPTOR (a file, or a bundled one's name) describes, and see that it can be judged.

    It stops at the first check that fails; the exit code is 1 then.
    """
    named = the_one(descriptor, implementation)
    if named is None:
        raise click.UsageError("name the descriptor to try: batchproof smoke ./my-controller.yaml")
    path = descriptors.find(named)
    trials = []
    with closing(_trials(path, choice)) as trying:
        for trial in trying:
            trials.append(trial)
            if not as_json:
                _tell(trial)
    usable = all(trial.holds for trial in trials)
    if as_json:
        say_json({"descriptor": str(path), "usable": usable, "trials": [asdict(one) for one in trials]})
    elif usable:
        judged = descriptors.load(path)
        note(f"{judged.name} {judged.version} can be judged: {judging(named, choice)}")
    return 0 if usable else 1


def judging(named: str, choice: ClusterOptions) -> str:
    """The command that judges what was tried, where it was tried."""
    return shlex.join(["batchproof", "run", "-i", named, *choice.words()])


def _trials(path: Path, choice: ClusterOptions) -> Generator[Trial, None, None]:
    """First the descriptor alone, then what it describes."""
    wrong = of_descriptor(path, load_registry(), list(parse_features()), datetime.now(UTC).date())
    text = f"{path} is a valid descriptor"
    yield Trial(holds=not wrong, text=text, advice="\n".join(map(str, wrong)))
    if not wrong:
        implementation = descriptors.load(path)
        with staged(implementation, choice, lambda _: None) as stage, stage.plane() as plane:
            yield from smoke(stage, plane)


def _tell(trial: Trial) -> None:
    tell = note if trial.holds else say
    tell(f"{'ok' if trial.holds else 'FAILED':<7} {trial.text}")
    if trial.advice:
        say(trial.advice)
