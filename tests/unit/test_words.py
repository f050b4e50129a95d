"""The words that people read: what the glossary replaces is found, and plain English and code are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from batchproof.specification import texts
from batchproof.specification.registry import load_registry
from batchproof.specification.words import TERMS, ill_formed, unwanted

ROOT = Path(__file__).parents[2]
GLOSSARY = ROOT / "docs" / "glossary.md"


def test_the_glossary_lists_the_words_that_are_not_used() -> None:
    _, table = GLOSSARY.read_text().split("| instead of | say |\n|---|---|\n")
    assert table == "".join(f"| {term.instead_of} | {term.say} |\n" for term in TERMS)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("The status tells how it stands.", "tells"),
        ("Nobody MUST be evicted.", "Nobody"),
        ("the Job of somebody else's", "somebody else's"),
        ("pods are let\ngo", "let go"),
        ("the scheduler lets its PodGroup in", "lets its PodGroup in"),
        ("who does what, and for who it is", "for who"),
        ("it was played twice", "played"),
        ("a fault that never struck", "struck"),
        ("our own trouble", "our own trouble"),
        ("others give way", "give way"),
        ("3 go on", "go on"),
        ("the view is frozen", "frozen"),
        ("it comes and goes", "comes and goes"),
        ("a seeded defect of the reference", "seeded defect"),
        ("every mutant is caught", "mutant is caught"),
        ("scenarios catch each of these mutants", "catch each of these mutants"),
        ("as written in British behaviour", "behaviour"),
    ],
)
def test_a_word_is_found_where_it_stands(text: str, word: str) -> None:
    (found,) = unwanted(text)
    assert found[1] == word
    assert " ".join(text[found[0] :].split()).startswith(word)


@pytest.mark.parametrize(
    "text",
    [
        "The controller reports the end of the Job and retries.",
        "`told` and\n```\nour own trouble\n```\nand [a page](played.md) at https://example.com/played",
        "| <code>no pod that goes on</code> |",
        "the view of pods catches up, and a mutant is killed where it is",
        "the sender and the display, the replay and the stroke",
        "as many as, and so forth; it is taken from the API",
        "the API server refuses no page",  # plain English where it is not about requests
        "use it by hand, one by one",
        "{% if told %}{{ played }}<p class='frozen'>",
    ],
)
def test_plain_english_and_code_are_no_findings(text: str) -> None:
    assert not list(unwanted(text))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("What is told of a Job.", "told"),
        ("Nobody waits for it.", "Nobody"),
        ("for whoever waits", "whoever"),
        ("the list is read anew", "anew"),
        ("the kubelet lets it go", "lets it go"),
        ("pods that have given way", "given way"),
        ("Forget the last request.", "Forget"),
        ("one is taken for another", "taken for"),
        ("room that is given back", "given back"),
        ("keeps it off a namesake", "namesake"),
        ("its replacement must find company", "company"),
    ],
)
def test_a_word_is_found_in_a_docstring_or_a_comment(text: str, word: str) -> None:
    ((_, found, _),) = unwanted(text, code=True)
    assert found == word


@pytest.mark.parametrize(
    "text",
    [
        "No other process waits for it; the task that waits gets a report.",
        "The list is read again, the finalizer is removed, the pods are evicted.",
        "Drop the last request, return the room, and take it for granted.",
        "a value such as `anew` or ``nobody``",
    ],
)
def test_standard_terms_and_code_in_a_docstring_are_no_findings(text: str) -> None:
    assert not list(unwanted(text, code=True))


def test_what_is_wrong_in_code_alone_is_plain_english_elsewhere() -> None:
    assert not list(unwanted("A company may forget a namesake that was given back."))


def test_in_the_suite_a_request_is_rejected() -> None:
    ((_, word, say),) = unwanted("A write that is refused is retried", suite=True)
    assert (word, say) == ("refused", "rejects")


@pytest.mark.parametrize(
    ("sentence", "wrong"),
    [
        ("The controller MUST " + "do " * 40 + "it.", "44 words"),
        ("The controller MUST do it; the pods stay.", "a clause without MUST"),
        ("No pod of a Job MUST be created.", "'No pod of a Job MUST' reads"),
        ("Once it has ended, nobody MUST be evicted.", "'nobody MUST' reads"),
        ("The controller MUST do what it should.", "'should' is no level"),
        ("It MUST be so, where it is not.", "'where' as a condition"),
        ("It MUST be so though it is late.", "'though'"),
    ],
)
def test_a_requirement_that_is_not_well_formed(sentence: str, wrong: str) -> None:
    (found,) = ill_formed(sentence)
    assert wrong in found


@pytest.mark.parametrize(
    "sentence",
    [
        "While no pod is active, the controller MUST NOT set Complete, even though it could.",
        "If nothing else changes, the controller MUST set it; it MUST NOT do so before.",
        "The controller MUST create the pod, and MUST NOT create no pod where one is.",
        "No controller MUST NOT be left out.",
    ],
)
def test_a_requirement_that_is_well_formed(sentence: str) -> None:
    assert not list(ill_formed(sentence))


def _checkout(root: Path) -> Path:
    files = {
        "README.md": "# It\n\nNobody is told.\n",
        "docs/adr/0001.md": "Nobody is told.\n",
        "docs/glossary.md": "Nobody is told.\n",
        "src/batchproof/commands/all.py": (
            '"""Nobody is told: a docstring of a module is for its readers."""\n\n'
            '@click.command("x")\n@click.option("--y", help="Play it again.")\n'
            'def command():\n    """Tell a user who plays.\n\n    More."""\n'
            '    raise UserError(f"{name}: nobody knows")\n    key = "told"\n'
        ),
        "src/batchproof/judgement/facts/all.py": (
            '@fact("pods that go on")\ndef f():\n    """It is frozen."""\n'
            '    x = "# anew"\n    # forgets: it is read\n'
            "    return x  # anew\n"
        ),
        "steps/some.py": 'class Known:\n    """What is known.\n\n    forget: ends it anew.\n    """\n',
        "src/batchproof/report/page.html.jinja": "<p>{{ told }}</p>\n<p>Not come about</p>\n",
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_documents_help_texts_messages_and_templates_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in ("DOCUMENTS", "PRINTED", "REMARKS"):
        monkeypatch.setattr(texts, kind, "error")
    root = _checkout(tmp_path)
    found = [
        (it.path.relative_to(root).as_posix(), it.line, it.message.split(":")[0])
        for it in texts.of_checkout(root)
    ]
    commands = "src/batchproof/commands/all.py"
    assert found == [
        ("README.md", 3, "'Nobody'"),
        ("README.md", 3, "'told'"),
        (commands, 4, "'Play'"),
        (commands, 6, "'Tell'"),
        (commands, 6, "'plays'"),
        (commands, 9, "'nobody'"),
        ("src/batchproof/report/page.html.jinja", 2, "'come about'"),
        (commands, 1, "'Nobody'"),
        (commands, 1, "'told'"),
        (commands, 6, "'Tell'"),
        ("src/batchproof/judgement/facts/all.py", 5, "'forgets'"),
        ("src/batchproof/judgement/facts/all.py", 6, "'anew'"),
        ("steps/some.py", 4, "'anew'"),
    ]


def test_warnings_are_one_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "DOCUMENTS", "warning")
    found = [it for it in texts.of_checkout(_checkout(tmp_path)) if it.path.suffix == ".md"]
    assert [(it.severity, it.line) for it in found] == [("warning", 3)]
    assert found[0].message.startswith("2 places, the first: 'Nobody'")


def test_titles_are_read_and_steps_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "TITLES", "error")
    feature = tmp_path / "features" / "a.feature"
    feature.parent.mkdir()
    long = "A rule " * 12
    feature.write_text(
        f"@told\nFeature: Nobody\n  Who plays\n\n  Rule: {long}\n  Scenario: It goes on\n"
        "    Given it is told\n    Then in the end it is told\n"
    )
    steps = tmp_path / "steps"
    steps.mkdir()
    (steps / "all.py").write_text('"""Nobody is told."""\n\n@given("a pod that goes on")\ndef it(): ...\n')
    errors = list(texts.of_suite([], feature.parent, tmp_path / "suites", steps))
    assert [(it.line, it.message.split(":")[0]) for it in errors] == [
        (2, "'Nobody'"),
        (3, "'plays'"),
        (6, "'goes on'"),
        (5, f"{len(long.strip())} characters; at most 80"),
        (7, "'told'"),
        (8, "'in the end'"),
        (8, "'told'"),
        (3, "'goes on'"),
    ]
    assert {it.severity for it in errors} == {"error"}


def test_requirements_are_read_with_their_notes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(texts, "REQUIREMENTS", "error")
    folder = tmp_path / "requirements"
    folder.mkdir()
    (folder / "a.yaml").write_text(
        "- {id: FIN-004, level: MUST, profile: job, sentence: It MUST be refused; nobody knows.,"
        ' norm: kep, source: KEP-2307, since: "1.22", notes: It is told anew.}\n'
    )
    found = list(texts.of_suite(load_registry(folder).values(), tmp_path, tmp_path, tmp_path))
    assert [(it.code, it.message.split("'")[1]) for it in found] == [
        ("unwanted-word", "refused"),
        ("unwanted-word", "nobody"),
        ("unwanted-word", "told"),
        ("unwanted-word", "anew"),
        ("sentence-form", "nobody knows."),
    ]
