"""The pytest plugin: it turns features into tests, and what becomes of them into records.

Only ``running.alone`` loads it, and it is inert without settings (option ``--batchproof-run``). The parts are
loaded only when they are needed: ``session.collect`` makes tests of scenarios, ``session.judge`` runs
them in a cell (in each worker), ``session.stream`` writes down the verdicts (in the process of the user).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

OPTION = "--batchproof-run"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the one option by which the command line hands over its settings."""
    group = parser.getgroup("batchproof")
    group.addoption(OPTION, metavar="FILE", help="settings of a batchproof run (used by `batchproof run`)")


def pytest_configure(config: pytest.Config) -> None:
    """Register what this process has to do in a run."""
    chosen = config.getoption(OPTION)
    if chosen is None:
        return
    from batchproof.processes.programs import end_with_run  # noqa: PLC0415 - only in a run
    from batchproof.running.session import sentences  # noqa: PLC0415
    from batchproof.running.session.collect import FeatureCollector  # noqa: PLC0415
    from batchproof.running.session.judge import Judge  # noqa: PLC0415
    from batchproof.running.session.watchdog import STACKS, Watchdog  # noqa: PLC0415
    from batchproof.running.settings import Settings  # noqa: PLC0415

    settings = Settings.read(Path(chosen))
    worker = getattr(config, "workerinput", {}).get("workerid")
    if worker:
        stacks = settings.run_dir / STACKS / worker
        config.pluginmanager.register(Watchdog(stacks, settings.hangs_after_s), "batchproof-watchdog")
    config.pluginmanager.register(sentences, "batchproof-sentences")
    config.pluginmanager.register(FeatureCollector(settings.plays), "batchproof-collect")
    if worker:
        end_with_run(settings.run_dir)  # also if the process that started this one is killed
    if worker or not config.getoption("tx", None):
        config.pluginmanager.register(Judge(settings, worker or "main"), "batchproof-judge")
