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
    whole: list[float] = []
    bare: list[float] = []
    for _ in range(rounds):
        whole.append(ready_s())
        bare.append(ready_s(with_controllers=False))
    ratios = [one / other for one, other in zip(whole, bare, strict=True)]
    print(f"ready after {shown(whole)} s")
    print(f"without controllers {shown(bare)} s")
    print(f"ratio {shown(ratios)}")


def ready_s(*, with_controllers: bool = True) -> float:
    """How many seconds an embedded control plane takes until it is ready."""
    binaries = Binaries(None, unseen).control_plane()
    with run_directory() as run:
        began = monotonic()
        with EmbeddedControlPlane(
            run.path, binaries, kubernetes_version=_VERSION, with_controllers=with_controllers
        ):
            return monotonic() - began


def shown(measured: list[float]) -> str:
    """Their median, and the least and the most."""
    return f"{statistics.median(measured):.2f} ({min(measured):.2f} to {max(measured):.2f})"


if __name__ == "__main__":
    main()
