"""Which requirements judge, in a Then, what other scenarios rely on in a Given or a When."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

SPEAKS_OF: Mapping[str, tuple[str, ...]] = {
    "active_pods": ("BAS-015", "BAS-016", "BAS-024"),
    "active_pods_exactly": ("BAS-015", "BAS-016", "BAS-029"),
    "gang_bound": ("GNG-001",),
    "gang_bound_at_most": ("GNG-001", "GNG-002"),
    "pod_bound": ("GNG-014",),
    "reported": ("GNG-015",),
    "created_pods": ("BAS-015", "BAS-022"),
    "job_accounts": ("FIN-003",),
    "job_complete": ("BAS-013", "BAS-018"),
    "job_failed": ("FAIL-002", "BAS-039"),
    "job_finished": ("BAS-013", "BAS-018"),
    "job_reports": ("BAS-050",),
    "job_resumed": ("BAS-031",),
    "job_started": ("BAS-053",),
    "job_suspended": ("BAS-028", "BAS-029"),
    "no_finished_tracked": ("FIN-003",),
    "queue_state": ("VOL-054", "VOL-055"),
    "tfjob_condition": ("TFJ-026", "TFJ-034", "TFJ-035"),
    "tfjob_pods": ("TFJ-001",),
    "volcano_group_exists": ("VOL-002",),
    "volcano_job_path": ("VOL-019", "VOL-022", "VOL-023"),
    "volcano_job_phase": ("VOL-014", "VOL-016", "VOL-021"),
    "volcano_job_was": ("VOL-019", "VOL-028"),
    "volcano_pods": ("VOL-004",),
    "volcano_pods_since": ("VOL-012", "VOL-019"),
    "volcano_pods_terminating": ("VOL-021",),
    "volcano_task_pods": ("VOL-004", "VOL-040"),
}
"""The requirements by the name of the fact; what is nobody's duty (that a fault strikes) is not here."""
