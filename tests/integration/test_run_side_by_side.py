"""Many instances of an implementation, and many runs, side by side: none knows of another."""

from __future__ import annotations

import re
from textwrap import dedent
from typing import TYPE_CHECKING

from batchproof.descriptor.implementation import find, load

if TYPE_CHECKING:
    from pathlib import Path

    from runs import Start

SIXTEEN = " or ".join(f"BAS-0{number}" for number in (14, 15, 16, 17, 18, 19, 20, 28, 50, 51, 53))
CELL = re.compile(r"bp-[0-9a-f]{6}-[a-z]+[0-9]*(?=-)")
"""How the namespaces and the node of a cell begin."""

SPY = """
    # The reference controller, beside threads that write down all that a client can see.
    import json, os, pathlib, runpy, sys, threading, urllib.request
    from reference_controller.runtime.kubeconfig import load

    server = load(pathlib.Path(sys.argv[-1]))
    seen = open(os.path.join(os.environ["SPIED"], str(os.getpid())), "w", buffering=1)
    core, batch = server.url + "/api/v1", server.url + "/apis/batch/v1"

    def get(url):
        headers = {"Accept": "application/json", **server.headers}
        return urllib.request.urlopen(urllib.request.Request(url, headers=headers), context=server.tls)

    def look():
        for url in [core + "/" + name for name in ("namespaces", "nodes", "pods")] + [batch + "/jobs"]:
            for item in json.load(get(url))["items"]:
                print("list", url, item["metadata"], file=seen)

    def watch(url):
        look()
        for line in get(url + "?watch=1"):
            print("watch", url, line.decode(), file=seen)
            look()  # at whatever happens: by the clock it might come too late

    for url in (core + "/pods", core + "/namespaces"):
        threading.Thread(target=watch, args=(url,), daemon=True).start()
    runpy.run_module("reference_controller", run_name="__main__", alter_sys=True)
"""
SPYING = """
    name: spy
    version: "1"
    organisation: nobody
    profiles: [job]
    start:
      argv: ["{python}", "{descriptor_dir}/spy.py", "job", "--kubeconfig", "{kubeconfig}"]
      env: {SPIED: "{descriptor_dir}/spied"}
      ready: {watches: [jobs, pods], within_s: 900}  # it only ends a hang
"""


def test_sixteen_instances_of_kube_controller_manager_work_side_by_side(start: Start) -> None:
    run = start("run", "-i", "kube-controller-manager", "-k", SIXTEEN, "-n", "16")
    assert run.end() == 0, run.said
    waived = {one["id"] for one in run.scenarios if one["reason"] == "waived"}
    assert waived <= {one.scenario for one in load(find("kube-controller-manager")).deviations}
    assert {one["verdict"] for one in run.scenarios if one["id"] not in waived} == {"passed"}
    cells = {path.name: set(CELL.findall(path.read_text())) for path in (run.output / "histories").iterdir()}
    assert all(len(names) == 1 for names in cells.values()), cells
    assert len(set.union(*cells.values())) == 16, cells  # a retried scenario is one more history of some cell
    run.nothing_is_left()


def test_no_instance_sees_anything_of_another(start: Start, tmp_path: Path) -> None:
    (tmp_path / "spy.py").write_text(dedent(SPY))
    (tmp_path / "spy.yaml").write_text(dedent(SPYING))
    spied = tmp_path / "spied"
    spied.mkdir()
    # In each pods run, and none ends a process: a run that gets any of them observes a node, pods and a Job.
    few = "BAS-014 or BAS-015 or BAS-019 or BAS-020 or BAS-051"
    run = start("run", "-i", tmp_path / "spy.yaml", "-k", few, "-n", "4")
    assert run.end() == 0, run.said
    told = [path.read_text() for path in spied.iterdir()]
    assert len(told) == 4
    cells = [set(CELL.findall(text)) for text in told]
    assert all(len(names) == 1 for names in cells), cells
    assert len(set.union(*cells)) == 4, "the spies saw different cells"
    for text in told:
        kinds = set(re.findall(r"^(list|watch) https://\S+/(\w+) ", text, re.MULTILINE))
        assert kinds >= {("list", "namespaces"), ("list", "nodes"), ("list", "pods"), ("list", "jobs")}
        assert ("watch", "pods") in kinds
        assert "'default'" not in text
        assert "'kube-system'" not in text


def test_two_runs_at_once_do_not_disturb_each_other(start: Start) -> None:
    first, second = (start("run", "-i", "reference", "-k", "FIN-001 or BAS-014", "-n", "2") for _ in "12")
    for run in (first, second):
        assert run.end() == 0, run.said
        assert set(run.verdicts().values()) == {"passed"}
        run.nothing_is_left()


def test_a_job_of_hundreds_of_pods_is_judged_apart_from_all_others(start: Start) -> None:
    run = start("run", "-i", "reference", "-k", "FIN-010 or BAS-016 or BAS-053", "-n", "2")
    assert run.end() == 0, run.said
    places = {path.name.partition("-reference-")[0] for path in (run.output / "logs").iterdir()}
    apart = {name for name in places if name.endswith("-apart")}
    assert len(apart) == 1, places
    assert len(places) > 1, places
    run.nothing_is_left()
