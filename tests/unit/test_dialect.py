"""Dialects: templates that are filled, objects that are merged, and mistakes that are blamed."""

from __future__ import annotations

from fractions import Fraction
from textwrap import dedent, indent
from typing import TYPE_CHECKING, Any

import pytest

from batchproof.descriptor.dialect import Minimum, Sign, bundled, check, filled, merged, read
from batchproof.descriptor.implementation import load
from batchproof.descriptor.reading import Reading
from batchproof.ground import documents, suite
from batchproof.ground.documents import at
from batchproof.ground.errors import UserError
from batchproof.profiles.gang.verbs.setting import sums

if TYPE_CHECKING:
    from pathlib import Path

INLINE = """\
name: mine
scheduler: my-scheduler
group:
  apiVersion: example.com/v1
  kind: Crew
  resource: crews
  body:
    metadata: {labels: {size: "size-{minimum}"}}
    spec: {least: "{minimum}", line: "{queue}"}
  minimum: spec.least
member:
  metadata: {labels: {example.com/crew: "{group}"}}
"""
QUEUE = """\
queue:
  apiVersion: example.com/v2
  kind: Line
  resource: lines
  body: {spec: {share: "{weight}"}}
"""
JOB = """\
job: {spec: {crewed: "{minimum}"}}
"""
DESCRIPTOR = """\
name: mine
version: "1"
organisation: Me
profiles: [gang]
start: {argv: [mine]}
"""


def descriptor(folder: Path, dialect: str = INLINE, head: str = DESCRIPTOR) -> Path:
    """A descriptor whose dialect stands inline from its line 7 on."""
    path = folder / "mine.yaml"
    path.write_text(head + "dialect:\n" + indent(dialect, "  "))
    return path


# -- templates


@pytest.mark.parametrize(
    ("template", "values", "result"),
    [
        pytest.param({"min": "{minimum}"}, {"minimum": 3}, {"min": 3}, id="a number stays a number"),
        pytest.param({"min": "at-{minimum}"}, {"minimum": 3}, {"min": "at-3"}, id="part of a text"),
        pytest.param(
            {
                "metadata": {
                    "annotations": {"min": "{minimum}"},
                    "labels": {"min": "{minimum}", "q": "{queue}"},
                }
            },
            {"minimum": 3},
            {"metadata": {"annotations": {"min": "3"}, "labels": {"min": "3"}}},
            id="a number is text in annotations and labels",
        ),
        pytest.param({"a": "{x}/{y}"}, {"x": "1", "y": "2"}, {"a": "1/2"}, id="two in one text"),
        pytest.param({"q": "{queue}", "n": 1}, {"queue": None}, {"n": 1}, id="None leaves its key out"),
        pytest.param({"q": "{queue}", "n": 1}, {}, {"n": 1}, id="what is not given leaves its key out"),
        pytest.param({"q": "to-{queue}"}, {"queue": None}, {}, id="None leaves out the text around it"),
        pytest.param({"s": {"q": "{queue}"}}, {"queue": None}, {}, id="nor does an empty mapping stay"),
        pytest.param({"s": {}}, {}, {"s": {}}, id="what was empty stays"),
        pytest.param(["{queue}", "b"], {"queue": None}, ["b"], id="None leaves its item out"),
        pytest.param([{"name": "{group}"}], {"group": "a"}, [{"name": "a"}], id="in a list"),
        pytest.param({"q": "{queue|root.default}"}, {"queue": None}, {"q": "root.default"}, id="a default"),
        pytest.param({"q": "{queue|root.default}"}, {"queue": "q"}, {"q": "q"}, id="a default is not needed"),
        pytest.param({"q": "to-{queue|all}"}, {}, {"q": "to-all"}, id="a default in a text"),
        pytest.param(
            {"n": 1, "b": True, "f": 0}, {}, {"n": 1, "b": True, "f": 0}, id="what is no text stays"
        ),
        pytest.param({"a": "{not one}"}, {}, {"a": "{not one}"}, id="other braces are left alone"),
        pytest.param({"a": "{x}"}, {"x": "{y}", "y": "z"}, {"a": "{y}"}, id="a value is no template"),
    ],
)
def test_a_template_is_filled(template: Any, values: dict[str, Any], result: Any) -> None:
    assert filled(template, values) == result


def test_a_template_can_be_filled_again() -> None:
    template = {"spec": {"minMember": "{minimum}", "queue": "{queue}"}}

    filled(template, {"minimum": 1})

    assert filled(template, {"minimum": 2, "queue": "q"}) == {"spec": {"minMember": 2, "queue": "q"}}


@pytest.mark.parametrize(
    ("one", "other", "result"),
    [
        pytest.param({"a": {"b": 1}}, {"a": {"c": 2}}, {"a": {"b": 1, "c": 2}}, id="mappings are merged"),
        pytest.param({"a": [1]}, {"a": [2]}, {"a": [1, 2]}, id="lists are joined"),
        pytest.param({"a": 1}, {"a": 2}, {"a": 2}, id="else the other decides"),
        pytest.param({"a": {"b": 1}}, {"a": 2}, {"a": 2}, id="of two kinds the other decides"),
        pytest.param(
            {"a": {"b": {"c": [1]}}},
            {"a": {"b": {"c": [2], "d": 3}}},
            {"a": {"b": {"c": [1, 2], "d": 3}}},
            id="deep",
        ),
    ],
)
def test_two_objects_are_merged(one: dict[str, Any], other: dict[str, Any], result: dict[str, Any]) -> None:
    assert merged(one, other) == result


def test_merging_leaves_both_as_they_were() -> None:
    one, other = {"a": {"b": [1]}}, {"a": {"b": [2]}}

    merged(one, other)

    assert (one, other) == ({"a": {"b": [1]}}, {"a": {"b": [2]}})


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("spec.least", 3),
        ("spec", {"least": 3, "none": None}),
        ("spec.none", None),
        ("spec.most", None),
        ("spec.least.more", None),
        ("status.phase", None),
    ],
)
def test_what_stands_at_a_place(path: str, value: Any) -> None:
    assert at(path.split("."), {"spec": {"least": 3, "none": None}}) == value


# -- what is made of a dialect


def test_an_inline_dialect_spells_groups_queues_and_members(tmp_path: Path) -> None:
    dialect = load(descriptor(tmp_path, INLINE + QUEUE + JOB)).dialect

    assert dialect is not None
    assert (dialect.name, dialect.scheduler) == ("mine", "my-scheduler")
    assert dialect.minimum == Minimum("group", ("spec", "least"))
    assert dialect.group is not None
    assert dialect.group.object({"name": "a"}, minimum=3, queue=None) == {
        "apiVersion": "example.com/v1",
        "kind": "Crew",
        "metadata": {"name": "a", "labels": {"size": "size-3"}},
        "spec": {"least": 3},
    }
    assert dialect.group.resource.path("ns") == "/apis/example.com/v1/namespaces/ns/crews"
    assert dialect.group.resource.path("ns", "a") == "/apis/example.com/v1/namespaces/ns/crews/a"
    assert dialect.queue is not None
    assert dialect.queue.resource.path(name="q") == "/apis/example.com/v2/lines/q"
    assert dialect.queue.object({"name": "q"}, weight=2)["spec"] == {"share": 2}
    assert filled(dialect.member, {"group": "a"}) == {"metadata": {"labels": {"example.com/crew": "a"}}}
    assert dialect.job == {"spec": {"crewed": "{minimum}"}}


def test_where_nothing_is_said_a_pod_tells_that_it_cannot_be_scheduled(tmp_path: Path) -> None:
    dialect = load(descriptor(tmp_path)).dialect

    assert dialect is not None
    assert (dialect.queue, dialect.job) == (None, None)
    assert dialect.unschedulable == (Sign("pod", "PodScheduled", ("False",), ()),)


PODS_ALONE = """\
name: mine
scheduler: my-scheduler
minimum: {of: pod, path: [metadata, annotations, example.com/least], as: text}
member:
  metadata:
    labels: {example.com/crew: "{group}"}
    annotations: {example.com/least: "at least {minimum}"}
placeholders: {labels: {example.com/holds: "yes"}}
single: {metadata: {labels: {example.com/crew: "{pod}"}}}
"""


def test_pods_alone_can_make_a_gang(tmp_path: Path) -> None:
    dialect = load(descriptor(tmp_path, PODS_ALONE)).dialect

    assert dialect is not None
    assert dialect.group is None
    pod = filled(dialect.member, {"group": "a", "minimum": 3})
    assert dialect.minimum.of_object(pod) == "at least 3"
    pod = {"metadata": {"name": "p"}, "spec": {}}
    assert dialect.outside(pod, pod="p") == {
        "metadata": {"name": "p", "labels": {"example.com/crew": "p"}},
        "spec": {},
    }


MADE = """\
made: {apiVersion: example.com/v1, resource: crews}
unschedulable: [{of: group, condition: Stuck}]
"""
SETTING = """\
setting:
  - apiVersion: example.com/v1
    kind: Quota
    resource: quotas
    name: "{namespace}"
    body: {spec: {cpu: "{cpus}", memory: "{memory}"}}
  - apiVersion: example.com/v1
    kind: Door
    resource: doors
    namespaced: true
    name: door
    body: {spec: {quota: "{namespace}"}}
"""


def test_every_scenario_may_have_a_setting(tmp_path: Path) -> None:
    dialect = load(descriptor(tmp_path, INLINE + SETTING)).dialect

    assert dialect is not None
    quota, door = dialect.setting
    assert (quota.spelling.namespaced, door.spelling.namespaced) == (False, True)
    assert quota.object({"a": "b"}, namespace="n", cpus="4400m", memory="0") == {
        "apiVersion": "example.com/v1",
        "kind": "Quota",
        "metadata": {"name": "n", "labels": {"a": "b"}},
        "spec": {"cpu": "4400m", "memory": "0"},
    }
    assert door.object({}, namespace="n")["metadata"]["name"] == "door"


def test_what_nodes_have_is_said_in_quantities() -> None:
    there = {"cpu": Fraction(22, 5), "memory": Fraction(2**30), "example.com/device": Fraction(2)}

    assert sums(there) == {"cpus": "4400m", "memory": "1073741824", "pods": "0", "devices": "2"}


def test_what_is_made_for_a_gang_tells_of_it(tmp_path: Path) -> None:
    alone, grouped, made = (
        load(descriptor(tmp_path, text)).dialect for text in (PODS_ALONE, INLINE, PODS_ALONE + MADE)
    )

    assert alone is not None
    assert grouped is not None
    assert made is not None
    assert alone.status_resource is None
    assert str(grouped.status_resource) == str(made.status_resource) == "example.com/v1/crews"


def test_the_gates_of_an_implementation_are_its_own(tmp_path: Path) -> None:
    dialect = load(descriptor(tmp_path, PODS_ALONE + "gates: [example.com/queued]\n")).dialect

    assert dialect is not None
    assert dialect.gates == ("example.com/queued",)


def test_a_gang_may_have_more_pods_than_its_minimum_unless_it_is_exact(tmp_path: Path) -> None:
    assert load(descriptor(tmp_path)).declares("SurplusPods")
    assert not load(descriptor(tmp_path, INLINE + "exact: true\n")).declares("SurplusPods")


def test_only_a_dialect_with_an_object_for_a_gang_has_groups(tmp_path: Path) -> None:
    assert load(descriptor(tmp_path)).declares("GroupObjects")
    assert not load(descriptor(tmp_path, PODS_ALONE)).declares("GroupObjects")


def test_signs_are_conditions_or_places(tmp_path: Path) -> None:
    signs = """\
        unschedulable:
          - {of: group, condition: Stuck}
          - {of: group, path: status.phase, values: [Pending, Inqueue]}
        """

    dialect = load(descriptor(tmp_path, INLINE + dedent(signs))).dialect

    assert dialect is not None
    assert dialect.unschedulable == (
        Sign("group", "Stuck", ("True",), ()),
        Sign("group", "", ("Pending", "Inqueue"), ("status", "phase")),
    )


@pytest.mark.parametrize("name", bundled())
def test_a_bundled_dialect_is_right_and_named_after_its_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(f"{DESCRIPTOR}dialect: {name}\n")

    dialect = load(path).dialect

    assert dialect is not None
    assert dialect.name == name
    values = {"group": "a", "minimum": 5, "queue": "q", "priorityClass": "p", "cpus": "1", "namespace": "n"}
    made = filled(dialect.member, values)
    if dialect.minimum.of == "group":
        assert dialect.group is not None
        made = dialect.group.object({"name": "a"}, **values)
    assert "5" in str(dialect.minimum.of_object(made))


def test_a_descriptor_without_a_gang_needs_no_dialect(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(DESCRIPTOR.replace("gang", "job"))

    assert load(path).dialect is None
    reading = Reading(documents.read(path, "implementation"))
    assert read(reading) is None
    assert reading.problems == []


# -- mistakes


def changed(before: str, after: str, text: str = INLINE) -> str:
    assert before in text
    return text.replace(before, after)


@pytest.mark.parametrize(
    ("dialect", "message"),
    [
        pytest.param(
            changed('"{queue}"', '"{queu}"'),
            r"mine.yaml:13: dialect.group.body: unknown placeholder \{queu\}; did you mean 'queue'\? "
            r"\(known: \{minimum\}, \{queue\}, \{priorityClass\}, \{leastCpus\}, \{tasks\}\)",
            id="an unknown placeholder in the group",
        ),
        pytest.param(
            changed('"{group}"', '"{group}-{weight}"'),
            r"mine.yaml:17: dialect.member: unknown placeholder \{weight\} \(known: \{group\}, ",
            id="a placeholder of the queue in the member",
        ),
        pytest.param(
            changed("path: [metadata, annotations, ", "path: [metadata, labels, ", PODS_ALONE),
            r"mine.yaml:9: dialect.minimum: metadata.labels.example.com/least is read back, so "
            r"\{minimum\} must stand there in member",
            id="a minimum that no pod has",
        ),
        pytest.param(
            changed("of: pod, path: [metadata", "of: group, path: [metadata", PODS_ALONE),
            r"mine.yaml:9: dialect.minimum: there is no 'group' to read it from",
            id="a minimum of a group that there is not",
        ),
        pytest.param(
            INLINE + "made: {apiVersion: example.com/v1, resource: crews}\n",
            r"mine.yaml:\d+: dialect.made: leave it out: the 'group' of a gang has its name already",
            id="something made beside a group",
        ),
        pytest.param(
            PODS_ALONE + "unschedulable: [{of: group, condition: Stuck}]\n",
            r"mine.yaml:\d+: dialect.unschedulable: there is no 'group' that could report it",
            id="a sign of a group that there is not",
        ),
        pytest.param(
            INLINE + changed('"{cpus}"', '"{cpu}"', SETTING),
            r"mine.yaml:\d+: dialect.setting: unknown placeholder \{cpu\}; did you mean 'cpus'",
            id="an unknown placeholder in the setting",
        ),
        pytest.param(
            PODS_ALONE + JOB,
            r"mine.yaml:\d+: dialect.job: a gang Job needs a 'group'",
            id="a gang Job without a group",
        ),
        pytest.param(
            INLINE + changed('"{weight}"', '"{wieght}"', QUEUE),
            r"mine.yaml:23: dialect.queue.body: unknown placeholder \{wieght\}; did you mean 'weight'",
            id="an unknown placeholder in the queue",
        ),
        pytest.param(
            changed('"{group}"', "always"),
            r"mine.yaml:17: dialect.member: the placeholder \{group\} is missing",
            id="members of no group",
        ),
        pytest.param(
            INLINE + changed('"{weight}"', "1", QUEUE),
            r"mine.yaml:23: dialect.queue.body: the placeholder \{weight\} is missing",
            id="queues without a weight",
        ),
        pytest.param(
            changed("minimum: spec.least", "minimum: spec.most"),
            r"mine.yaml:16: dialect.group.minimum: spec.most is read back, so \{minimum\} must stand there",
            id="a minimum that is read back where it is not",
        ),
        pytest.param(
            changed("kind: Crew", "kinds: Crew"),
            r"mine.yaml:9: dialect: group: (unknown key 'kinds'; did you mean 'kind'|'kind' is missing)",
            id="an unknown key",
        ),
        pytest.param(
            changed("scheduler: my-scheduler\n", ""),
            "mine.yaml:6: dialect: the document: 'scheduler' is missing",
            id="a key is missing",
        ),
        pytest.param(
            changed("example.com/v1", "v1"),
            r"mine.yaml:10: dialect: group.apiVersion: 'v1' does not have the form",
            id="no group in the version",
        ),
        pytest.param(
            INLINE + "unschedulable: [{of: pods, condition: Stuck}]",
            r"mine.yaml:19: dialect: unschedulable\[0\].of: 'pods' is not one of group, pod",
            id="a sign of something else",
        ),
        pytest.param(
            INLINE + "unschedulable: [{of: pod, condition: Stuck, path: status.phase, values: [x]}]",
            r"mine.yaml:19: dialect: unschedulable\[0\]: ",
            id="a sign that is a condition and a place",
        ),
    ],
)
def test_a_mistake_in_an_inline_dialect_is_blamed_with_its_place(
    tmp_path: Path, dialect: str, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        load(descriptor(tmp_path, dialect))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(
            DESCRIPTOR + "dialect: volcno\n",
            r"mine.yaml:6: dialect: none is called 'volcno'; did you mean 'volcano'\? "
            r"\(bundled: coscheduling, kai, koordinator-pods, koordinator, kube-batch, kueue-topology, "
            r"kueue, native, reference, volcano, yunikorn, or inline\)",
            id="a bundled dialect that there is not",
        ),
        pytest.param(
            DESCRIPTOR + "dialect: 3\n",
            "mine.yaml:6: dialect: 3 is not text or a mapping",
            id="neither name nor mapping",
        ),
        pytest.param(
            DESCRIPTOR,
            r"mine.yaml:4: the profile gang needs a 'dialect': how gangs are expressed \(docs/",
            id="a gang scheduler without a dialect",
        ),
        pytest.param(
            DESCRIPTOR + "capabilities: [Queues]\ndialect: native\n",
            "mine.yaml:6: capabilities: Queues needs 'queue' in the dialect",
            id="queues that the dialect cannot spell",
        ),
        pytest.param(
            DESCRIPTOR + "capabilities: [GangJobs]\ndialect: volcano\n",
            "mine.yaml:6: capabilities: GangJobs needs 'job' in the dialect",
            id="gang Jobs that the dialect cannot spell",
        ),
    ],
)
def test_a_mistake_in_a_descriptor_with_gangs_is_blamed(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text)

    with pytest.raises(UserError, match=message):
        load(path)


def test_a_mistake_in_a_dialect_of_its_own_file_is_blamed_there(tmp_path: Path) -> None:
    path = tmp_path / "crews.yaml"
    path.write_text(changed('"{group}"', '"{grup}"'))

    wrong = [str(problem) for problem in check(documents.read(path, "dialect"))]

    known = "{group}, {minimum}, {queue}, {priorityClass}, {cpus}, {task}, {namespace}"
    assert [line.removeprefix(f"{path}:") for line in wrong] == [
        f"11: member: unknown placeholder {{grup}}; did you mean 'group'? (known: {known})",
        "11: member: the placeholder {group} is missing",
    ]


# -- the documentation


def test_the_example_of_the_documentation_is_right(tmp_path: Path) -> None:
    page = (suite.reference().parent / "docs" / "how-to" / "dialect.md").read_text()
    example = page.partition("```yaml\n")[2].partition("```")[0]
    path = tmp_path / "crew-scheduler.yaml"
    path.write_text(example)

    dialect = load(path).dialect

    assert dialect is not None
    assert dialect.group is not None
    assert dialect.group.object({"name": "a"}, minimum=3, queue=None, priorityClass=None)["spec"] == {
        "least": 3
    }
