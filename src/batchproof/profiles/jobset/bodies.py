"""The objects of JobSets, as their users ask for them."""

from __future__ import annotations

from copy import deepcopy

from batchproof.ground.resources import SIMULATED_SCHEDULER, SIMULATED_TAINT
from batchproof.judgement.history import Json
from batchproof.profiles.jobset.objects import JOBSETS
from batchproof.profiles.jobset.specs import FailureRule, JobSetSpec

FATAL = 42
"""The exit code by which a Job fails for the reason PodFailurePolicy; by any other, BackoffLimitExceeded."""

POD: Json = {
    "restartPolicy": "Never",
    "schedulerName": SIMULATED_SCHEDULER,
    "containers": [{"name": "main", "image": "batchproof.dev/simulated"}],
    "tolerations": [{"key": SIMULATED_TAINT, "operator": "Exists"}],
}
_RULES: Json = {"rules": [{"action": "FailJob", "onExitCodes": {"operator": "In", "values": [FATAL]}}]}

_DISRUPTED: Json = {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]}

_MUCH: Json = {
    "metadata": {
        "labels": {"batchproof.dev/colour": "green"},
        "annotations": {"batchproof.dev/note": "kept"},
    },
    "spec": {
        "activeDeadlineSeconds": 3000,
        "ttlSecondsAfterFinished": 4000,
        "template": {
            "metadata": {
                "labels": {"batchproof.dev/size": "small"},
                "annotations": {"batchproof.dev/hint": "kept"},
            },
            "spec": {
                **POD,
                "terminationGracePeriodSeconds": 7,
                "priority": 0,
                "containers": [
                    {
                        **POD["containers"][0],
                        "env": [{"name": "COLOUR", "value": "green"}],
                        "args": ["--hard"],
                    },
                    {"name": "side", "image": "batchproof.dev/simulated"},
                ],
            },
        },
    },
}
"""What a Job template says that says much."""


def jobset_spec(jobset: JobSetSpec) -> Json:
    """What a JobSet says beside its ReplicatedJobs, in the words of the API."""
    spec: Json = {"suspend": True} if jobset.suspended else {}
    spec |= {"startupPolicy": {"startupPolicyOrder": "InOrder"}} if jobset.in_order else {}
    if jobset.success:
        targets = {"targetReplicatedJobs": [jobset.target]} if jobset.target else {}
        spec["successPolicy"] = {"operator": jobset.success.title(), **targets}
    if policy := _failure_policy(jobset):
        spec["failurePolicy"] = policy
    if it := jobset.coordinator:
        spec["coordinator"] = {"replicatedJob": it.name, "jobIndex": it.job, "podIndex": it.pod}
    network: Json = {"subdomain": jobset.subdomain} if jobset.subdomain else {}
    network |= {} if jobset.host_names else {"enableDNSHostnames": False}
    network |= {"publishNotReadyAddresses": False} if jobset.ready_only else {}
    spec |= {"network": network} if network else {}
    spec |= {} if jobset.kept_s is None else {"ttlSecondsAfterFinished": jobset.kept_s}
    return spec | ({"managedBy": jobset.manager} if jobset.manager else {})


def _failure_policy(jobset: JobSetSpec) -> Json:
    policy: Json = {} if jobset.max_restarts is None else {"maxRestarts": jobset.max_restarts}
    policy |= {"restartStrategy": "BlockingRecreate"} if jobset.blocking else {}
    return policy | (
        {"rules": [_rule(number, rule) for number, rule in enumerate(jobset.rules)]} if jobset.rules else {}
    )


def _rule(number: int, rule: FailureRule) -> Json:
    return {
        "name": f"rule{number}",
        "action": rule.action,
        **({"onJobFailureReasons": [rule.reason]} if rule.reason else {}),
        **({"targetReplicatedJobs": [rule.name]} if rule.name else {}),
    }


def jobset_body(name: str, jobset: JobSetSpec) -> Json:
    """A JobSet; what webhooks of JobSet would fill in is said, where its API knows a default."""
    said = jobset_spec(jobset)
    network = {"enableDNSHostnames": True, "publishNotReadyAddresses": True}
    spec = {
        "successPolicy": {"operator": "All"},
        "startupPolicy": {"startupPolicyOrder": "AnyOrder"},
        **said,
        "network": {**network, **said.get("network", {})},
        "replicatedJobs": [_replicated(jobset, one, count) for one, count in jobset.replicas],
    }
    return {"apiVersion": JOBSETS.api_version, "kind": "JobSet", "metadata": {"name": name}, "spec": spec}


def _replicated(jobset: JobSetSpec, name: str, count: int) -> Json:
    template: Json = deepcopy(_MUCH) if jobset.much else {"spec": {"template": {"spec": deepcopy(POD)}}}
    counts = {"parallelism": jobset.pods, "completions": jobset.pods, "completionMode": "Indexed"}
    if jobset.nodes:
        template["spec"]["template"]["spec"]["nodeSelector"] = dict(jobset.nodes)
    template["spec"] |= {**counts, "backoffLimit": 0, "podFailurePolicy": _RULES}
    if jobset.patient:
        template["spec"]["podFailurePolicy"] = {"rules": [_DISRUPTED, *_RULES["rules"]]}
    if jobset.first_pod:
        template["spec"] |= {"successPolicy": {"rules": [{"succeededCount": 1}]}}
    waits = [{"name": it.on, "status": it.status} for it in jobset.waits if it.name == name]
    return {
        "name": name,
        "replicas": count,
        "template": template,
        **({"dependsOn": waits} if waits else {}),
    }
