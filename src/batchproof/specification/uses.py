"""Which definitions of steps, facts and verbs use which: read from their syntax, nothing is imported.

A definition is a function, a class, a method of a class of verbs, or a name of a module. What uses a method
is seen by its name, in the modules from which its class can be reached by imports: rather too many than too
few.
"""

from __future__ import annotations

import ast
import tokenize
from collections import defaultdict
from dataclasses import dataclass, field
from io import StringIO
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

T = TypeVar("T")
GRAPH = ("steps/", "src/batchproof/profiles/", "src/batchproof/judgement/facts/")
"""Where the definitions are whose uses are known."""
KERNEL = "src/batchproof/"
"""What may use them besides."""
_WORLD = {"world", "_world"}
"""By which names a verb knows the World, whose methods are none of these definitions."""
KINDS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Definition(NamedTuple):
    """A definition, by its file from the root of a checkout and its name there.

    A method has the name of its class and a point before its own. The empty name is what a module does when
    it is imported.
    """

    file: str
    name: str

    def __str__(self) -> str:
        return f"{self.file}::{self.name}" if self.name else self.file


def reached(first: Iterable[T], ahead: Mapping[T, Iterable[T]]) -> set[T]:
    """Some things, and all that one comes to from them."""
    found: set[T] = set()
    left = {*first}
    while left:
        found |= left
        left = {more for one in left for more in ahead.get(one, ())} - found
    return found


_LAYOUT = {tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
"""Tokens that only say where lines and blocks begin and end."""
_F_BEGINS, _F_ENDS = getattr(tokenize, "FSTRING_START", None), getattr(tokenize, "FSTRING_END", None)
"""Tokens of the ends of an f-string; before Python 3.12 it is one token."""


def code_of(source: str) -> str:
    """Python source without what decides nothing: comments, docstrings, blank lines.

    It is the same text in each version of Python, which a dump of the syntax tree is not.

    Raises:
        SyntaxError, tokenize.TokenError: it is no Python.
    """
    tokens = [one for one in tokenize.generate_tokens(StringIO(source).readline) if one.type != tokenize.NL]
    comments = {one.start[0]: one.start[1] for one in tokens if one.type == tokenize.COMMENT}
    tokens = [one for one in tokens if one.type != tokenize.COMMENT]
    rows: set[int] = set()
    begun: list[int] = []
    for before, one, after in zip([None, *tokens], tokens, [*tokens[1:], None], strict=False):
        if one.type == _F_BEGINS:
            begun.append(one.start[0])
        first = begun.pop() if one.type == _F_ENDS else one.start[0]
        if one.type not in _LAYOUT and not _is_docstring(before, one, after):
            rows.update(range(first, one.end[0] + 1))
    lines = [line[: comments.get(row)] for row, line in enumerate(source.split("\n"), 1)]
    return "\n".join(lines[row - 1].rstrip() if row in comments else lines[row - 1] for row in sorted(rows))


def _is_docstring(
    before: tokenize.TokenInfo | None, one: tokenize.TokenInfo, after: tokenize.TokenInfo | None
) -> bool:
    """Whether a token is a text that is a statement: one with values in it runs code."""
    alone = (before is None or before.type in _LAYOUT) and after is not None and after.type in _LAYOUT
    prefix = one.string.partition('"')[0].partition("'")[0]
    return alone and one.type == tokenize.STRING and "f" not in prefix.lower()


def definitions_of(path: Path) -> dict[str, ast.AST]:
    """The definitions of a module by name, without their docstrings; none where there is no such file."""
    if not path.is_file():
        return {}
    found: dict[str, ast.AST] = {}
    rest: list[ast.stmt] = []
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef):
            found |= _class(node)
        elif isinstance(node, KINDS):
            found[node.name] = _without_docstring(node)
        elif names := _assigned(node):
            found |= dict.fromkeys(names, node)
        elif not (isinstance(node, ast.Import | ast.ImportFrom) or _says_nothing(node)):
            rest.append(node)
    return {"": ast.Module(rest, []), **found}


def _class(node: ast.ClassDef) -> dict[str, ast.AST]:
    """A class; one of verbs without its methods, and these, but for what Python itself calls.

    The methods of others are called by each holder of such an object, under names that say too little.
    """
    methods = [one for one in node.body if isinstance(one, KINDS) and not one.name.startswith("__")]
    if not any(_is_verb(one) for one in methods):
        return {node.name: _without_docstring(node)}
    node.body = [one for one in node.body if one not in methods]
    apart = {f"{node.name}.{one.name}": _without_docstring(one) for one in methods}
    return {node.name: _without_docstring(node), **apart}


def _is_verb(method: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    said = [one.func for one in method.decorator_list if isinstance(one, ast.Call)]
    return any(isinstance(one, ast.Name) and one.id == "verb" for one in said)


def _without_docstring(node: ast.AST) -> ast.AST:
    for one in ast.walk(node):
        if isinstance(one, KINDS) and one.body and ast.get_docstring(one, clean=False) is not None:
            del one.body[0]
    return node


def _assigned(node: ast.stmt) -> list[str]:
    """The names that a statement of a module gives a value; none where it does more."""
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    simple = isinstance(node, ast.Assign | ast.AnnAssign) and all(isinstance(it, ast.Name) for it in targets)
    return [it.id for it in targets if isinstance(it, ast.Name)] if simple else []


def _says_nothing(node: ast.stmt) -> bool:
    """It is text, or only there for the check of types."""
    text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return text or (
        isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    )


@dataclass
class _Module:
    """What a file defines, and what it imports: the modules, and names with the module that each is of."""

    defined: dict[str, ast.AST]
    modules: set[str] = field(default_factory=set)
    names: dict[str, tuple[str, str]] = field(default_factory=dict)


class Uses:
    """What uses which definition in one state of the suite.

    Attributes:
        users: the users of each definition.
        kernel: the definitions that the rest of the harness imports, each with a file that does.
    """

    def __init__(self, root: Path, aside: tuple[str, ...] = ()) -> None:
        """Read a state of the suite.

        Args:
            root: that of the checkout.
            aside: the folders of the harness whose imports do not matter.
        """
        self.users: defaultdict[Definition, set[Definition]] = defaultdict(set)
        self.kernel: dict[Definition, str] = {}
        self._modules: dict[str, _Module] = {}
        files = sorted({*(root / "steps").glob("*.py"), *(root / KERNEL).rglob("*.py")})
        names = {path.relative_to(root).as_posix(): path for path in files}
        inside = [name for name in names if name.startswith(GRAPH)]
        self._files = {_dotted(name): name for name in inside}
        for name in inside:
            self._modules[name] = self._read(names[name])
        self._families = self._related()
        for name in inside:
            self._link(name)
        for name in names.keys() - {*inside}:
            if not name.startswith(aside):
                for module, it in self._read(names[name]).names.values():
                    if found := self._resolved(module, it):
                        self.kernel.setdefault(found, name)

    def reached(
        self, changed: Iterable[Definition], ends: Callable[[Definition], bool]
    ) -> dict[Definition, Definition]:
        """The definitions that a change concerns, each with the changed one.

        Args:
            changed: what has changed.
            ends: whether the users of a definition do not matter.
        """
        found: dict[Definition, Definition] = {}
        left = {one: one for one in sorted(changed)}
        while left:
            found |= left
            left = {
                user: why
                for one, why in left.items()
                if not ends(one)
                for user in self.users[one]
                if user not in found
            }
        return found

    def _read(self, path: Path) -> _Module:
        found = _Module(definitions_of(path))
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                for one in node.names:
                    whole = f"{node.module}.{one.name}"
                    if whole in self._files:
                        found.modules.add(whole)
                    if node.module in self._files:
                        found.modules.add(node.module)
                    found.names[one.asname or one.name] = (node.module, one.name)
        return found

    def _resolved(self, module: str, name: str) -> Definition | None:
        """Where a name that is imported from a module is defined."""
        seen: set[tuple[str, str]] = set()
        while (module, name) not in seen and module in self._files:
            seen.add((module, name))
            of = self._modules[self._files[module]]
            if name in of.defined:
                return Definition(self._files[module], name)
            module, name = of.names.get(name, ("", ""))
        return None

    def _known(self, file: str, name: str) -> Definition | None:
        """What a name means in a file."""
        of = self._modules[file]
        return Definition(file, name) if name in of.defined else self._resolved(*of.names.get(name, ("", "")))

    def _related(self) -> dict[Definition, set[Definition]]:
        """The classes, each with those that it comes of or that come of it, by however many steps."""
        near: defaultdict[Definition, set[Definition]] = defaultdict(set)
        for file, module in self._modules.items():
            for name, node in module.defined.items():
                for base in node.bases if isinstance(node, ast.ClassDef) else ():
                    if isinstance(base, ast.Name) and (found := self._known(file, base.id)):
                        near[found].add(Definition(file, name))
                        near[Definition(file, name)].add(found)
        return {one: reached([one], near) for one in [*near]}

    def _link(self, file: str) -> None:
        """Note what the definitions of a file use."""
        module = self._modules[file]
        modules = reached(module.modules, {_dotted(it): each.modules for it, each in self._modules.items()})
        near = {file, *(self._files[one] for one in modules)}
        methods: defaultdict[str, set[Definition]] = defaultdict(set)
        for each in near:
            for name in self._modules[each].defined:
                if "." in name:
                    methods[name.rpartition(".")[2]].add(Definition(each, name))
        for name, node in module.defined.items():
            user = Definition(file, name)
            for used in chain(self._named(file, node), self._asked(file, name, node, methods)):
                self.users[used].add(user)
            if isinstance(node, ast.ClassDef) and (family := self._families.get(user)):
                for one in family - {user}:
                    self.users[one].add(user)

    def _named(self, file: str, node: ast.AST) -> Iterator[Definition]:
        """The definitions whose names some code uses, or that are attributes of a module that it imports."""
        for one in ast.walk(node):
            if isinstance(one, ast.Name) and (found := self._known(file, one.id)):
                yield found
            if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name):
                of = ".".join(self._modules[file].names.get(one.value.id, ("", "")))
                if found := self._resolved(of, one.attr):
                    yield found

    def _asked(
        self, file: str, name: str, node: ast.AST, methods: Mapping[str, set[Definition]]
    ) -> Iterator[Definition]:
        """The methods that some code may call or name."""
        owner = Definition(file, name.partition(".")[0])
        family = self._families.get(owner, {owner})
        for one in ast.walk(node):
            if not isinstance(one, ast.Attribute):
                continue
            said = one.value.id if isinstance(one.value, ast.Name) else getattr(one.value, "attr", "")
            if said in _WORLD:
                continue
            if said in {"self", "cls"} and isinstance(one.value, ast.Name):
                of_family = {Definition(it.file, f"{it.name}.{one.attr}") for it in family}
                yield from (it for it in of_family if it.name in self._modules[it.file].defined)
            else:
                yield from methods.get(one.attr, ())


def _dotted(file: str) -> str:
    """The name of a module by its file."""
    return file.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
