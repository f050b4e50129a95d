"""What a shard is given of the implementation: its descriptor, and the files beside it that it names."""

from __future__ import annotations

import secrets
from pathlib import Path

from batchproof.control_plane.choice import ClusterOptions
from batchproof.descriptor import implementation as descriptors
from batchproof.descriptor.implementation import Implementation, bundled, is_path
from batchproof.descriptor.launch import given_files
from batchproof.evidence.digests import code_digest, suite_digest, text_digest
from batchproof.ground import stored
from batchproof.ground.errors import UserError
from batchproof.running.runner import RunOptions
from batchproof.submitting.manifests import IMPLEMENTATION, too_large
from batchproof.submitting.plan import CommandName, Plan


def files_of(named: str, implementation: Implementation) -> dict[str, bytes]:
    """The files that a shard is given, by their paths below the descriptor's folder; the descriptor first.

    Args:
        named: the implementation as the user named it.
        implementation: what its descriptor describes.

    Raises:
        UserError: a file lies elsewhere, or they are too large for a ConfigMap.
    """
    if not is_path(named) and named in bundled():
        return {}
    descriptor = implementation.descriptor.resolve()
    processes = (*implementation.processes, *([implementation.election] if implementation.election else ()))
    crds = [one for one in implementation.control_plane.crds if isinstance(one, Path)]
    beside = [path for one in processes for path in given_files(one, descriptor)]
    found = {descriptor.name: implementation.text.encode()}
    for path in (*crds, *beside):
        resolved = path.resolve()
        if not resolved.is_relative_to(descriptor.parent):
            if path in crds and not path.is_relative_to(descriptor.parent):
                continue  # one that the suite brings
            raise UserError(
                f"{descriptor.name}: {path} lies outside its folder, and a shard is given no "
                "other files: move it there, or build it into the image"
            )
        found[resolved.relative_to(descriptor.parent).as_posix()] = resolved.read_bytes()
    if too_large(found):
        raise UserError(
            f"{descriptor.name}: its files are more than 1 MB, which a ConfigMap does not hold: build "
            "large ones into the image of --implementation-image"
        )
    return found


def programs_of(implementation: Implementation) -> tuple[str, ...]:
    """What the commands of the implementation name of its own image, by the paths in that image."""
    election = [implementation.election] if implementation.election else []
    words = [
        word
        for process in (*implementation.processes, *election)
        for word in (*process.argv, *process.env.values(), str(process.binary or ""))
    ]
    paths = [
        word.rpartition("=")[2] for word in words
    ]  # that of an option too, as in --config=/implementation/x
    below = [path.removeprefix(IMPLEMENTATION) for path in paths if path.startswith(f"{IMPLEMENTATION}/")]
    return tuple(dict.fromkeys(below))


def check_image(implementation: Implementation, image: str) -> None:
    """See that the image of what is judged is named if a program in it is started.

    Raises:
        UserError: it is not: each pod would find that out when it starts the program.
    """
    if (programs := programs_of(implementation)) and not image:
        raise UserError(
            f"{implementation.descriptor.name} starts {IMPLEMENTATION}{programs[0]}, which is in the image "
            "of your controller: name that image with --implementation-image"
        )


def given_name(named: str) -> str:
    """By which a shard finds what the user has named: a bundled one by its name, else by that of its file."""
    return descriptors.find(named).name if is_path(named) else named


def plan_of(
    command: CommandName,
    choices: RunOptions,
    shards: tuple[tuple[str, ...], ...],
    *,
    workers: int,
    faults: tuple[str, ...] = (),
    for_s: int = 0,
) -> Plan:
    """The plan of what was chosen, for this batchproof alone.

    Args:
        command: what is submitted.
        choices: what the user chose; no implementation where there are to be all.
        shards: what each shard does.
        workers: how many each does at once, if the user has not said.
        faults: the fault profiles of a fault grid.
        for_s: for how long each shard explores, in seconds.
    """
    named = choices.implementation
    return stored.copied(
        Plan,
        choices,
        command=command,
        run=secrets.token_hex(16),
        suite=suite_digest(),
        code=code_digest(),
        implementation=given_name(named) if named else "",
        descriptor_digest=text_digest(descriptors.load(descriptors.find(named)).text) if named else "",
        workers=choices.workers or workers,
        faults=faults,
        shards=shards,
        for_s=for_s,
    )


def choices_of(plan: Plan, given: Path, output: Path) -> RunOptions:
    """What a shard is to do, as if its user had chosen it.

    Args:
        plan: the plan.
        given: the folder that the shard is given.
        output: the folder of its results.
    """
    own = given / "files" / plan.implementation
    return RunOptions(
        implementation=str(own) if plan.implementation and own.is_file() else plan.implementation,
        profile=plan.profile,
        expression=plan.expression,
        workers=plan.workers,
        output=output,
        junit=None,
        choice=ClusterOptions(),
        strict=plan.strict,
        accept_known=plan.accept_known,
    )
