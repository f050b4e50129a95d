"""The fixtures; there they have types (mypy takes no two modules of this name)."""

from certified_runs import honest, runs, scene, small

__all__ = ["honest", "runs", "scene", "small"]
