"""How long an embedded control plane takes until it is ready, beside the same without its controllers.

::

    python benchmarks/control_plane.py --rounds 5
"""

from __future__ import annotations

import argparse
import statistics
from time import monotonic

from batchproof.control_plane.assets import Binaries
from batchproof.control_plane.embedded import EmbeddedControlPlane
from batchproof.control_plane.progress import unseen
from batchproof.processes.programs import run_directory

_VERSION = "1.37.0"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds: int = parser.parse_args().rounds
    binaries = Binaries(None, unseen).control_plane()
    whole: list[float] = []
    bare: list[float] = []
    with run_directory() as run:
        for _ in range(rounds):
            for took, with_controllers in ((whole, True), (bare, False)):
                began = monotonic()
                with EmbeddedControlPlane(
                    run.path, binaries, kubernetes_version=_VERSION, with_controllers=with_controllers
                ):
                    took.append(monotonic() - began)
    ratios = [one / other for one, other in zip(whole, bare, strict=True)]
    print(f"ready after {statistics.median(whole):.2f} s ({min(whole):.2f} to {max(whole):.2f})")
    print(f"without controllers {statistics.median(bare):.2f} s ({min(bare):.2f} to {max(bare):.2f})")
    print(f"ratio {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
