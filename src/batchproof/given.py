"""Files and folders that a user names: what is wrong with one is said together with what to give instead."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    import os


class Given(click.Path):
    """A path that must be there.

    Args:
        advice: what to give, or how to get it.
        folder: it has to be a folder; else a file.
    """

    def __init__(self, advice: str, *, folder: bool = False) -> None:
        super().__init__(exists=True, file_okay=not folder, dir_okay=folder, path_type=Path)
        self._advice = advice

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """The path.

        Raises:
            BadParameter: it is not there, is no file or no folder, or must not be read.
        """
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            self.fail(f"{error.message.rstrip('.')}: {self._advice}", param, ctx)

    def get_missing_message(self, *_: Any, **__: Any) -> str:
        """What to give, where nothing was given."""
        return f"{self._advice[:1].upper()}{self._advice[1:]}."


BUNDLE = Given("give the file that `batchproof certify` made, such as jobs-1.2.0-job.batchproof.tgz")
TRUST = Given(
    "give the file in which you list the keys that you trust; docs/how-to/check-a-certificate.md shows one"
)
KEY = Given("give a private key in PEM; `batchproof certify --new-key FILE` makes one")
RESULTS = Given("give the folder of a run, such as batchproof-results", folder=True)
