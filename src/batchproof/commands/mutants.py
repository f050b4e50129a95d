"""``batchproof mutants``: prove that the suite kills every mutant of the references."""

from __future__ import annotations

from pathlib import Path

import click

from batchproof.control_plane.choice import ClusterOptions
from batchproof.ground.screen import say
from batchproof.options import implementation_option, json_option, selection, workers_option
from batchproof.profiles import profiles
from batchproof.report.matrix import dump, load, merged
from batchproof.running.mutants.choice import MutantOptions
from batchproof.running.mutants.proof import judge_mutants, write
from batchproof.running.mutants.shown import show_matrix


@click.command("mutants", short_help="Prove that the suite kills every mutant.")
@click.argument("folders", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--merge", is_flag=True, help="Judge nothing: make one matrix of those in FOLDERS, the shards.")
@click.option("--profile", type=click.Choice([*profiles()]), help="Only the mutants of a profile.")
@implementation_option("Another descriptor that starts the reference, in another dialect; needs --profile.")
@selection("Only the mutants (or scenarios) that match.")
@click.option(
    "--since",
    default="",
    metavar="REV",
    help="Only where the mutant, its file of the reference, a scenario, a step or a fact differs from REV.",
)
@click.option(
    "--proved",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Only those that this record does not have as they are now, and --sample of the others.",
)
@click.option(
    "--sample",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="With --proved: judge that number of the others too; each state of the suite draws others.",
)
@click.option("--shard", default="1/1", metavar="I/N", help="Only this part of N equal ones, such as 2/5.")
@workers_option()
@click.option(
    "--reference",
    metavar="FOLDER",
    multiple=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Results of `batchproof run` of a reference itself: where they are there and of this very code, it "
    "is not judged again. May be given several times.",
)
@click.option(
    "--patient", is_flag=True, help="Use the full deadlines also for mutants (by default they are shorter)."
)
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("batchproof-results", "mutants"),
    show_default=True,
    help="Folder of the matrix, and of the results of each mutant.",
)
@click.option(
    "--assets",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of etcd, kube-apiserver, kube-controller-manager.",
)
@json_option("Print the matrix as JSON.")
def command(
    *,
    folders: tuple[Path, ...],
    merge: bool,
    profile: str | None,
    implementation: str | None,
    expression: str,
    since: str,
    proved: Path | None,
    sample: int,
    shard: str,
    workers: int | None,
    patient: bool,
    reference: tuple[Path, ...],
    output: Path,
    assets: Path | None,
    as_json: bool,
) -> int:
    """Make each mutant of the references, and show that a scenario kills it.

    A mutant is a copy of a reference with one small change that breaks a requirement. It is killed if a
    scenario of that requirement reports it as failed; its other scenarios are not run then. The exit code is
    0 only if every mutant is killed. Mutants of capabilities that the implementation does not declare are
    listed, and not judged.

    OUTPUT gets defects.json and index.html, the matrix of requirements and mutants, with the drawn timeline
    of each kill, and for each mutant a folder that `batchproof replay` and `batchproof report` read.
    """
    if implementation and not profile:
        raise click.UsageError("--implementation needs --profile: it decides which mutants are tried")
    if sample and not proved:
        raise click.UsageError("--sample goes with --proved: without a record every mutant is judged")
    if bool(folders) != merge:
        raise click.UsageError(
            "--merge needs the folders of the shards" if merge else "folders go with --merge"
        )
    if merge:
        matrix = merged([load(folder) for folder in folders])
        write(matrix, output)
    else:
        choice = ClusterOptions.of(assets=assets)
        wish = MutantOptions(
            profile=profile,
            implementation=implementation,
            expression=expression,
            since=since,
            shard=shard,
            workers=workers,
            patient=patient,
            output=output,
            choice=choice,
            reference=reference,
            proved=proved,
            sample=sample,
        )
        matrix = judge_mutants(wish)
    if as_json:
        say(dump(matrix).decode(), nl=False)
    else:
        show_matrix(matrix, output)
    return matrix.exit_code
