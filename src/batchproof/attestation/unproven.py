"""What no certificate can prove, in the words that it carries: by code, so that a reader can look each up.

docs/explanation/certificate-limits.md has the attacks behind each code.
"""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "attempts": ("That this was not the best of several runs. The number of attempts is the signer's word."),
    "recorder": (
        "That an unchanged batchproof recorded the histories. A changed recorder, proxy or plugin could "
        "have written them, and judging them again does not show that."
    ),
    "binary": ("That the files named here are what ran. Their digests were taken on the signer's machine."),
    "started": (
        "What the started program started, downloaded or called. A wrapper can run another controller."
    ),
    "observed": (
        "That the implementation behaves in the same way when it is not tested. It can recognize the test."
    ),
    "release": (
        "That the tested file is the released one. Compare the digest: `batchproof verify --artifact FILE`."
    ),
    "fabricated": "That the run took place. A program can write histories that agree with each other.",
    "control-plane": (
        "That kube-apiserver and etcd were unchanged. Their digests were taken on the signer's machine."
    ),
    "configuration": "That users run it with the same flags, configuration and environment.",
    "time": "The dates. They are those of the signer's clock.",
}
"""Each code with its sentence: what is listed is not proven."""
CODES: Final = tuple(SENTENCES)


def word(organisation: str, *, judged: bool) -> str:
    """The sentence in every answer of ``verify``: what remains the word of the party that made the run.

    Args:
        organisation: who made the run.
        judged: whether its record was judged again here.
    """
    again = "batchproof judged its record again" if judged else "Its record was NOT judged here"
    return (
        f"{organisation} made the run on its own machine. {again}. That the record is of this binary, and "
        f"that it was not the best of several, is the word of {organisation}."
    )
