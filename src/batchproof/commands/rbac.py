"""``batchproof rbac``: the rights that are needed in a cluster."""

from __future__ import annotations

import click

from batchproof.control_plane.rights import EVERY_RUN, manifests
from batchproof.descriptor import implementation as descriptors
from batchproof.ground.errors import UserError
from batchproof.ground.screen import say
from batchproof.options import implementation_option
from batchproof.profiles.needs import needs_of
from batchproof.submitting import rights as submitting


@click.command("rbac", short_help="Print the RBAC manifests that --cluster existing or submit needs.")
@implementation_option("For the profiles and the dialect of this descriptor too.")
@click.option(
    "--submit",
    "namespace",
    metavar="NAMESPACE",
    help="For `batchproof submit` into this namespace instead; what is judged does not matter.",
)
def command(*, implementation: str | None, namespace: str | None) -> int:
    """Print the manifests that give a ServiceAccount all that `--cluster existing` needs, and no more.

    With --submit those that `batchproof submit` needs: rights in one namespace.
    """
    if namespace:
        if implementation:
            raise UserError("--submit needs the same rights whatever is judged: leave out -i")
        say(submitting.manifests(namespace), nl=False)
        return 0
    needs = needs_of(descriptors.load(descriptors.find(implementation))) if implementation else EVERY_RUN
    say(manifests(needs), nl=False)
    return 0
