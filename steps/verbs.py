"""The sentences of verbs: each stands above the verb that it says (``batchproof.specification.verbs``)."""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any

from pytest_bdd import step

from batchproof.profiles import verbs as verbs_of_profiles
from batchproof.specification.verbs import Spoken, spoken_of

if TYPE_CHECKING:
    from collections.abc import Callable


def saying(verbs: str, owner: type, one: Spoken) -> Callable[..., None]:
    """The step that calls a verb.

    Args:
        verbs: by which name steps ask for the object whose verb it is.
        owner: the class of that object.
        one: the verb, with a sentence of it.
    """

    def said(**given: Any) -> None:
        getattr(given.pop(verbs), one.verb)(**given, **one.fixed)

    said.__name__ = one.verb
    said.__wrapped__ = getattr(owner, one.verb)  # type: ignore[attr-defined]  # whose words explain it
    names = [verbs, *one.sentence.template.kinds]
    said.__signature__ = Signature(  # type: ignore[attr-defined]  # which arguments a step asks for
        [Parameter(name, Parameter.KEYWORD_ONLY) for name in names]
    )
    said.NOT_IN_PLACE = one.not_in_place  # type: ignore[attr-defined]  # as a module of steps says it
    return said


for name, owner in verbs_of_profiles().items():
    for spoken in spoken_of(owner):
        step(spoken.sentence)(saying(name, owner, spoken))
