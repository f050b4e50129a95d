"""What the API server asks a webhook, and what it is answered."""

from __future__ import annotations

import base64

import orjson

from reference_controller.objects.resources import Resource
from reference_controller.objects.reviews import Answer, Asked, Webhook, configuration, read_review, written

QUEUES = Resource("scheduling.volcano.sh", "v1beta1", "queues")


def test_a_review_is_read_and_answered() -> None:
    request = {"uid": "u", "resource": {"resource": "queues"}, "operation": "DELETE", "name": "q"}
    read = read_review(orjson.dumps({"request": {**request, "object": None, "oldObject": {}}}))
    assert read == Asked("u", "queues", "DELETE", "q")
    refused = orjson.loads(written(read, Answer(("a", "b"))))["response"]
    assert refused == {"uid": "u", "allowed": False, "status": {"code": 403, "message": "a; b"}}
    changed = orjson.loads(written(read, Answer(spec={"weight": 1})))["response"]
    assert changed["allowed"]
    patch = orjson.loads(base64.b64decode(changed["patch"]))
    assert patch == [{"op": "add", "path": "/spec", "value": {"weight": 1}}]


def test_the_api_server_is_told_where_to_ask() -> None:
    of = Webhook(QUEUES, ("CREATE", "DELETE"))

    told = configuration("ValidatingWebhookConfiguration", "n", [of], "https://127.0.0.1:1/validate", "PEM")

    assert (told["kind"], told["metadata"]) == ("ValidatingWebhookConfiguration", {"name": "n"})
    [webhook] = told["webhooks"]
    assert webhook["rules"][0]["operations"] == ["CREATE", "DELETE"]
    assert webhook["rules"][0]["resources"] == ["queues"]
    assert webhook["clientConfig"] == {
        "url": "https://127.0.0.1:1/validate",
        "caBundle": base64.b64encode(b"PEM").decode(),
    }
