"""How sentences write Volcano Jobs and what they are about."""

from __future__ import annotations

from batchproof.judgement.template import ArgumentKind, add, listed
from batchproof.profiles.volcano_job.words import CLASSES, NAME, SETTING, apart

_SETTINGS = f"(?:{SETTING})(?:(?:, | and )(?:{SETTING}))*"

add(
    {
        "task_name": ArgumentKind(NAME),
        "task_names": ArgumentKind(rf"{NAME}(?: (?:and|or) {NAME})*"),
        "task_priority": ArgumentKind("|".join(CLASSES)),
        "volcano_settings": ArgumentKind(
            _SETTINGS, lambda text: tuple(apart(SETTING, text)), lambda said: listed(list(said))
        ),
        "with_settings": ArgumentKind(
            f"(?: with {_SETTINGS})?",
            lambda text: tuple(apart(SETTING, text.removeprefix(" with "))),
            lambda said: f" with {listed(list(said))}" if said else "",
        ),
        "its_task": ArgumentKind(
            f"the Volcano Job|its task {NAME}",
            lambda text: text.removeprefix("its task ") if text != "the Volcano Job" else "",
            lambda task: f"its task {task}" if task else "the Volcano Job",
        ),
        "and_minimum": ArgumentKind(
            r"(?: and minAvailable to \d+)?",
            lambda text: int(text.rpartition(" ")[2]) if text else None,
            lambda value: "" if value is None else f" and minAvailable to {value}",
        ),
        "exit_code": ArgumentKind(
            r"(?: with exit code \d+)?",
            lambda text: int(text.rpartition(" ")[2]) if text else None,
            lambda value: "" if value is None else f" with exit code {value}",
        ),
        "pod_part": ArgumentKind("all labels|the version of its Job|the name of its PodGroup|the owner"),
        "group_part": ArgumentKind("minMember|minTaskMember"),
        "extra_kind": ArgumentKind("ConfigMap|Secret|NetworkPolicy|service"),
        "meta_change": ArgumentKind("labels|annotates|disowns|gives an owner to"),
        "changed_thing": ArgumentKind(
            "the Volcano Job|the Command|the ReplicaSet"
            "|the (?:PodGroup|ConfigMap|PersistentVolumeClaim) of the Volcano Job"
        ),
        "integer": ArgumentKind(r"-?\d+", int),
    }
)
