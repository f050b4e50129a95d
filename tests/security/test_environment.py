"""What is judged is given none of the user's secrets, and no way to the credentials of the control plane."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from textwrap import dedent
from typing import Any

import pytest

pytestmark = pytest.mark.quick

SECRETS = {
    "AWS_SECRET_ACCESS_KEY": "secret-1",
    "GITHUB_TOKEN": "secret-2",
    "KUBECONFIG": "/home/user/secret-3",
    "SSH_AUTH_SOCK": "/run/secret-4",
    "KUBERNETES_SERVICE_HOST": "secret-5",
}
SPY = """
    import json, os, sys
    from pathlib import Path

    def near(text):
        places = [Path(word) for word in text.replace("=", " ").replace(":", " ").split() if "/" in word]
        around = {one for place in places for one in (place, *place.parents)}
        return [str(one) for one in around if (one / "plane.json").exists() or list(one.glob("plane-*"))]

    text = " ".join([*sys.argv, *os.environ.values(), os.getcwd()])
    told = {"environment": dict(os.environ), "near": near(text)}
    Path(sys.argv[1]).write_text(json.dumps(told))
    print("\\x1b]0;owned\\x07\\u202eover")
"""


@pytest.fixture(scope="module")
def spied(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], str]:
    """What a program saw of its surroundings when it was started to be judged, and what was printed then."""
    folder = tmp_path_factory.mktemp("spied")
    (folder / "spy.py").write_text(dedent(SPY))
    (folder / "spy.yaml").write_text(
        json.dumps(
            {
                "name": "spy",
                "version": "1",
                "organisation": "Me",
                "profiles": ["job"],
                "start": {
                    "argv": ["{python}", "{descriptor_dir}/spy.py", "{descriptor_dir}/told", "{kubeconfig}"],
                    "env": {"OWN": "own", "PYTHONUTF8": "1"},
                    "pass_env": ["WANTED"],
                },
            }
        )
    )
    ended = subprocess.run(
        [sys.executable, "-m", "batchproof", "smoke", str(folder / "spy.yaml")],
        env={**os.environ, **SECRETS, "WANTED": "wanted"},
        capture_output=True,
        check=False,
    )
    assert (folder / "told").exists(), ended.stdout + ended.stderr
    told: dict[str, Any] = json.loads((folder / "told").read_text())
    return told, (ended.stdout + ended.stderr).decode()


def test_no_variable_of_the_user_reaches_it(spied: tuple[dict[str, Any], str]) -> None:
    environment: dict[str, str] = spied[0]["environment"]
    assert "secret" not in json.dumps(environment)
    free = {name for name in environment if name not in {"LANG", "LANGUAGE", "TZ", "LD_LIBRARY_PATH"}}
    own = {"PATH", "HOME", "TMPDIR", "KUBECONFIG", "OWN", "PYTHONUTF8", "WANTED", "BATCHPROOF_RUN"}
    assert {name for name in free if not name.startswith("LC_")} == own
    assert (environment["OWN"], environment["WANTED"]) == ("own", "wanted")
    assert environment["HOME"] != os.environ["HOME"]


def test_nothing_that_it_is_given_leads_to_the_credentials_of_the_control_plane(
    spied: tuple[dict[str, Any], str],
) -> None:
    assert spied[0]["near"] == []


def test_what_it_prints_is_shown_harmlessly(spied: tuple[dict[str, Any], str]) -> None:
    assert r"\x1b]0;owned\x07\u202eover" in spied[1]
    assert not {"\x1b", "\x07", "\u202e"} & set(spied[1])
