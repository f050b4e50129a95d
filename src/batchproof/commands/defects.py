"""``batchproof defects``: prove that the suite catches wrong controllers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.text import Text

from batchproof.control_plane.choice import Choice
from batchproof.options import selection
from batchproof.profiles import profiles
from batchproof.report.matrix import dump, load, merged
from batchproof.running.defects.choice import Wish
from batchproof.running.defects.proof import prove_defects, write
from batchproof.screen import printable, say, show

if TYPE_CHECKING:
    from collections.abc import Iterator

    from batchproof.report.matrix import Matrix, Row

_STYLES = {"caught": "green", "missed": "bold red", "not-declared": "dim"}


@click.command("defects")
@click.argument("folders", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--merge", is_flag=True, help="Judge nothing: make one matrix of those in FOLDERS, the shards.")
@click.option("--profile", type=click.Choice([*profiles()]), help="Only the defects of a profile.")
@click.option(
    "-i",
    "--implementation",
    metavar="NAME|FILE",
    help="Another descriptor that starts the reference, in another dialect; needs --profile.",
)
@selection("Only the defects (or scenarios) that match.")
@click.option(
    "--since",
    default="",
    metavar="REV",
    help="Only where the defect, its file of the reference, a scenario, step or fact is another than in REV.",
)
@click.option("--shard", default="1/1", metavar="I/N", help="Only this part of N equal ones, such as 2/5.")
@click.option("-n", "workers", type=click.IntRange(1, 64), help="Scenarios at once.")
@click.option(
    "--reference",
    metavar="FOLDER",
    multiple=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Results of `batchproof run` of a reference itself: where they are there and of this very code, it "
    "is not judged again. May be given several times.",
)
@click.option("--patient", is_flag=True, help="Wait for a wrong controller as long as for any other.")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("batchproof-results", "defects"),
    show_default=True,
    help="Folder of the matrix, and of the results of each defect.",
)
@click.option(
    "--assets",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of etcd, kube-apiserver, kube-controller-manager.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the matrix as JSON.")
def command(
    *,
    folders: tuple[Path, ...],
    merge: bool,
    profile: str | None,
    implementation: str | None,
    expression: str,
    since: str,
    shard: str,
    workers: int | None,
    patient: bool,
    reference: tuple[Path, ...],
    output: Path,
    assets: Path | None,
    as_json: bool,
) -> int:
    """Plant each defect in the reference controller and see that a scenario catches it.

    A defect is a small change that makes the reference wrong. It is caught if a scenario of its requirement
    finds that requirement unmet; its other scenarios are not run then. The exit code is 0 only if every one
    is caught. Defects of capabilities that the implementation does not declare are listed, and not judged.

    OUTPUT gets defects.json and index.html, the matrix of requirements and defects, and for each defect a
    folder that `batchproof replay` and `batchproof report` read.
    """
    if implementation and not profile:
        raise click.UsageError("--implementation needs --profile: whose defects are to be planted?")
    if bool(folders) != merge:
        raise click.UsageError(
            "--merge needs the folders of the shards" if merge else "folders go with --merge"
        )
    if merge:
        matrix = merged([load(folder) for folder in folders])
        write(matrix, output)
    else:
        choice = Choice(assets=assets)
        wish = Wish(
            profile, implementation, expression, since, shard, workers, patient, output, choice, reference
        )
        matrix = prove_defects(wish)
    if as_json:
        say(dump(matrix).decode(), nl=False)
    else:
        _show(matrix, output)
    return matrix.exit_code


def _show(matrix: Matrix, output: Path) -> None:
    show(*(text for row in matrix.rows for text in _lines(row)))
    if matrix.whole and matrix.bare:
        show(Text(f"without a planted defect: {', '.join(matrix.bare)}", "bold red"))
    say(matrix.sentence)
    say(f"page   {output / 'index.html'}\njson   {output / 'defects.json'}")


def _lines(row: Row) -> Iterator[Text]:
    word = row.verdict.replace("-", " ") if row.verdict != "missed" else "NOT CAUGHT"
    yield Text.assemble((word, _STYLES[row.verdict]), "  ", (row.defect, "bold"), f"  {row.requirement}")
    if row.catch:
        style = "" if row.catch.last else "yellow"
        yield Text(f"  caught at {row.catch.where}: {printable(row.catch.sentence)}", style)
        yield Text(f"  of {printable(row.catch.scenario)}", "dim")
    else:
        for miss in row.misses:
            why = f": {printable(miss.why)}" if miss.why else ""
            yield Text(f"  {miss.verdict}{why}: {printable(miss.scenario)}")
        if not row.misses and row.verdict == "missed":
            yield Text("  its requirement has no scenario")
    if row.not_declared:
        yield Text(f"  not judged: {row.not_declared} is not declared", "dim")
    for warning in row.warnings:
        yield Text(f"  warning: {printable(warning)}", "yellow")
