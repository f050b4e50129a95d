"""Facts about the headless service of a JobSet, and about the host names of its pods."""

from __future__ import annotations

from batchproof.judgement.facts import Finding, fact, found, names_of
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import in_words
from batchproof.profiles.jobset.facts.jobs import PREFIX, children, is_child, jobset, labels_of
from batchproof.profiles.shared.objects.services import SERVICES, Service


def services_of(seen: Observed) -> list[Service]:
    """The services that the JobSet controls now."""
    it = jobset(seen)
    services = [one for one in seen.objects(SERVICES).values() if isinstance(one, Service)]
    return [one for one in services if it and one.owned_by(it) and not one.deleting]


@fact("the JobSet has one service, {name:name}, which is headless and selects all its pods")
def jobset_service(seen: Observed, *, name: str) -> Finding:
    """Its selector names the JobSet, and fits the pod template of each of its child Jobs."""
    it, services = jobset(seen), services_of(seen)
    templates = [(job.spec.get("template") or {}).get("metadata") or {} for job in children(seen)]
    holds = (
        it is not None
        and [one.name for one in services] == [name]
        and services[0].headless
        and services[0].selector.get(f"{PREFIX}jobset-name") == it.name
        and templates
        and all(services[0].selector.items() <= labels_of(metadata).items() for metadata in templates)
    )
    shown = ", ".join(
        f"{one.name} {' '.join(one.words)} selects {in_words(one.selector)}" for one in services
    )
    return found(holds, observed=shown or "no service", decisive=[one.record for one in services[:1]])


@fact("the service of the JobSet publishes addresses <that are not ready|of ready pods only>")
def jobset_publishes(seen: Observed) -> Finding:
    """PublishNotReadyAddresses is true in its spec."""
    services = services_of(seen)
    published = [one for one in services if one.spec.get("publishNotReadyAddresses")]
    return found(published, observed=names_of(published), decisive=[one.record for one in services[:1]])


@fact("<a|no> service of the JobSet has been created")
def jobset_service_made(seen: Observed) -> Finding:
    """The JobSet of this name has, or had, a service that it controls."""
    made = seen.versions(SERVICES).fold(_First).service
    return found(made, observed=made.name if made else "none", decisive=[made.record] if made else [])


class _First:
    """The first service that a JobSet controlled."""

    def __init__(self) -> None:
        self.service: ApiObject | None = None

    def take(self, _: str, service: ApiObject) -> None:
        if is_child(service):
            self.service = self.service or service


@fact("the pods of each Job of the JobSet are in the subdomain {name:name}")
def jobset_subdomain(seen: Observed, *, name: str) -> Finding:
    """The pod template of each child Job has this subdomain, and the Job has the indexes of host names."""
    jobs = children(seen)
    own = {job.name: ((job.spec.get("template") or {}).get("spec") or {}).get("subdomain") for job in jobs}
    return found(jobs and set(own.values()) == {name} and all(job.indexed for job in jobs), observed=own)
