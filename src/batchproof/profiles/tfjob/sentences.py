"""The sentences of verbs that random programs say too: written by the model, read by the steps."""

from __future__ import annotations

from batchproof.judgement.template import Template

TFJOB_IS = Template("{tfjob:a_tfjob}")
TFJOB_ANNOTATED = Template("the user annotates the TFJob")
TFJOB_CHANGED = Template("the user changes the TFJob to {replicas:replicas}")
TFJOB_SUSPENDED = Template("the user suspends the TFJob")
TFJOB_RESUMED = Template("the user resumes the TFJob")
REPLICAS_RUN = Template("its replicas run")
POD_VANISHES = Template("the user makes the pod of {kind:replica_type} {index:d} vanish")
REPLICA_SUCCEEDS = Template("{kind:replica_type} {index:d} of the TFJob succeeds")
REPLICA_FAILS = Template("{kind:replica_type} {index:d} of the TFJob fails with exit code {exit_code:d}")
