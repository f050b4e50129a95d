"""The wrong edits that a source file can be given, one at a time.

What they are like: a boundary that is one off, a term of a condition left out, the first taken for the last,
a filter of a comprehension dropped. Texts are left alone: what a finding says is not what it decides.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}
_CALLS |= {"bisect_left": "bisect_right", "bisect_right": "bisect_left"}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {ast.Add: ast.Sub, ast.Sub: ast.Add}
_TEXTS = {"expected", "observed"}
"""The arguments of a finding that are words."""
_SPEEDS = {"maxsize"}
"""The arguments that decide how fast something is found, and not what."""
_SHORTENED = {"_SHOWN", "_NAMED", "_WIDE"}
"""The constants that say how much a finding shows."""
_WORDED = {"words", "summary", "status_text", "names_of", "status_of", "finding_text"}
"""The functions that make words for findings and timelines, and nothing else."""


_UNIQUE = {"number", "record", "reply_number", "revision"}
"""What no two records, and no two changes, have the same of: to be less, or less or equal, is the same."""


@dataclass(frozen=True)
class Mutant:
    """A wrong edit of a file.

    Attributes:
        file: the path below the root of the checkout.
        scope: the function or class around it; empty at the top of a module.
        line: where it begins.
        was: the lines that it touches, joined and without indentation.
        becomes: what they are afterwards.
        source: the whole file afterwards.
    """

    file: str
    scope: str
    line: int
    was: str
    becomes: str
    source: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        """The place by its content: lines above it may come and go."""
        return self.file, self.scope, self.was, self.becomes

    @property
    def text(self) -> str:
        """The place, and the edit."""
        return f"{self.file}:{self.line} {self.scope}\n  - {self.was}\n  + {self.becomes}"


def mutants(file: str, source: str) -> list[Mutant]:
    """Every wrong edit of a file, in the order of its lines."""
    edits = _Edits()
    edits.visit(ast.parse(source))
    made: dict[str, Mutant] = {}
    for scope, old, new in edits.found:
        one = _applied(file, source, scope, old, new)
        made.setdefault(one.source, one)
    return sorted(made.values(), key=lambda one: one.line)


def _applied(file: str, source: str, scope: str, old: ast.AST, new: str) -> Mutant:
    """The file with the text of one node replaced; all other lines keep their numbers."""
    lines = source.encode().splitlines(keepends=True)
    first, last = old.lineno - 1, old.end_lineno - 1  # type: ignore[attr-defined]
    before = lines[first][: old.col_offset]  # type: ignore[attr-defined]
    after = lines[last][old.end_col_offset :]  # type: ignore[attr-defined]
    edited = before + new.encode() + after
    whole = b"".join([*lines[:first], edited, b"\n" * (last - first), *lines[last + 1 :]]).decode()
    was = " ".join(b"".join(lines[first : last + 1]).decode().split())
    return Mutant(file, scope, first + 1, was, " ".join(edited.decode().split()), whole)


class _Edits(ast.NodeVisitor):
    """Collects the nodes that can be replaced, with what by."""

    def __init__(self) -> None:
        self.found: list[tuple[str, ast.AST, str]] = []
        self._scope: list[str] = []

    def _edit(self, old: ast.AST, new: ast.AST | str) -> None:
        text = new if isinstance(new, str) else ast.unparse(new)
        if isinstance(old, ast.expr) and not isinstance(new, str | ast.Constant | ast.Name):
            text = f"({text})"
        self.found.append((".".join(self._scope), old, text))

    # -- where nothing is edited, or only a part

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Words."""

    def visit_Raise(self, node: ast.Raise) -> None:
        """What an error says."""

    def visit_Assign(self, node: ast.Assign) -> None:
        """The value, if it is no text of a finding."""
        if not {ast.unparse(target) for target in node.targets} <= _TEXTS | _SHORTENED:
            self.visit(node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """The value, not the type."""
        if node.value:
            self.visit(node.value)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """The body, not how the class is made."""
        self._within(node.name, node.body)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """The body, the defaults, and what decorators are given; not the types."""
        if node.name in _WORDED:
            return
        for part in (*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(part)
        self._within(node.name, node.body)

    def visit_If(self, node: ast.If) -> None:
        """A block for types is none of the program."""
        if ast.unparse(node.test) != "TYPE_CHECKING":
            self.generic_visit(node)

    def _within(self, name: str, body: list[ast.stmt]) -> None:
        self._scope.append(name)
        self._returns(body[:-1])
        for statement in body:
            self.visit(statement)
        self._scope.pop()

    # -- edits

    def visit_Call(self, node: ast.Call) -> None:
        """Min and max, any and all; texts are left alone."""
        if isinstance(node.func, ast.Name) and node.func.id in _CALLS:
            self._edit(node.func, _CALLS[node.func.id])
        self.visit(node.func)
        for argument in node.args:
            self.visit(argument)
        for keyword in node.keywords:
            if keyword.arg not in _TEXTS | _SPEEDS:
                self.visit(keyword.value)

    def visit_Compare(self, node: ast.Compare) -> None:
        """Another comparison."""
        sides = [node.left, *node.comparators]
        for place, operator in enumerate(node.ops):
            others = _COMPARISONS[type(operator)]
            if all(_is_unique(side) for side in sides[place : place + 2]):
                others = others[-1:]
            for other in others:
                operators = [*node.ops[:place], other(), *node.ops[place + 1 :]]
                self._edit(node, ast.Compare(node.left, operators, node.comparators))
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """A term left out; one that only tells mypy the type is kept."""
        for place, term in enumerate(node.values):
            if _is_type(term):
                continue
            left = [*node.values[:place], *node.values[place + 1 :]]
            self._edit(node, left[0] if len(left) == 1 else ast.BoolOp(node.op, left))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """No ``not``; a negative constant is edited whole."""
        match node:
            case ast.UnaryOp(ast.Not(), operand):
                self._edit(node, operand)
                self.visit(operand)
            case ast.UnaryOp(ast.USub(), ast.Constant(value=int() | float() as value)):
                self._edit(node, repr(1 - value))
                self._edit(node, repr(-1 - value))
            case _:
                self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Minus for plus."""
        words = any(isinstance(side, ast.JoinedStr) or _is_text(side) for side in (node.left, node.right))
        if type(node.op) in _ARITHMETIC and not words:
            self._edit(node, ast.BinOp(node.left, _ARITHMETIC[type(node.op)](), node.right))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """One more, one less; the opposite."""
        match node.value:
            case bool() as value:
                self._edit(node, repr(not value))
            case int() | float() as value:
                self._edit(node, repr(value + 1))
                self._edit(node, repr(value - 1))

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """The last for the first, and the other way round."""
        match node.slice:
            case ast.Constant(value=int() as value) if not isinstance(value, bool) and value == 0:
                self._edit(node.slice, "-1")
            case ast.UnaryOp(ast.USub(), ast.Constant(value=1)):
                self._edit(node.slice, "0")
            case _:
                self.visit(node.slice)
        self.visit(node.value)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        """A filter left out; one that only tells mypy the type is kept."""
        for wanted in node.ifs:
            if not _is_type(wanted):
                self._edit(wanted, "True")
        self.generic_visit(node)

    def visit_match_case(self, node: ast.match_case) -> None:
        """A guard left out; patterns stay."""
        if node.guard:
            self._edit(node.guard, "True")
            self.visit(node.guard)
        for statement in node.body:
            self.visit(statement)

    def visit_Continue(self, node: ast.Continue) -> None:
        """It goes on."""
        self._edit(node, "pass")

    def visit_Break(self, node: ast.Break) -> None:
        """It goes on."""
        self._edit(node, "pass")

    def _returns(self, body: list[ast.stmt]) -> None:
        """Each early return of these statements left out."""
        for statement in body:
            for node in ast.walk(statement):
                if isinstance(node, ast.If) and len(node.body) == 1 and isinstance(node.body[0], ast.Return):
                    self._edit(node.body[0], "pass")


def _is_type(node: ast.AST) -> bool:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return _is_type(node.operand)
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance"


def _is_unique(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in _UNIQUE


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
