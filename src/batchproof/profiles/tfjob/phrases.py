"""The phrase of a TFJob."""

from __future__ import annotations

from batchproof.judgement.phrase import Part, Phrase
from batchproof.profiles.tfjob.specs import TFJobSpec

A_TFJOB = Phrase(
    "a_tfjob",
    TFJobSpec,
    "a {suspended:suspended_tfjob}TFJob",
    (
        Part("of {replicas:replicas}"),
        Part("with {settings:the_settings}"),
        Part("with {containers:containers}"),
        Part("whose pod templates {templates:templates}"),
        Part("named {name:text_without_space}"),
    ),
)
"""``a suspended TFJob of 1 PS and 2 Workers with the restartPolicy Never and the backoffLimit 3``."""
