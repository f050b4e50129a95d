"""Edits of Python source: each is anchored by a function, and by a statement or an expression in it.

What counts is the syntax tree. So formatting, comments and line breaks mean nothing, a change elsewhere in
the file leaves an edit as it is, and no precedence and no indentation goes wrong.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from batchproof.ground.documents import near
from batchproof.judgement.values import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_NAMED = (*_FUNCTIONS, ast.ClassDef)
_ANCHORS = ("replace", "delete", "before", "after")


class NotApplicable(ValueError):  # noqa: N818 - what an edit is, not what went wrong
    """An edit cannot be made in a source; the message says why.

    Attributes:
        edit: which one, from 0; of the result of all, the first.
    """

    edit = 0


@dataclass(frozen=True, slots=True)
class Edit:
    """One change in a Python file.

    Attributes:
        file: the file, from the folder that holds the package.
        inside: the function, ``Class`` or ``Class.method`` that is searched; empty: all that is outside of
            functions.
        how: ``replace``, ``delete``, or put something ``before`` or ``after``.
        anchor: one or more whole statements, an expression, or ``name=value`` of a call. It is found exactly
            once. The body ``...`` of a statement stands for any body.
        text: what takes the place of the anchor, or stands before or after it; empty where it is deleted.
    """

    file: str
    inside: str
    how: str
    anchor: str
    text: str

    @classmethod
    def of(cls, row: Mapping[str, str]) -> Edit:
        """The edit that a row of a defect describes (see ``defect.schema.json``)."""
        file, _, inside = row["in"].partition("::")
        how = next(one for one in _ANCHORS if one in row)
        return cls(file, inside, how, row[how], row.get("with", row.get("insert", "")))

    @property
    def where(self) -> str:
        """The file and the function."""
        return f"{self.file}::{self.inside}" if self.inside else self.file


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an anchor was found: its line in the source, and how to put something in its stead."""

    line: int
    put: Callable[[Sequence[ast.stmt]], None]


def edited(source: str, edits: Sequence[Edit]) -> str:
    """The source of a file with edits made in it, one after the other.

    It is written again from its syntax tree, so without comments.

    Raises:
        NotApplicable: the source or an edit is not Python, an anchor is not found exactly once, or the result
            means the same as the source or is not Python.
    """
    tree = _tree(source, "the file")
    for number, edit in enumerate(edits):
        try:
            _make(edit, tree)
        except NotApplicable as error:
            error.edit = number
            raise
    result = ast.unparse(tree)
    try:
        compile(result, "<edited>", "exec", dont_inherit=True)
    except SyntaxError as error:
        raise NotApplicable(f"the result is not Python: {error.msg}") from error
    if result == _unchanged(source):
        raise NotApplicable("nothing is changed by it")
    return result


@lru_cache(maxsize=100)
def _unchanged(source: str) -> str:
    """A source written from its syntax tree; there are many edits of each file."""
    return ast.unparse(ast.parse(source))


def _make(edit: Edit, tree: ast.Module) -> None:
    anchor = _tree(edit.anchor, f"'{edit.how}'").body
    text = _tree(edit.text, "what is put there").body
    if not anchor:
        raise NotApplicable(f"'{edit.how}' is empty")
    scopes = dict(_scopes(tree))
    if edit.inside not in scopes:
        raise NotApplicable(f"there is no {edit.inside!r} in {edit.file}{near(edit.inside, scopes)}")
    places = _places(edit, scopes[edit.inside], anchor, text)
    if len(places) == 1:
        places[0].put(text)
        return
    what = f"{_short(edit.anchor)!r} is found"
    if places:
        lines = ", ".join(str(place.line) for place in places)
        raise NotApplicable(
            f"{what} {counted(len(places), 'time')} in {edit.where}, in the lines {lines}; once is right"
        )
    others = [name for name, scope in scopes.items() if name and _places(edit, scope, anchor, text)]
    hint = f"; it stands in {', '.join(others)}" if others else ""
    raise NotApplicable(f"{what} nowhere in {edit.where}{hint}")


def _places(edit: Edit, scope: ast.AST, anchor: Sequence[ast.stmt], text: Sequence[ast.stmt]) -> list[_Place]:
    """Every place in a scope where the anchor stands."""
    if edit.how == "replace":
        wanted, put = _expression(anchor), _expression(text)
        if wanted and put:
            return list(_expressions(scope, wanted))
        return list(_blocks(edit.how, scope, anchor)) or list(_arguments(scope, anchor))
    return list(_blocks(edit.how, scope, anchor))


def _blocks(how: str, scope: ast.AST, anchor: Sequence[ast.stmt]) -> Iterator[_Place]:
    """Where whole statements stand, one after the other."""
    size = len(anchor)
    for node in _within(scope):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if not isinstance(block, list):
                continue
            for first in range(len(block) - size + 1):
                if _same(list(anchor), block[first : first + size]):
                    yield _Place(block[first].lineno, _splice(how, block, first, size))


def _splice(how: str, block: list[ast.stmt], first: int, size: int) -> Callable[[Sequence[ast.stmt]], None]:
    def put(text: Sequence[ast.stmt]) -> None:
        match how:
            case "before":
                block[first:first] = text
            case "after":
                block[first + size : first + size] = text
            case _:
                block[first : first + size] = text
        if not block:
            block.append(ast.Pass())

    return put


def _expressions(scope: ast.AST, wanted: ast.expr) -> Iterator[_Place]:
    """Where an expression stands, be it a part of another one."""
    for node in _within(scope):
        for field, value in ast.iter_fields(node):
            for index, child in enumerate(value if isinstance(value, list) else [value]):
                if isinstance(child, ast.expr) and _same(wanted, child):
                    yield _Place(child.lineno, _setter(node, field, index))


def _setter(node: ast.AST, field: str, index: int) -> Callable[[Sequence[ast.stmt]], None]:
    def put(text: Sequence[ast.stmt]) -> None:
        value = _expression(text)
        if isinstance(children := getattr(node, field), list):
            children[index] = value
        else:
            setattr(node, field, value)

    return put


def _arguments(scope: ast.AST, anchor: Sequence[ast.stmt]) -> Iterator[_Place]:
    """Where ``name=value`` is an argument of a call."""
    match anchor:
        case [ast.Assign(targets=[ast.Name(id=name)], value=value)]:
            for node in _within(scope):
                for index, one in enumerate(getattr(node, "keywords", ())):
                    if one.arg == name and _same(value, one.value):
                        yield _Place(one.lineno, _argument(node, index))


def _argument(node: ast.AST, index: int) -> Callable[[Sequence[ast.stmt]], None]:
    def put(text: Sequence[ast.stmt]) -> None:
        keywords: list[ast.keyword] = node.keywords  # type: ignore[attr-defined]
        match text:
            case [ast.Assign(targets=[ast.Name(id=name)], value=value)]:
                keywords[index] = ast.keyword(arg=name, value=value)
            case []:
                del keywords[index]
            case _:
                raise NotApplicable("'with' must be name=value, as 'replace' is")

    return put


def _scopes(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """What ``inside`` may name, with its node: the last one, should a name be defined twice."""
    yield "", tree
    waiting: list[tuple[str, ast.AST]] = [("", tree)]
    while waiting:
        prefix, node = waiting.pop(0)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, _NAMED):
                yield prefix + child.name, child
                waiting.append((f"{prefix}{child.name}.", child))
            elif not isinstance(child, ast.expr):
                waiting.append((prefix, child))


def _within(scope: ast.AST) -> Iterator[ast.AST]:
    """Every node of a scope; those of a module or a class are those outside of its functions."""
    whole = isinstance(scope, _FUNCTIONS)
    waiting = [scope]
    while waiting:
        node = waiting.pop(0)
        yield node
        waiting += [one for one in ast.iter_child_nodes(node) if whole or not isinstance(one, _NAMED)]


def _same(wanted: object, found: object) -> bool:
    """Whether two nodes, or lists of nodes, mean the same; the body ``...`` is the same as any."""
    if isinstance(wanted, list):
        return (
            isinstance(found, list)
            and len(wanted) == len(found)
            and all(_same(*pair) for pair in zip(wanted, found, strict=True))
        )
    if not isinstance(wanted, ast.AST):
        return type(wanted) is type(found) and wanted == found
    return type(wanted) is type(found) and all(
        (field == "body" and _open(value)) or _same(value, getattr(found, field, None))
        for field, value in ast.iter_fields(wanted)
    )


def _open(body: object) -> bool:
    match body:
        case [ast.Expr(value=ast.Constant(value=value))]:
            return value is ...
    return False


def _expression(text: Sequence[ast.stmt]) -> ast.expr | None:
    """What is one expression and nothing else."""
    match text:
        case [ast.Expr(value=value)]:
            return value
    return None


def _tree(source: str, what: str) -> ast.Module:
    try:
        return ast.parse(source)
    except SyntaxError as error:
        raise NotApplicable(f"{what} is not Python: {error.msg}, line {error.lineno}") from error


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:77]}..."  # noqa: PLR2004 - a line of a terminal
