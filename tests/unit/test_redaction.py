"""What no history keeps, and how much is kept of what a process prints."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchproof.cell.logs import shorten
from batchproof.cell.redaction import REDACTED, redacted, scrubbed
from batchproof.cell.scenario_run import ScenarioRun
from batchproof.ground.resources import PODS, Resource
from batchproof.judgement.faults import Call
from batchproof.judgement.history import encode

if TYPE_CHECKING:
    from pathlib import Path

SECRETS = Resource("", "v1", "secrets")
ACCOUNTS = Resource("", "v1", "serviceaccounts")
TOKEN_REVIEWS = Resource("authentication.k8s.io", "v1", "tokenreviews")
VALUE = "dGhlIHZhbHVl"
JWT = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzeXN0ZW0ifQ.c2lnbmF0dXJl-_"
SECRET = {"metadata": {"name": "a", "uid": "1"}, "type": "Opaque", "data": {"key": VALUE, "empty": ""}}
APPLIED = {"annotations": {"kubectl.kubernetes.io/last-applied-configuration": VALUE, "b": "c"}, "name": "a"}


@pytest.mark.parametrize(
    ("resource", "subresource", "body", "kept"),
    [
        (SECRETS, "", SECRET, SECRET | {"data": {"key": REDACTED, "empty": ""}}),
        (SECRETS, "", {"stringData": {"key": VALUE}}, {"stringData": {"key": REDACTED}}),
        (SECRETS, "", {"items": [SECRET]}, {"items": [SECRET | {"data": {"key": REDACTED, "empty": ""}}]}),
        (SECRETS, "", {"data": {"key": None}}, {"data": {"key": None}}),
        (SECRETS, "", {"data": VALUE}, {"data": REDACTED}),
        (
            SECRETS,
            "",
            [{"op": "add", "path": "/data/key", "value": VALUE}, {"op": "remove", "path": "/data/a"}],
            [
                {"op": "add", "path": "/data/key", "value": REDACTED},
                {"op": "remove", "path": "/data/a", "value": REDACTED},
            ],
        ),
        (
            SECRETS,
            "",
            {"metadata": APPLIED},
            {
                "metadata": APPLIED
                | {"annotations": {**dict.fromkeys(APPLIED["annotations"], REDACTED), "b": "c"}}
            },
        ),
        (SECRETS, "", None, None),
        (ACCOUNTS, "token", {"status": {"token": VALUE, "expirationTimestamp": "t"}}, None),
        (ACCOUNTS, "token", {"spec": {}, "status": {}}, {"spec": {}, "status": {}}),
        (ACCOUNTS, "token", None, None),
        (TOKEN_REVIEWS, "", {"spec": {"token": VALUE}}, {"spec": {"token": REDACTED}}),
        (PODS, "", {"data": {"key": VALUE}}, {"data": {"key": VALUE}}),
    ],
)
def test_values_go_and_keys_stay(resource: Resource, subresource: str, body: Any, kept: Any) -> None:
    before = orjson.dumps(body)
    found = redacted(resource, subresource, body)
    if kept is not None or body is None:
        assert found == kept
    assert VALUE.encode() not in orjson.dumps(found) or resource == PODS
    assert orjson.dumps(body) == before  # what is passed on is not what is kept


KEYS = st.sampled_from(
    ["data", "stringData", "metadata", "annotations", "items", "value", "status", "token", "a"]
)
BODIES = st.recursive(
    st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner)
)


@given(BODIES)
def test_any_body_can_be_kept(body: Any) -> None:
    for resource, subresource in ((SECRETS, ""), (ACCOUNTS, "token"), (TOKEN_REVIEWS, "")):
        redacted(resource, subresource, body)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (f"token: {JWT} refused", "token: (redacted) refused"),
        ("Authorization: Bearer abcdefghijk\nnext", "Authorization: Bearer (redacted)\nnext"),
        ("a\n-----BEGIN EC PRIVATE KEY-----\nMHc\n-----END EC PRIVATE KEY-----\nb", "a\n(redacted)\nb"),
        ("-----BEGIN PRIVATE KEY-----\nMHc", "(redacted)"),
        ("eyJ is no token; the bearer of news", "eyJ is no token; the bearer of news"),
    ],
)
def test_what_a_program_prints_is_kept_without_tokens(said: str, kept: str) -> None:
    assert scrubbed(said) == kept


def test_no_history_has_what_lets_anybody_in() -> None:
    async def told() -> bytes:
        scene = ScenarioRun("n", lambda: None)
        for call, asked, answered in (
            (Call("create", SECRETS, "", "n"), SECRET, SECRET),
            (Call("get", SECRETS, "", "n", "a"), None, SECRET),
            (Call("create", ACCOUNTS, "token", "n", "a"), {"spec": {}}, {"status": {"token": JWT}}),
            (Call("deletecollection", SECRETS, "", "n"), None, {"items": [SECRET]}),
        ):
            number = scene.asked(call, asked, "acme/1", instance=1)
            scene.answered(number, 200, effect=True, fault="", body=answered)
        scene.changed("ADDED", SECRETS, SECRET)
        scene.process(1, f"exited by itself: {JWT}")
        return encode(scene.history)

    history = asyncio.run(told())
    assert VALUE.encode() not in history
    assert b"eyJ" not in history
    assert history.count(REDACTED.encode()) == 7


def test_of_a_large_log_the_middle_is_left_out_and_its_writer_writes_on(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("ab", buffering=0) as writer:
        writer.write(b"first\n" + b"x" * 4000 + b"\nlast\n")
        shorten(log, 4096)
        assert log.stat().st_size == 4012
        shorten(log, 2000)
        kept = log.read_bytes()
        assert kept.startswith(b"first\nx")
        assert kept.endswith(b"x\nlast\n")
        assert b"[batchproof keeps 2000 bytes of a log: 3012 bytes are left out here]" in kept
        assert len(kept) < 2000
        writer.write(b"on\n")
    assert log.read_bytes() == kept + b"on\n"


def test_a_log_that_is_not_there_is_not_shortened(tmp_path: Path) -> None:
    shorten(tmp_path / "none")
    assert not list(tmp_path.iterdir())
