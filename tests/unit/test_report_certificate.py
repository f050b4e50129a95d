"""A certificate beside results is shown as what it is: words that were not checked."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from batchproof.attestation import bundle, statement
from batchproof.attestation.statement import CERTIFICATE, Certificate
from batchproof.attestation.unverified import beside, body
from batchproof.commands.report import command

EXAMPLE = Path(__file__).parents[2] / "reports" / "examples" / "example.batchproof.tgz"
NAME = "made-by-us.batchproof.tgz"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The run that the published example certifies, with its histories; the bundle is not there yet."""
    with bundle.opened(EXAMPLE) as opened:
        statements = [statement.read(body(line)) for line in opened.statements.splitlines()]
        (first,) = (one for one in statements if one.predicate_type == CERTIFICATE)
        said = statement.predicate(first, Certificate)
        for one in said.evidence.manifest:
            path = tmp_path / one.path
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(opened.file(bundle.FIRST + one.path, one))
    return tmp_path


def reported(folder: Path) -> str:
    """The page with the certificate, as `batchproof report` makes it; empty if it makes none."""
    result = CliRunner().invoke(command, [str(folder)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    page = folder / "certificate.html"
    return page.read_text("utf-8") if page.exists() else ""


def test_the_page_says_who_signed_and_that_nothing_was_checked(run: Path) -> None:
    assert reported(run) == ""
    alone = (run / "index.html").read_bytes()

    (run / NAME).write_bytes(EXAMPLE.read_bytes())
    page = reported(run)

    assert f"<code>{NAME}</code> beside this page says that <b>Example Ltd</b> signed this run" in page
    assert "<strong>Nothing of that was checked for this page</strong>" in page
    assert f"batchproof verify ./{NAME} --trust FILE" in page
    assert (run / "index.html").read_bytes() == alone  # what the results give, and nothing else


def test_the_command_can_be_pasted_whatever_the_bundle_is_called(run: Path) -> None:
    (run / "-x; reboot .batchproof.tgz").write_bytes(EXAMPLE.read_bytes())
    page = reported(run)
    assert "<code>batchproof verify &#39;./-x; reboot .batchproof.tgz&#39; --trust FILE</code>" in page


def test_a_certificate_of_other_results_is_not_shown(run: Path) -> None:
    (run / NAME).write_bytes(EXAMPLE.read_bytes())
    assert beside(run)
    results = run / "results.jsonl"
    results.write_bytes(results.read_bytes().replace(b'"duration_s":', b'"duration_s" :', 1))
    assert beside(run) == ()
    assert reported(run) == ""


@pytest.mark.parametrize("content", [b"", b"no bundle", EXAMPLE.read_bytes()[:5000]])
def test_what_is_no_whole_bundle_says_nothing(run: Path, content: bytes) -> None:
    (run / NAME).write_bytes(content)
    assert beside(run) == ()


def test_a_link_to_a_bundle_is_not_followed(run: Path) -> None:
    (run / NAME).symlink_to(EXAMPLE)
    assert beside(run) == ()
