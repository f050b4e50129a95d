"""The sentences of verbs that random programs say too: written by the model, read by the steps."""

from __future__ import annotations

from batchproof.judgement.template import Template

GANG_IS = Template("{gang:a_gang}")
NODES_ARE = Template("{nodes:nodes}")
NODES_JOIN = Template("{nodes:nodes} [joins|join]")
PODS_ADDED = Template("{pods:pods} [is|are] added to gang {name:gang}")
POD_CREATED = Template("{pod:pod} is created")
POD_SUCCEEDS = Template("pod {pod:word} succeeds")
GROUP_CREATED = Template("the group of gang {name:gang} is created")
MINIMUM_LOWERED = Template("the minimum of gang {name:gang} is lowered to {minimum:d}")
GANG_SUCCEEDS = Template("the pods of gang {name:gang} succeed")
SOME_SUCCEED = Template("{count:d} running [pod|pods] of gang {name:gang} [count?succeeds|succeed]")
SOME_FAIL = Template("{count:d} running [pod|pods] of gang {name:gang} [count?fails|fail]")
GANG_WAITS = Template(
    "for {during:waiting} seconds no pod of gang {name:gang} is bound, with room for {room:room}"
)
ALL_RUN = Template("all gangs run, one after another")
