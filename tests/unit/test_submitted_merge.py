"""Shards become one run, and nothing else does: what is missing, doubled or foreign is named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
import report_sample as sample
from hypothesis import given
from hypothesis import strategies as st

from batchproof.report.outcome import judge_run
from batchproof.report.records import Footer, Header, Planned, ScenarioRecord
from batchproof.report.results import Results, ResultsStream, read_results
from batchproof.submitting.merge import MergeError, ShardResults, merged
from batchproof.submitting.plan import Plan, shared_out

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMES = [f"Scenario {letter}" for letter in "abcdefgh"]
RECORDS = [sample.scenario(f"BAS-00{1 + place % 2}", name) for place, name in enumerate(NAMES)]
IDS = [one["id"] for one in RECORDS]
RUN = "0123456789abcdef"


def header(**more: Any) -> Header:
    told = sample.header()
    told["run"] = RUN
    told["suite"] |= {"code": "sha256:c0de"}
    told["implementation"] |= {"descriptor_digest": "sha256:de5c"}
    found = sample.read(told)
    assert isinstance(found, Header)
    return msgspec.structs.replace(found, workers=3, machine="linux/x86_64, 2 processors", **more)


def plan(shards: int = 3) -> Plan:
    one = header()
    return Plan(
        command="run",
        run=RUN,
        suite=one.suite.digest,
        code=one.suite.code,
        implementation="acme.yaml",
        descriptor_digest=one.implementation.descriptor_digest,
        profile="job",
        expression="",
        strict=False,
        workers=3,
        faults=(),
        shards=shared_out(IDS, {}, shards),
    )


def part(of: Plan, shard: int, *, own: Header | None = None, minute: int = 0, **footer: Any) -> ShardResults:
    """What the shard of a plan plays."""
    records = []
    for told in RECORDS:
        record = sample.read(told)
        assert isinstance(record, ScenarioRecord)
        if record.id in of.shards[shard]:
            records.append(record)
    planned = tuple(
        Planned(**{name: getattr(one, name) for name in Planned.__struct_fields__})
        for one in reversed(records)
    )
    mine = msgspec.structs.replace(
        own or header(),
        planned=planned,
        required=tuple({one.requirement for one in planned}),
        started=f"2026-11-21T10:0{minute}:00Z",
    )
    end = Footer(
        finished=f"2026-11-21T10:0{minute + 1}:00Z",
        duration_s=60.0,
        complete=True,
        counts={"passed": len(records)},
    )
    results = Results(mine, tuple(records), msgspec.structs.replace(end, **footer))
    return ShardResults(shard, of.digest, header().required, f"pod-{shard}", Path(), results)


def parts(of: Plan) -> list[ShardResults]:
    return [part(of, number, minute=number) for number in range(len(of.shards))]


def refused(of: Plan, given: Sequence[ShardResults]) -> str:
    with pytest.raises(MergeError) as caught:
        merged(of, given, IDS)
    return str(caught.value)


@given(st.integers(1, 8), st.randoms(use_true_random=False))
def test_however_it_was_shared_out_it_is_the_same_run(shards: int, random: Any) -> None:
    of = plan(shards)
    given_ = parts(of)
    random.shuffle(given_)
    found, alone = merged(of, given_, IDS), merged(plan(1), parts(plan(1)), IDS)
    assert [one.id for one in found.scenarios] == IDS == [one.id for one in found.header.planned]
    assert [msgspec.structs.replace(one, worker="") for one in found.scenarios] == [
        msgspec.structs.replace(one, worker="") for one in alone.scenarios
    ]
    assert found.header.required == alone.header.required == header().required
    assert found.footer.counts == alone.footer.counts
    standings = [[(one.id, one.standing) for one in judge_run(run).requirements] for run in (found, alone)]
    assert standings[0] == standings[1]


def test_a_merged_run_is_written_and_read_as_any_other(tmp_path: Path) -> None:
    found = merged(plan(), parts(plan()), IDS)
    with ResultsStream(tmp_path / "results.jsonl") as stream:
        stream.write(found.header)
        for record in found.scenarios:
            stream.write(record)
        stream.write(found.footer)
    assert read_results(tmp_path) == found
    assert (found.header.workers, found.header.machine) == (9, "3 of linux/x86_64, 2 processors")
    assert (found.header.started, found.footer.finished) == ("2026-11-21T10:00:00Z", "2026-11-21T10:03:00Z")
    assert found.footer.duration_s == 180.0
    assert {one.worker for one in found.scenarios} == {"0-gw0", "1-gw0", "2-gw0"}


def test_a_selection_requires_what_it_tests() -> None:
    of = msgspec.structs.replace(plan(), expression="BAS-001", shards=shared_out(IDS[::2], {}, 2))
    suite = msgspec.structs.replace(header().suite, selection="BAS-001")
    given_ = [part(of, number, own=header(suite=suite)) for number in range(2)]
    assert merged(of, given_, IDS).header.required == ("BAS-001",)


def test_a_missing_and_a_doubled_shard_are_named() -> None:
    of = plan()
    zero, one, _ = parts(of)
    told = refused(of, [zero, one, replace(one, origin="pod-x")])
    assert "missing: shard 2" in told
    assert "doubled: shard 1 comes from pod-1 and pod-x" in told
    assert refused(of, []).count("missing: shard") == 3


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"run": "another"}, "foreign: its run is another"),
        ({"profile": "gang"}, "foreign: its profile is gang"),
        ({"suite": {"digest": "sha256:1"}}, "foreign: its suite is sha256:1"),
        ({"suite": {"code": "sha256:1"}}, "foreign: its code is sha256:1"),
        ({"suite": {"selection": "FIN"}}, "foreign: its selection is FIN"),
        ({"implementation": {"descriptor_digest": "sha256:1"}}, "foreign: its descriptor is sha256:1"),
    ],
)
def test_results_of_something_else_are_foreign(changed: dict[str, Any], why: str) -> None:
    of = plan()
    own = header()
    for name, value in changed.items():
        if isinstance(value, dict):
            value = msgspec.structs.replace(getattr(own, name), **value)  # noqa: PLW2901
        own = msgspec.structs.replace(own, **{name: value})
    told = refused(of, [*parts(of)[:2], part(of, 2, own=own)])
    assert f"pod-2: {why}" in told


def test_a_shard_of_another_plan_or_of_none_is_foreign() -> None:
    of = plan()
    zero, one, two = parts(of)
    assert "pod-2: foreign: its plan is sha256:1" in refused(of, [zero, one, replace(two, plan="sha256:1")])
    assert "pod-2: foreign: there is no shard 7; the last is 2" in refused(
        of, [zero, one, replace(two, shard=7)]
    )


def test_a_shard_that_played_something_else_is_refused() -> None:
    of = plan()
    zero, one, two = parts(of)
    told = refused(of, [zero, one, replace(two, results=one.results)])
    first, last = min(of.shards[1]), min(of.shards[2])
    assert f"foreign: shard 2 ran {first}" in told
    assert f"shard 2 lacks {last}" in told


def test_shards_that_say_different_things_are_refused() -> None:
    of = plan()
    other = part(of, 2, own=header(time_scale=2.0, versions={"python": "3.14"}))
    told = refused(of, [*parts(of)[:2], other])
    assert "pod-2 and pod-0 say different things of time_scale and versions" in told
    assert "require different things" in refused(of, [*parts(of)[:2], replace(parts(of)[2], required=())])


def test_a_shard_that_was_cut_leaves_the_run_incomplete() -> None:
    of = plan()
    cut = part(of, 2, complete=False, reason="interrupted")
    found = merged(of, [*parts(of)[:2], cut], IDS)
    assert (found.footer.complete, found.footer.reason) == (False, "shard 2: interrupted")


def test_the_plays_of_a_scenario_under_faults_are_in_its_shard() -> None:
    """A fault grid is merged too: its plays come after the scenarios, and it requires what it tests."""
    of = msgspec.structs.replace(plan(2), faults=("conflicts",))
    given_ = []
    for one in parts(of):
        results = one.results
        under = tuple(
            msgspec.structs.replace(each, id=f"{each.id} under conflicts", fault="conflicts")
            for each in results.header.planned
        )
        plays = tuple(
            msgspec.structs.replace(each, id=f"{each.id} under conflicts", fault="conflicts")
            for each in results.scenarios
        )
        header_ = msgspec.structs.replace(results.header, planned=(*results.header.planned, *under))
        footer = msgspec.structs.replace(results.footer, counts={"passed": 2 * len(plays)})
        given_.append(replace(one, results=Results(header_, (*results.scenarios, *plays), footer)))
    order = [*IDS, *(f"{id_} under conflicts" for id_ in IDS)]
    found = merged(of, given_, order)
    assert [one.id for one in found.scenarios] == order
    assert found.header.required == ("BAS-001", "BAS-002")


def test_a_play_under_faults_of_a_scenario_that_another_shard_has_is_foreign() -> None:
    of = msgspec.structs.replace(plan(2), faults=("conflicts",))
    zero, one = parts(of)
    [other, *_] = zero.results.header.planned
    under = msgspec.structs.replace(other, id=f"{other.id} under conflicts", fault="conflicts")
    header_ = msgspec.structs.replace(one.results.header, planned=(*one.results.header.planned, under))
    told = refused(of, [zero, replace(one, results=replace(one.results, header=header_))])
    assert f"foreign: shard 1 ran {under.id}" in told
