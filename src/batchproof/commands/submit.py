"""``batchproof submit``: judge an implementation in the pods of a Job."""

from __future__ import annotations

import re
from pathlib import Path

import click

from batchproof.control_plane.choice import ClusterOptions
from batchproof.descriptor import implementation as descriptors
from batchproof.given import Given
from batchproof.ground.errors import UserError
from batchproof.options import judged_options, selection, workers_option
from batchproof.running.runner import RunOptions, chosen
from batchproof.submitting import explorations, mutants, runs
from batchproof.submitting.commands import COMMANDS
from batchproof.submitting.given import check_image
from batchproof.submitting.manifests import Wanted
from batchproof.submitting.rights import NAMESPACE
from batchproof.submitting.submit import Where, attach, merge, submit


@click.command("submit", short_help="Judge in a cluster: run the scenarios in the pods of an Indexed Job.")
@judged_options
@selection("Only the scenarios that match, as for `run`.")
@workers_option("scenarios")
@click.option("--shards", type=click.IntRange(1, 100), default=2, show_default=True, help="Number of pods.")
@click.option("--image", help="The image of batchproof; docs/how-to/image.md says how to build it.")
@click.option(
    "--implementation-image",
    metavar="IMAGE",
    default="",
    help="The image of what is judged; its file system is at /implementation in each pod.",
)
@click.option("--namespace", default=NAMESPACE, show_default=True, help="The namespace of the Job.")
@click.option(
    "--kubeconfig",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The cluster; default as for kubectl.",
)
@click.option("--context", help="A context of the kubeconfig; default is its current one.")
@click.option("--queue", metavar="NAME", default="", help="The queue of Kueue that admits the Job.")
@click.option("--cpu", default="1", show_default=True, help="Processors that each shard requests.")
@click.option("--memory", default="2Gi", show_default=True, help="Memory of each shard: request and limit.")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the results; default as for the command that does it here: batchproof-results, "
    "batchproof-results/mutants or batchproof-explored.",
)
@click.option("--junit", type=click.Path(dir_okay=False, path_type=Path), help="Write JUnit XML here too.")
@click.option(
    "--faults",
    metavar="PROFILE,...|all",
    default="",
    help="The fault grid, as for `run`: each scenario without faults and under each of these profiles.",
)
@click.option(
    "--mutants",
    "prove",
    is_flag=True,
    help="Judge the mutants of the references instead, as `mutants`; then -i needs --profile.",
)
@click.option(
    "--explore",
    "length",
    metavar="TIME",
    default="",
    help="Explore instead, as `explore --for TIME`: each shard for this long, from a seed of its own.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**32),
    help="Of --explore: that of the first shard, the next one has the next seed; default: a new one.",
)
@click.option("--strict", is_flag=True, help="Fail if any scenario was retried or could not be judged.")
@click.option(
    "--accept-known",
    is_flag=True,
    help="Exit with 0 even if the verdict is NOT CONFORMANT, N known: core requirements fail, and the "
    "descriptor lists each failure.",
)
@click.option("--detach", is_flag=True, help="Submit, print the name of the Job, and do not wait.")
@click.option(
    "--attach", "job", metavar="JOB", help="Follow a run that was submitted before, to its verdict."
)
@click.option(
    "--results",
    metavar="log|pvc:NAME[/PATH]",
    default="log",
    show_default=True,
    help="Also write what each shard prints to this PersistentVolumeClaim, in the folder PATH/JOB.",
)
@click.option(
    "--merge",
    "folder",
    type=Given("give the folder of the Job in the volume of --results", folder=True),
    help="Submit nothing: judge what the shards have written to that folder.",
)
def command(
    *,
    implementation: str | None,
    profile: str | None,
    expression: str,
    workers: int | None,
    shards: int,
    image: str | None,
    implementation_image: str,
    namespace: str,
    kubeconfig: Path | None,
    context: str | None,
    queue: str,
    cpu: str,
    memory: str,
    output: Path | None,
    junit: Path | None,
    faults: str,
    prove: bool,
    length: str,
    seed: int | None,
    strict: bool,
    accept_known: bool,
    detach: bool,
    job: str | None,
    results: str,
    folder: Path | None,
) -> int:
    """Judge an implementation in a cluster: each shard has a pod, and a control plane of its own in it.

    The results are those of one run, and the exit code is its verdict, as for `run`. Ctrl-C removes the Job.
    With --mutants it is as for `mutants`, with --explore as for `explore`.
    """
    where = Where(kubeconfig, context, namespace)
    asked = detach or implementation or profile or expression or faults or prove or length
    if folder:
        if job or image or asked:
            raise UserError(
                "--merge judges what is there: leave out --attach, --image, --detach, and what is submitted"
            )
        return merge(folder, output, junit)
    if job:
        if asked:
            raise UserError(
                "--attach follows what was submitted: leave out -i, --profile, -k, --faults, --mutants, "
                "--explore and --detach"
            )
        return attach(job, where, output, junit)
    if not image:
        raise UserError("--image: name the image of batchproof; docs/how-to/image.md says how to build it")
    claim, path = _claim(results)
    kind = _command(
        prove=prove, length=length, seed=seed, only_run=any((faults, strict, accept_known, junit))
    )
    name, claimed = (implementation or "", profile or "") if prove else chosen(implementation, profile)
    if name:
        check_image(descriptors.load(descriptors.find(name)), implementation_image)
    choices = RunOptions(
        implementation=name,
        profile=claimed,
        expression=expression,
        workers=workers,
        output=output or COMMANDS[kind].output,
        junit=junit,
        choice=ClusterOptions(),
        strict=strict,
        accept_known=accept_known,
    )
    match kind:
        case "mutants":
            plan = mutants.planned(choices, shards)
        case "explore":
            plan = explorations.planned(choices, length, seed, shards)
        case _:
            plan = runs.planned(choices, faults, shards)
    wanted = Wanted("", image, implementation_image, (), queue, claim, path, cpu, memory)
    return submit(plan, choices, where, wanted, detach=detach)


def _command(*, prove: bool, length: str, seed: int | None, only_run: bool) -> str:
    """What is submitted.

    Raises:
        UserError: the options are of several commands.
    """
    if prove and length:
        raise UserError("--mutants and --explore are two runs: submit them one after the other")
    if only_run and (prove or length):
        raise UserError(
            "--faults, --strict, --accept-known and --junit are of a run: "
            "leave them out with --mutants and --explore"
        )
    if seed is not None and not length:
        raise UserError("--seed is of an exploration: give --explore TIME too")
    return "mutants" if prove else "explore" if length else "run"


def _claim(results: str) -> tuple[str, str]:
    """The claim that ``--results`` names, and the folder in it; empty: only the logs.

    Raises:
        UserError: it names none.
    """
    if results == "log":
        return "", ""
    found = re.fullmatch(r"pvc:([a-z0-9][a-z0-9.-]*)(?:/([A-Za-z0-9_][A-Za-z0-9._/-]*))?", results)
    if not found or ".." in (found[2] or "").split("/"):
        raise UserError(
            f"--results: {results!r} names no volume: write log, or pvc:NAME/PATH with the name of a "
            "PersistentVolumeClaim and a folder in it"
        )
    return found[1], found[2] or ""
