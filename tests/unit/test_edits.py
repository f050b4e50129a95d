"""Edits of Python source: anchored in a function, whatever the formatting, and blamed if they do not fit."""

from __future__ import annotations

import pytest

from batchproof.specification.edits import Edit, NotApplicable, edited

SOURCE = '''
"""A module."""
LIMIT = 20  # a comment


@decorated(twice=False)
def wanted(job, seen=None):
    """How many."""
    # why
    if job.suspend:
        return 0
    try:
        left = (job.completions -
                seen.succeeded)
    except KeyError:
        raise
    finally:
        log("done")
    return max(0, min(job.parallelism, left), key=(f"{job.name}!"))


class Queue:
    size = 1

    def add(self, key):
        self.keys.append(key)
        self.keys.append(key)

    def drop(self, key):
        for one in self.keys:
            if one == key:
                return 0
        return 1
'''


def edit(inside: str, how: str, anchor: str, text: str = "") -> Edit:
    return Edit("package/module.py", inside, how, anchor, text)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        pytest.param(edit("", "replace", "LIMIT = 20", "LIMIT = 30"), "LIMIT = 30", id="a statement outside"),
        pytest.param(edit("", "replace", "20", "30"), "LIMIT = 30", id="an expression outside"),
        pytest.param(
            edit("wanted", "replace", "left = job.completions - seen.succeeded", "left = 1"),
            "    left = 1",
            id="line breaks and brackets do not matter",
        ),
        pytest.param(
            edit("wanted", "replace", "job.completions - seen.succeeded", "1 if job else 2"),
            "    left = 1 if job else 2",
            id="a part of a statement",
        ),
        pytest.param(
            edit("wanted", "replace", "job.suspend", "job.suspend and seen"),
            "  if job.suspend and seen:",
            id="the condition of a statement",
        ),
        pytest.param(
            edit("wanted", "replace", "min(job.parallelism, left)", "a or b"),
            "  return max(0, a or b, key=f'{job.name}!')",
            id="an argument",
        ),
        pytest.param(
            edit("wanted", "replace", "job.name", "job.uid"), "f'{job.uid}!'", id="within an f-string"
        ),
        pytest.param(
            edit("wanted", "replace", "key=f'{job.name}!'", "key=None"),
            "left), key=None)",
            id="a named argument",
        ),
        pytest.param(
            edit("wanted", "replace", "twice=False", "twice=True"), "(twice=True)", id="a decorator"
        ),
        pytest.param(edit("wanted", "delete", "raise"), "    pass", id="the only statement of a block"),
        pytest.param(
            edit("wanted", "before", "log('done')", "log('soon')"),
            "    log('soon')\n        log('done')",
            id="before",
        ),
        pytest.param(
            edit("wanted", "after", "if job.suspend: ...", "seen = 1"),
            "return 0\n    seen = 1",
            id="after any body",
        ),
        pytest.param(
            edit("Queue.drop", "replace", "for one in self.keys: ...", "pass"),
            "    pass\n        return 1",
            id="with any body",
        ),
        pytest.param(
            edit("Queue", "replace", "size = 1", "size = 2"), "size = 2", id="outside the methods of a class"
        ),
    ],
)
def test_an_edit_changes_one_place(change: Edit, line: str) -> None:
    result = edited(SOURCE, [change])
    assert line in result
    assert line not in edited(SOURCE, [edit("", "replace", "LIMIT = 20", "OTHER = 1")])


def test_edits_are_made_one_after_the_other() -> None:
    changes = [edit("", "replace", "20", "30"), edit("", "replace", "LIMIT = 30", "LIMIT = 40")]
    assert "LIMIT = 40" in edited(SOURCE, changes)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (edit("wantd", "delete", "raise"), "there is no 'wantd' in package/module.py; did you mean 'wanted'"),
        (edit("wanted", "delete", "return 2"), "'return 2' is found nowhere in package/module.py::wanted$"),
        (edit("wanted", "delete", "return 1"), "nowhere in .*; it stands in Queue.drop"),
        (
            edit("Queue.add", "delete", "self.keys.append(key)"),
            "found 2 times in .*Queue.add, in the lines 26, 27",
        ),
        (
            edit("", "replace", "return 0", "return 1"),
            "found nowhere in package/module.py; it stands in wanted",
        ),
        (edit("wanted", "replace", "return (", "return 1"), "'replace' is not Python: .*, line 1"),
        (edit("wanted", "replace", "return 0", "return ("), "what is put there is not Python: .*, line 1"),
        (edit("wanted", "delete", "# nothing"), "'delete' is empty"),
        (edit("wanted", "replace", "return 0", "return  0"), "nothing is changed by it"),
        (
            edit("", "replace", "LIMIT = 20", "return 1"),
            "the result is not Python: 'return' outside function",
        ),
    ],
)
def test_an_edit_that_does_not_fit_is_blamed(change: Edit, message: str) -> None:
    with pytest.raises(NotApplicable, match=message):
        edited(SOURCE, [change])


def test_the_edit_that_does_not_fit_is_numbered() -> None:
    with pytest.raises(NotApplicable) as blamed:
        edited(SOURCE, [edit("", "replace", "20", "30"), edit("", "replace", "20", "40")])
    assert blamed.value.edit == 1
