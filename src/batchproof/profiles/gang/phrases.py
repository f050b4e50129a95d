"""The phrases of gang scenarios: a gang, its pods, a pod of no gang, nodes, queues."""

from __future__ import annotations

from typing import get_args

from batchproof.judgement.phrase import Part, Phrase
from batchproof.profiles.gang.specs import ZONES_NAME, GangSpec, NodeSpec, Placed, PodSpec, QueueSpec

SOMEBODY = "somebody-else"
"""The name of another scheduler."""
NAMESAKE = "{scheduler}-2"
"""The name of another scheduler that begins with that of the implementation."""
NOWHERE = (("example.com/nowhere", "yes"),)
"""A label that no node has."""

_OF_PODS = (
    Part("of task {task:task}"),
    Part("of owner {owner:word}"),
    Part("of {cpus:cpus} [CPU|CPUs][count?| each]"),
    Part("of priority {priority:priority}"),
    Part("that [count?requests|request] nothing", {"cpus": ""}),
    Part("that also [count?requests|request] {asking:amounts}[count?| each]"),
    Part("whose init container requests {init_cpus:digits} [CPU|CPUs]"),
    Part("whose sidecar requests {sidecar_cpus:digits} [CPU|CPUs]"),
    Part("whose runtime takes {runtime_cpus:digits} [CPU|CPUs]"),
    Part("that [count?requests|request] {whole_cpus:digits} [CPU|CPUs] for the whole pod"),
    Part("that [count?uses|use] host port {host_port:d}"),
    Part("that [count?needs|need] a node of zone {node_zone:zones}"),
    Part("that [count?needs|need] a node outside of zone {outside_zone:word}"),
    Part("that [count?tolerates|tolerate] {tolerated:tolerated}"),
    Part("that [count?uses|use] claim {claim:word}"),
    Part("that [count?has|have] a scheduling gate", {"kept": "gated"}),
    Part("that [count?is|are] being deleted", {"kept": "deleted"}),
    Part("that [count?selects|select] a label of no node", {"selector": NOWHERE}),
    Part("that may not share a node with pod {apart_from:word}"),
    Part("that may not share a node with gang {apart_from_gang:gang}"),
)

PODS = Phrase(
    "pods",
    PodSpec,
    "{count:more} [pod|pods]",
    (*_OF_PODS, *(Part(how, {"placed": how}, ", ") for how in get_args(Placed) if how)),
)
"""``3 pods of 2 CPUs each, no two on one node``."""

SINGLE = Phrase(
    "pod",
    PodSpec,
    "pod {name:word}",
    (
        Part("without a gang"),
        *_OF_PODS,
        Part("of another scheduler", {"scheduler": SOMEBODY}),
        Part("of a scheduler whose name begins with this one's", {"scheduler": NAMESAKE}),
    ),
)
"""``pod big without a gang of 2 CPUs``."""

GANG = Phrase(
    "a_gang",
    GangSpec,
    "gang {name:gang}",
    (
        Part("in queue {queue:word}"),
        Part("of tree {tree:tree}"),
        Part("of priority {priority:priority}"),
        Part("created a second later", {"later": True}, ", "),
        Part("without a minimum", {"minimum": 1, "loose": True}),
        Part("with minimum {minimum:d}"),
        Part("that needs {least_cpus:d} [CPU|CPUs] in all"),
        Part("needs {tasks:tasks}"),
        Part("has {pods:pods}"),
        Part("by its group all in one zone", {"one_zone": True}, ", "),
        Part("which are evicted only together", {"whole": True}, ", "),
        Part("whose group does not exist", {"made": False}, ", "),
    ),
)
"""``gang a in queue small of priority high with minimum 3 has 3 pods``."""

NODES = Phrase(
    "nodes",
    NodeSpec,
    "{count:a_few} [node|nodes]",
    (
        Part("with {cpus:d} [CPU|CPUs][count?| each]"),
        Part("{having:amounts}[count?| each]", before=" and "),
        Part("in zone {zone:word}"),
        Part("that [count?is|are] not ready", {"flaw": "not ready"}),
        Part("that [count?is|are] unreachable", {"flaw": "unreachable"}),
        Part("that [count?is|are] cordoned", {"flaw": "cordoned"}),
        Part("that [count?is|are] tainted", {"flaw": "tainted"}),
        Part("whose host has another name", {"host": "another"}),
        Part("whose host has the name of its zone", {"host": ZONES_NAME}),
        Part("that pods rather avoid", {"flaw": "avoided"}),
        Part("that [count?has|have] other labels", {"flaw": "elsewhere"}),
    ),
)
"""``3 nodes with 4 CPUs each in zone west``."""

QUEUES = Phrase(
    "a_queue",
    QueueSpec,
    "{names:queues}",
    (
        Part("of weight {weight:d}"),
        Part("with at most {capability:d} [CPU|CPUs]"),
        Part("for which {guarantee:d} [CPU|CPUs] are kept"),
        Part("which may be reclaimed", {"reclaimable": True}, ", "),
    ),
)
"""``queues first and late of weight 1, which may be reclaimed``."""
