"""The sentences that a suite understands: what its step definitions match."""

from __future__ import annotations

import importlib.util
import sys
from hashlib import sha256
from typing import TYPE_CHECKING

from pytest_bdd.steps import step_function_context_registry

from batchproof.errors import HarnessError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from types import ModuleType


def load_steps(folder: Path) -> list[ModuleType]:
    """The modules that define the steps, loaded once.

    Raises:
        HarnessError: one cannot be loaded.
    """
    mark = sha256(str(folder.resolve()).encode()).hexdigest()[:8]  # each suite has steps of the same names
    return [_module(f"batchproof_steps_{mark}_{path.stem}", path) for path in sorted(folder.glob("*.py"))]


def _module(name: str, path: Path) -> ModuleType:
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise HarnessError(f"the steps in {path} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise HarnessError(f"the steps in {path} cannot be loaded: {error!r}") from error
    return module


def definitions(modules: Iterable[ModuleType], kind: str, text: str) -> list[str]:
    """The names of the step definitions that a sentence matches; right is exactly one.

    Args:
        modules: what ``load_steps`` has loaded.
        kind: ``given``, ``when`` or ``then``.
        text: the sentence with its examples filled in.
    """
    names = {module.__name__ for module in modules}
    return [
        context.step_func.__name__
        for context in step_function_context_registry.values()
        if context.step_func.__module__ in names
        and context.type in (None, kind)
        and context.parser.is_matching(text)
    ]
