"""The verbs about JobSets: what their users do, and what the kubelet does to the pods of their Jobs."""

from __future__ import annotations

from copy import deepcopy

from batchproof.api.client import STRATEGIC_MERGE_PATCH
from batchproof.ground.resources import JOBS
from batchproof.judgement.claims import eventually
from batchproof.profiles.jobset.bodies import POD, jobset_body, jobset_spec
from batchproof.profiles.jobset.facts.jobs import PREFIX, children, jobset, jobset_jobs, jobset_pods, pods_of
from batchproof.profiles.jobset.facts.life import jobset_foreign_runs
from batchproof.profiles.jobset.facts.network import jobset_service, services_of
from batchproof.profiles.jobset.objects import JOBSETS, JobSet
from batchproof.profiles.jobset.specs import JobSetSpec, Labels
from batchproof.profiles.shared.names import JOB
from batchproof.profiles.shared.objects.batch import Job
from batchproof.profiles.shared.objects.services import SERVICES
from batchproof.profiles.shared.verbs import Pods
from batchproof.specification.verbs import verb
from batchproof.world import World

_FINALIZER = "batchproof.dev/kept"


class JobSets:
    """One JobSet."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._wanted = JobSetSpec(replicas=())

    # -- what users do

    @verb("{jobset:a_jobset}")
    def create(self, jobset: JobSetSpec) -> None:
        """Create the JobSet."""
        self._wanted = jobset
        counts = ", ".join(f"{name}={count}" for name, count in jobset.replicas)
        self._world.act(f"creates JobSet {JOB} {counts} {jobset_spec(jobset) or ''}".rstrip())
        self._world.create(JOBSETS, jobset_body(JOB, jobset))

    @verb("the user creates the same JobSet again")
    def create_again(self) -> None:
        """Create a JobSet of the same name and spec as before."""
        self.create(self._wanted)

    @verb("the user deletes the JobSet")
    def delete(self) -> None:
        """Delete the JobSet; its Jobs are left to the garbage collector."""
        self._world.act(f"deletes JobSet {JOB}")
        self._world.remove(JOBSETS, JOB, propagation="Background")

    @verb("the user deletes the JobSet with all that was made for it")
    def delete_with_all(self) -> None:
        """Delete the JobSet, and its Jobs and its service as a garbage collector does."""
        made = [*children(self._world.seen), *services_of(self._world.seen)]
        self.delete()
        for thing in made:
            self._world.remove(
                JOBS if isinstance(thing, Job) else SERVICES, thing.name, propagation="Background"
            )

    @verb("a JobSet of the same name fails in another namespace")
    def create_twin(self) -> None:
        """Create a JobSet of the same name in another namespace, whose one Job fails after 1 second."""
        place = f"{self._world.scene.namespace}-twin"
        body = jobset_body(JOB, JobSetSpec(replicas=(("workers", 1),)))
        body["spec"]["replicatedJobs"][0]["template"]["spec"]["activeDeadlineSeconds"] = 1
        self._world.act("creates a JobSet of the same name in another namespace, which fails")
        self._world.do(self._world.cell.make_namespace(place))
        self._world.do(self._world.cell.api.create(JOBSETS.path(place), body))

    @verb("the user suspends the JobSet", suspended=True)
    @verb("the user resumes the JobSet", suspended=False)
    def suspend(self, *, suspended: bool) -> None:
        """Suspend the JobSet, or resume it."""
        self._world.act(f"{'suspends' if suspended else 'resumes'} JobSet {JOB}")
        self._world.patch(JOBSETS, JOB, {"spec": {"suspend": suspended}})

    @verb("the user gives the JobSet the ttlSecondsAfterFinished {kept_s:d}")
    def keep(self, kept_s: int) -> None:
        """Change how many seconds the JobSet is kept after it has finished."""
        self._world.act(f"gives JobSet {JOB} ttlSecondsAfterFinished={kept_s}")
        self._world.patch(JOBSETS, JOB, {"spec": {"ttlSecondsAfterFinished": kept_s}})

    @verb("the user annotates the JobSet")
    def annotate(self) -> None:
        """Annotate the JobSet: a write of another client, after which the implementation looks at it."""
        self._world.act("annotates the JobSet")
        annotations = {"batchproof.dev/touched": f"after-{self._world.seen.last}"}
        self._world.patch(JOBSETS, JOB, {"metadata": {"annotations": annotations}})

    @verb("the user changes the labels of the JobSet")
    def label(self) -> None:
        """Give the JobSet a label that means nothing to its controller."""
        self._world.act("labels the JobSet")
        self._world.patch(JOBSETS, JOB, {"metadata": {"labels": {"batchproof.dev/team": "blue"}}})

    @verb("the user selects nodes by {selector:node_labels} for pods of {name:replicated}")
    def select_nodes(self, name: str, selector: Labels) -> None:
        """Change on which nodes the pods of a ReplicatedJob may run, instead of what was said before."""
        listed = deepcopy(self._there().spec["replicatedJobs"])
        for one in listed:
            if one["name"] == name:
                one["template"]["spec"]["template"]["spec"]["nodeSelector"] = dict(selector)
        self._world.act(f"lets pods of {name} run on nodes with {dict(selector)}")
        self._world.patch(JOBSETS, JOB, {"spec": {"replicatedJobs": listed}})

    @verb("the user gives pods of {name:replicated} {what:pod_change}")
    def change_pods(self, name: str, what: str) -> None:
        """Change where the pods of a ReplicatedJob may run, or what is said of them."""
        listed = deepcopy(self._there().spec["replicatedJobs"])
        template = next(one["template"]["spec"]["template"] for one in listed if one["name"] == name)
        metadata, spec = template.setdefault("metadata", {}), template["spec"]
        match what:
            case "a label":
                metadata["labels"] = {"batchproof.dev/rack": "third"}
            case "an annotation":
                metadata["annotations"] = {"batchproof.dev/rack": "third"}
            case "a toleration":
                spec["tolerations"] = [
                    *spec["tolerations"],
                    {"key": "batchproof.dev/rack", "operator": "Exists"},
                ]
            case "another toleration":  # in place of any that the user has given before
                spec["tolerations"] = [
                    *POD["tolerations"],
                    {"key": "batchproof.dev/row", "operator": "Exists"},
                ]
            case _:
                spec["schedulingGates"] = [{"name": "batchproof.dev/rack"}]
        self._world.act(f"gives pods of {name} {what}")
        self._world.patch(JOBSETS, JOB, {"spec": {"replicatedJobs": listed}})

    @verb("the user deletes Job {name:child} of the JobSet")
    def delete_job(self, name: str) -> None:
        """Delete a child Job with its pods."""
        self._world.act(f"deletes Job {JOB}-{name}")
        self._world.remove(JOBS, f"{JOB}-{name}", propagation="Background")

    @verb("another client takes Job {name:child} from the JobSet")
    def take_job(self, name: str) -> None:
        """Take the controller from a child Job."""
        self._world.act(f"takes the controller from Job {JOB}-{name}")
        self._world.patch(JOBS, f"{JOB}-{name}", {"metadata": {"ownerReferences": None}})

    @verb("the user deletes the service of the JobSet")
    def delete_service(self) -> None:
        """Delete the service of the JobSet; waits until it is there."""
        name = self._wanted.subdomain or JOB
        self._world.claim(eventually(jobset_service(name=name)))
        self._world.act(f"deletes service {name}")
        self._world.remove(SERVICES, name)

    @verb("a user creates service {name:name}")
    def create_service(self, name: str) -> None:
        """Create a service which no JobSet controls."""
        self._world.act(f"creates service {name}")
        spec = {"clusterIP": "None", "selector": {"batchproof.dev/of": "the-user"}}
        body = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": name}, "spec": spec}
        self._world.create(SERVICES, body)

    @verb("the user adds a finalizer to Job {name:child} of the JobSet", kept=True)
    @verb("the user removes the finalizer of Job {name:child} of the JobSet", kept=False)
    def keep_job(self, name: str, *, kept: bool) -> None:
        """Put a finalizer on the Job of this name, or take it off, while a controller may change the Job."""
        self._world.act(f"{'adds a finalizer to' if kept else 'removes the finalizer of'} Job {JOB}-{name}")
        job = next((it for it in self._world.seen.all(Job) if it.name == f"{JOB}-{name}"), None)
        job = self._world.found(job, f"Job {JOB}-{name}")
        what = "finalizers" if kept else "$deleteFromPrimitiveList/finalizers"
        change = {"metadata": {what: [_FINALIZER]}}
        self._world.patch(JOBS, job.name, change, content_type=STRATEGIC_MERGE_PATCH)

    @verb("a user creates Job {name:name} with the labels of a Job of {replicated:replicated}")
    def create_foreign(self, name: str, replicated: str) -> None:
        """Create a Job with the labels of a child Job, which no JobSet controls."""
        self._world.act(f"creates Job {name} with the labels of the JobSet")
        labels = {
            f"{PREFIX}jobset-name": JOB,
            f"{PREFIX}replicatedjob-name": replicated,
            f"{PREFIX}job-index": "0",
            f"{PREFIX}restart-attempt": "0",
        }
        self._world.create(
            JOBS,
            {
                "apiVersion": JOBS.api_version,
                "kind": "Job",
                "metadata": {"name": name, "labels": labels},
                "spec": {"backoffLimit": 0, "template": {"spec": POD}},
            },
        )

    # -- what the kubelet does

    @verb("the pods of Job {name:child} run")
    def run(self, name: str) -> None:
        """The pods of a child Job run and are ready; waits until all of them are there."""
        self._world.claim(eventually(jobset_pods(job=name, count=self._wanted.pods)))
        self._world.verbs(Pods).start_pods(pods_of(self._world.seen, name))

    @verb("the pods of Job {name:child} are not ready any more")
    def unready(self, name: str) -> None:
        """The pods of a child Job run on, and are not ready."""
        self._world.verbs(Pods).start_pods(pods_of(self._world.seen, name), ready=False)

    @verb("the node of Job {name:child} cannot be reached")
    def lose_contact(self, name: str) -> None:
        """The node controller hears nothing of the kubelet: the pods are Unknown, and not ready."""
        self.unready(name)
        self._world.verbs(Pods).set_phase(pods_of(self._world.seen, name), "Unknown")

    @verb("the containers of Job {name:child} have been restarted {times:d} [time|times]")
    def restart(self, name: str, times: int) -> None:
        """The kubelet has restarted the containers of a child Job's pods so often, in place."""
        self._world.verbs(Pods).restart_pods(pods_of(self._world.seen, name), times)

    @verb("PodGC marks the pods of Job {name:child} as failed")
    def collect(self, name: str) -> None:
        """The pods of a child Job are Failed though no container has ended: their node is gone."""
        self._world.verbs(Pods).set_phase(pods_of(self._world.seen, name), "Failed")

    @verb("1 pod of Job {name:child} succeeds", exit_code=0)
    @verb("1 pod of Job {name:child} fails", exit_code=1)
    def end_one(self, name: str, *, exit_code: int) -> None:
        """One pod of a child Job ends, and the others run; waits until they are there."""
        self.run(name)
        self._world.verbs(Pods).end_pods(pods_of(self._world.seen, name)[:1], exit_code=exit_code)

    @verb("the pods of all Jobs of the JobSet run")
    def run_all(self) -> None:
        """The pods of all child Jobs run; waits until there is a Job for each replica."""
        self._world.claim(eventually(jobset_jobs(jobs=self._wanted.jobs)))
        for name in self._wanted.jobs:
            self.run(name)

    @verb("the pods of Job {name:child} succeed", exit_code=0)
    @verb("the pods of Job {name:child} fail", exit_code=1)
    @verb("the pods of Job {name:child} fail with exit code {exit_code:d}")
    def end(self, name: str, *, exit_code: int) -> None:
        """All pods of a child Job end, so that the Job does; waits until they are there."""
        self.run(name)
        self._world.verbs(Pods).end_pods(pods_of(self._world.seen, name), exit_code=exit_code)

    @verb("the pods of all Jobs of the JobSet fail", exit_code=1)
    def end_all(self, *, exit_code: int) -> None:
        """The pods of all child Jobs end at the same time; waits until they are there."""
        self.run_all()
        pods = [pod for name in self._wanted.jobs for pod in pods_of(self._world.seen, name)]
        self._world.verbs(Pods).end_pods(pods, exit_code=exit_code)

    @verb("the pod of the user's Job {name:name} succeeds", exit_code=0)
    @verb("the pod of the user's Job {name:name} fails", exit_code=1)
    def end_foreign(self, name: str, *, exit_code: int) -> None:
        """The pod of a Job that no JobSet controls ends; waits until it is there."""
        self._world.claim(eventually(jobset_foreign_runs(job=name)))
        jobs = [it for it in self._world.seen.all(Job) if it.name == name]
        pods = [pod for job in jobs for pod in self._world.seen.owned(job).pods.values() if pod.active]
        self._world.verbs(Pods).end_pods(pods, exit_code=exit_code)

    def _there(self) -> JobSet:
        return self._world.found(jobset(self._world.seen), "the JobSet")
