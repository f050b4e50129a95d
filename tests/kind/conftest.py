"""A Docker daemon and a node image for all tests of this folder, and commands that are killed after them."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from containerfile import NAME, assemble
from daemon import docker
from image import ensure_image
from runs import started

if TYPE_CHECKING:
    from collections.abc import Iterator

    from runs import Start


@pytest.fixture(scope="session", autouse=True)
def daemon() -> Iterator[None]:
    """A Docker daemon, which every program that the tests start finds."""
    with docker() as address, pytest.MonkeyPatch.context() as environment:
        if address:
            environment.setenv("DOCKER_HOST", address)
        yield


@pytest.fixture(scope="session")
def image(daemon: None) -> str:  # noqa: ARG001 - it has to be there
    """The node image."""
    return ensure_image()


@pytest.fixture(scope="session")
def batchproof(daemon: None, tmp_path_factory: pytest.TempPathFactory) -> str:  # noqa: ARG001 - it has to be there
    """The image of batchproof, which Docker has."""
    path = tmp_path_factory.mktemp("image") / "image.tar"
    assemble(path)
    subprocess.run(["docker", "load", "--quiet", "--input", path], check=True, capture_output=True)
    path.unlink()
    return NAME


@pytest.fixture
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Start ``batchproof``; what still runs of it in the end is killed."""
    yield from started(tmp_path_factory)
