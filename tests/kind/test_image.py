"""The image of batchproof judges what is mounted into it, with no right and a read-only root."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING, Any, Final

from test_action import Runner

from batchproof.control_plane.assets import Binaries
from batchproof.control_plane.progress import unseen
from batchproof.profiles.job import built_in
from batchproof.report.results import read_results

if TYPE_CHECKING:
    from pathlib import Path

CONFINED: Final = ("--read-only", "--user=65532", "--cap-drop=ALL", "--network=none")
CONFINED_TOO: Final = ("--security-opt=no-new-privileges",)
LOOK: Final = """
import json, os, stat
kernel = ("/proc", "/sys", "/dev")
found = [f"{path}/{name}" for path, _, names in os.walk("/") if not path.startswith(kernel) for name in names]
special = [one for one in found if os.lstat(one).st_mode & (stat.S_ISUID | stat.S_ISGID)]
writable = [one for one in ("/", "/opt/batchproof", "/etc", "/usr/bin") if os.access(one, os.W_OK)]
names = {"sh", "bash", "dash", "busybox"}
shells = [one for one in found if os.path.basename(one) in names and os.access(one, os.X_OK)]
print(json.dumps({"uid": os.getuid(), "special": special, "writable": writable, "shells": shells}))
"""
DESCRIPTOR: Final = """\
name: my-controller
version: "1.0.0"
organisation: Example Ltd
profiles: [job]
capabilities: []
start:
  argv:
    - /my/manager
    - --kubeconfig={kubeconfig}
    - --controllers=job-controller,ttl-after-finished-controller
    - --leader-elect=false
    - --use-service-account-credentials=false
    - --kube-api-content-type=application/json
    - --secure-port=0
  ready: {watches: [jobs, pods], within_s: 900}  # it only ends a hang
"""


def docker(*words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(["docker", *words], capture_output=True, text=True, check=False)
    assert not check or done.returncode == 0, f"{words}\n{done.stdout}{done.stderr}"
    return done


def python(image: str, program: str) -> Any:
    """What a program prints that the Python of a confined container runs."""
    entry = ("--entrypoint=/opt/batchproof/bin/python3", image, "-c", program)
    return json.loads(docker("run", "--rm", *CONFINED, *entry).stdout)


def test_a_mounted_controller_is_judged_in_a_confined_container(batchproof: str, tmp_path: Path) -> None:
    mine, results = tmp_path / "my", tmp_path / "results"
    mine.mkdir()
    results.mkdir()
    results.chmod(0o777)
    (mine / "controller.yaml").write_text(DESCRIPTOR)
    shutil.copy(
        Binaries(None, unseen).control_plane(built_in.CONTROLLERS)["kube-controller-manager"],
        mine / "manager",
    )
    mounts = (f"--volume={mine}:/my:ro", f"--volume={results}:/results")
    done = docker(
        *("run", "--rm", *CONFINED, *CONFINED_TOO, *mounts, batchproof),
        *("run", "-i", "/my/controller.yaml", "-k", "BAS-014 or FIN-001", "-n", "2"),
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "judging my-controller 1.0.0 on Kubernetes" in done.stderr
    recorded = read_results(results / "batchproof-results")
    assert {one.verdict for one in recorded.scenarios} == {"passed"}
    assert recorded.header.suite.installed == "wheel"
    assert recorded.header.suite.lock  # the libraries are the pinned ones


def test_it_writes_its_results_without_any_volume_of_the_user(batchproof: str) -> None:
    done = docker("run", "--rm", *CONFINED, batchproof, "run", "-k", "BAS-014", check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_action_judges_in_a_container_and_later_steps_call_the_same(
    batchproof: str, tmp_path: Path
) -> None:
    (tmp_path / "controller.yaml").write_text(DESCRIPTOR.replace("/my/manager", '"{descriptor_dir}/manager"'))
    built = Binaries(None, unseen).control_plane(built_in.CONTROLLERS)
    shutil.copy(built["kube-controller-manager"], tmp_path / "manager")
    given = {
        "implementation": "./controller.yaml",
        "expression": "BAS-014",
        "output": "out",
        "junit": "it.xml",
    }
    runner = Runner(tmp_path, image=batchproof, **given)
    for step in ("container", "judge", "told"):
        done = runner.run(step)
        assert done.returncode == 0, done.stdout + done.stderr
    assert runner.told() == {"verdict": "NO FAILURE", "page": "out/index.html"}
    assert (tmp_path / "out" / "index.html").stat().st_uid == os.getuid()
    assert (tmp_path / "it.xml").is_file()
    assert read_results(tmp_path / "out").header.suite.installed == "wheel"
    [folder] = (tmp_path / "path").read_text().split()
    again = subprocess.run(
        [f"{folder}/batchproof", "replay", "out"], cwd=tmp_path, capture_output=True, check=False
    )
    assert again.returncode == 0, again.stderr


def test_the_action_refuses_another_cluster_for_an_image(batchproof: str, tmp_path: Path) -> None:
    done = Runner(tmp_path, image=batchproof, cluster="kind", implementation="reference").run("container")
    assert done.returncode == 2
    assert "::error::with image, cluster can only be embedded, not kind" in done.stdout


def test_it_is_nobody_and_there_is_nothing_to_become_somebody_with(batchproof: str) -> None:
    assert python(batchproof, LOOK) == {"uid": 65532, "special": [], "writable": [], "shells": []}
    [inspected] = json.loads(docker("image", "inspect", batchproof).stdout)
    assert inspected["Config"]["User"] == "65532:65532"
    assert inspected["Size"] < 600e6  # docs/how-to/image.md says how large it is
    assert inspected["Config"]["Labels"]["org.opencontainers.image.title"] == "batchproof"


def test_its_bill_of_materials_lists_what_is_installed(batchproof: str) -> None:
    bill = python(batchproof, "print(open('/opt/batchproof/sbom.cdx.json').read())")
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    listed = {one["purl"] for one in bill["components"] if "purl" in one}
    there = python(
        batchproof,
        "import json; from importlib.metadata import distributions as d; "
        "print(json.dumps([[one.name, one.version] for one in d() if one.name != 'batchproof']))",
    )
    names = {
        f"pkg:pypi/{name.lower().replace('_', '-').replace('.', '-')}@{version}" for name, version in there
    }
    assert names
    assert names <= listed
    assert any(one.startswith("pkg:golang/k8s.io/apiserver") for one in listed)
    assert bill["metadata"]["component"]["hashes"]
