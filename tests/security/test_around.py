"""Writes around the proxy are found, and no history that a run publishes lets anybody in."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest
import waiting
from runs import Run

from batchproof.descriptor.implementation import load
from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator

# Its parent has started the API server too, as the same user: batchproof is no sandbox.
AROUND = """
    import asyncio, json, os, pathlib, runpy, ssl, sys, threading, time, urllib.error, urllib.request
    from reference_controller.runtime.client import ApiClient
    from reference_controller.runtime.kubeconfig import load

    def siblings():
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
                words = (process / "cmdline").read_text().split("\\0")
            except OSError:
                continue
            if parent == os.getppid() and words[0].endswith("kube-apiserver"):
                yield process, words

    [(process, words)] = siblings()
    port = next(word for word in words if word.startswith("--secure-port=")).partition("=")[2]
    stolen = json.loads(((process / "cwd").resolve().parent / "plane.json").read_text())["token"]
    trusting = ssl._create_unverified_context()
    door = load(pathlib.Path(sys.argv[-1]))

    def namespaces():
        asked = urllib.request.Request(door.url + "/api/v1/namespaces", headers=door.headers)
        with urllib.request.urlopen(asked, context=door.tls) as reply:
            return [item["metadata"]["name"] for item in json.load(reply)["items"]]

    def stamp():
        log = (process / "cwd").resolve() / "audit.log"
        stamps = [json.loads(line)["auditID"] for line in log.read_text().splitlines()[:-1]]
        return {"Audit-ID": stamps[-1]} if os.environ["STAMPED"] == "True" else {}

    written = set()

    def write():
        while True:
            try:
                known = stamp()
                for namespace in set(namespaces()) - written:
                    body = json.dumps({"metadata": {"name": "around"}}).encode()
                    headers = {"Authorization": "Bearer " + stolen, "User-Agent": "thief/1", **known}
                    url = f"https://127.0.0.1:{port}/api/v1/namespaces/{namespace}/configmaps"
                    headers["Content-Type"] = "application/json"
                    asked = urllib.request.Request(url, body, headers)
                    try:
                        urllib.request.urlopen(asked, context=trusting)
                    except urllib.error.HTTPError as error:
                        if error.code != 409:  # else an earlier start of this has written it
                            continue
                    written.add(namespace)
            except (OSError, IndexError):
                pass  # it could not reach one of them at this moment, or nothing is noted yet
            time.sleep(0.01)

    request = ApiClient.request

    async def request_after_it(self, method, path, *more):
        # Whichever of the two is quicker: the Job is not carried out before something was written around.
        while method != "GET" and not any(f"/namespaces/{namespace}/" in path for namespace in written):
            await asyncio.sleep(0.01)
        return await request(self, method, path, *more)

    ApiClient.request = request_after_it
    threading.Thread(target=write, daemon=True).start()
    runpy.run_module("reference_controller", run_name="__main__", alter_sys=True)
"""
LETS_IN = {
    "a JSON Web Token": rb"eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]+",
    "a bearer token": rb"[Bb]earer [\w.~+/=-]{8,}",
    "a private key": rb"PRIVATE KEY",
    "a private key in base64": rb"LS0tLS1CRUdJTi",
}
SSH = "VOL-044"
DESCRIPTOR = {"name": "around", "version": "1", "organisation": "nobody", "profiles": ["job"]}


@pytest.fixture
def started() -> Iterator[list[Run]]:
    """The runs of a test; what still runs of them in the end is killed."""
    runs: list[Run] = []
    yield runs
    for run in runs:
        run.wipe()


@pytest.mark.parametrize("stamped", [False, True], ids=["with no stamp", "with one of the audit log"])
def test_a_scenario_in_which_it_writes_around_the_proxy_is_errored(
    started: list[Run], tmp_path: Path, *, stamped: bool
) -> None:
    (tmp_path / "around.py").write_text(dedent(AROUND))
    argv = ["{python}", "{descriptor_dir}/around.py", "job", "--kubeconfig", "{kubeconfig}"]
    start = {"argv": argv, "env": {"STAMPED": str(stamped)}, "ready": {"within_s": waiting.HANGS_S}}
    (tmp_path / "it.yaml").write_text(json.dumps({**DESCRIPTOR, "start": start}))
    run = Run.start(tmp_path / "run", ["run", "-i", tmp_path / "it.yaml", "-k", "BAS-014", "-n", "1"], {})
    started.append(run)
    assert run.end() != 0, run.said
    assert run.scenarios
    assert len(run.plays) == len(run.scenarios)  # it is not played again, for then it might behave
    for one in run.scenarios:
        assert one["verdict"] == "errored", one
        assert one["reason"].startswith("written around the proxy: create configmaps bp-")
        assert "/around by thief/1 as batchproof" in one["error"]
        assert one["unmet"] is None
    assert run.report["verdict"]["conformity"] == "not-proven"
    again = Run.start(tmp_path / "again", ["replay", run.output], {})
    started.append(again)
    again.end()
    assert "all as recorded" in again.said, again.said


@pytest.mark.parametrize(
    "flag",
    [
        "--audit-log-maxsize=1",
        "--audit_log_path=/dev/null",
        "--audit-webhook-config-file=/tmp/mine",
        "--client-ca-file=/tmp/mine.crt",
        "--token-auth-file=/tmp/mine.csv",
        "--authentication-config=/tmp/mine",
        "--authorization-mode=AlwaysAllow",
        "--anonymous-auth=true",
        "--bind-address=0.0.0.0",
        "--etcd-servers=http://127.0.0.1:1",
        "--service-account-key-file=/tmp/mine.key",
        "--requestheader-client-ca-file=/tmp/mine.crt",
    ],
)
@pytest.mark.quick
def test_no_descriptor_decides_who_is_let_in_and_what_is_noted(tmp_path: Path, flag: str) -> None:
    start = {"argv": ["{python}", "-m", "reference_controller", "job", "--kubeconfig", "{kubeconfig}"]}
    descriptor = {**DESCRIPTOR, "start": start, "control_plane": {"api_server_flags": [flag]}}
    (tmp_path / "it.yaml").write_text(json.dumps(descriptor))
    with pytest.raises(UserError, match=r"it.yaml:1: .*api_server_flags: a descriptor cannot set"):
        load(tmp_path / "it.yaml")


def test_no_history_of_a_run_lets_anybody_in(started: list[Run], tmp_path: Path) -> None:
    run = Run.start(tmp_path / "run", ["run", "-i", "reference-volcano-job", "-k", SSH, "-n", "1"], {})
    started.append(run)
    assert run.end() == 0, run.said
    histories = list((run.output / "histories").iterdir())
    assert any(b'"secrets"' in history.read_bytes() for history in histories)
    assert any(b"(redacted)" in history.read_bytes() for history in histories)
    for path in run.output.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            found = [what for what, pattern in LETS_IN.items() if re.search(pattern, content)]
            assert not found, path
    assert stat.S_IMODE(run.output.stat().st_mode) == 0o700


LEAVES = """
    import os, pathlib, sys, time

    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            pathlib.Path("daemon").write_text(str(os.getpid()))
            os.execve("/bin/sleep", ["sleep", "3600"], {})  # longer than its end is waited for
        os._exit(0)
    time.sleep(3600)
"""
KEEPER = """
    import pathlib, subprocess, sys
    from batchproof.processes.environment import bare
    from batchproof.processes.programs import run_directory, spawn
    from waiting import eventually

    RUNS, STANDS_STILL, GONE = {"R", "S", "D"}, {"T"}, {"gone"}  # one that sleeps or waits for a disk too

    def state():
        try:
            return pathlib.Path(f"/proc/{daemon}/stat").read_text().rpartition(")")[2].split()[0]
        except (OSError, IndexError):
            return "gone"

    def becomes(states):
        eventually(f"the daemon becomes {states}", lambda: state() in states)

    here, said = pathlib.Path.cwd(), pathlib.Path("daemon")
    with run_directory() as run:
        tool = subprocess.Popen(["sleep", "3600"])
        beside = spawn(["sleep", "3600"], run_dir=run.path, name="etcd", log=here / "log", env=bare(here))
        it = spawn(
            [sys.executable, "leaves.py"],
            run_dir=run.path, name="it", log=here / "log", env=bare(here), cwd=here, trusted=False,
        )
        try:
            daemon = int(eventually("the daemon is there", lambda: said.exists() and said.read_text()))
            becomes(RUNS)
            for act, states in ((it.pause, STANDS_STILL), (it.wake, RUNS), (it.kill, GONE)):
                act()
                becomes(states)
            print(tool.poll(), beside.alive)
        finally:
            tool.kill()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says whose child an orphan becomes")
@pytest.mark.quick
def test_what_leaves_its_group_and_its_environment_stands_still_and_dies_with_it(tmp_path: Path) -> None:
    (tmp_path / "leaves.py").write_text(dedent(LEAVES))
    keeper = [sys.executable, "-c", dedent(KEEPER)]
    around = {
        **os.environ,
        "BATCHPROOF_RUNS": str(tmp_path / "runs"),
        "PYTHONPATH": str(Path(waiting.__file__).parent),
    }
    ended = subprocess.run(keeper, cwd=tmp_path, env=around, capture_output=True, text=True, check=False)
    assert ended.stdout.split() == ["None", "True"], ended.stderr
