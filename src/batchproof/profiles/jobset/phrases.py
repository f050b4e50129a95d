"""The phrase of a JobSet."""

from __future__ import annotations

from batchproof.judgement.phrase import Part, Phrase
from batchproof.profiles.jobset.specs import JobSetSpec

A_JOBSET = Phrase(
    "a_jobset",
    JobSetSpec,
    "a {suspended:suspended_jobset}JobSet",
    (
        Part("of {replicas:replicated_jobs}"),
        Part("started in order", {"in_order": True}, ", "),
        Part("whose {waits:waits}", before=", "),
        Part("completed by {success:any_or_all} of {target:replicated}", before=", "),
        Part("completed by any Job", {"success": "any", "target": ""}, ", "),
        Part("restarted at most {max_restarts:d} [time|times]", before=", "),
        Part("each restart after all Jobs are gone", {"blocking": True}, ", "),
        Part("with {rules:failure_rules}", before=", "),
        Part("coordinated by {coordinator:coordinator}", before=", "),
        Part("in the subdomain {subdomain:replicated}", before=", "),
        Part("without host names", {"host_names": False}, ", "),
        Part("with addresses of ready pods only", {"ready_only": True}, ", "),
        Part("kept for {kept_s:d} [second|seconds]", before=", "),
        Part("managed by {manager:path}", before=", "),
        Part("with {pods:d} [pod|pods] each", before=", "),
        Part("whose Jobs succeed with their first pod", {"first_pod": True}, ", "),
        Part("whose Jobs ignore disruptions", {"patient": True}, ", "),
        Part("on nodes with {nodes:node_labels}", before=", "),
        Part("whose templates say much", {"much": True}, ", "),
    ),
)
"""``a suspended JobSet of 1 leader and 2 workers, started in order, restarted at most 3 times``."""
