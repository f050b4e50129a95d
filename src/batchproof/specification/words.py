"""Words: what the texts of the project do not say, and the standard term to say instead.

``docs/glossary.md`` defines the terms and prints this table. A pattern is looked for in plain text: what is
code (``inline``, fenced blocks, links) has been taken out before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_SENTENCE = 35
"""How many words a requirement may have."""

_CODE = re.compile(
    r"```.*?(?:```|\Z)|``.*?``|`[^`]*`|<!--.*?-->|<code>.*?</code>|(?<=\])\([^)\s]*\)|https?://\S+|<[a-z/][^<>]*>|\{[^{}]*\}",
    re.DOTALL | re.IGNORECASE,
)
_LEVEL = re.compile(r"\b(?:MUST|SHOULD|MAY)\b")
_NOT_NEGATED = re.compile(
    r"(?:^|[,;:] |\band )((?:no|nobody|none)(?: (?!MUST)[^\s,;:]+){0,8} MUST)(?! NOT)", re.IGNORECASE
)
_NOT_A_LEVEL = re.compile(r"\b(?:must|shall|should)\b")
_WORD = re.compile(r"[^\W_][^\s]*")


@dataclass(frozen=True, slots=True)
class Term:
    """A word that is not used, and what to say.

    Attributes:
        instead_of: the word, as the glossary lists it.
        say: the standard term.
        pattern: how it is found.
        suite_only: whether it is wrong only in requirements and titles, where it stands for a term of
            Kubernetes; elsewhere it is plain English.
        in_code: whether it is wrong in docstrings and comments too, or only there.
    """

    instead_of: str
    say: str
    pattern: re.Pattern[str]
    suite_only: bool = False
    in_code: Literal["no", "too", "only"] = "no"


def _term(
    instead_of: str,
    say: str,
    pattern: str,
    *,
    suite_only: bool = False,
    in_code: Literal["no", "too", "only"] = "no",
) -> Term:
    anywhere = pattern.replace(" ", r"\s+")  # a line may end between two words
    return Term(instead_of, say, re.compile(rf"\b(?:{anywhere})\b", re.IGNORECASE), suite_only, in_code)


TERMS = (
    _term(
        "tells, is told", "reports, records (an Event), shows, says", r"tells?|told|telling", in_code="too"
    ),
    _term("overlooks, passes over", "ignores", r"overlook\w*|pass(?:es|ed)? over"),
    _term(
        "works by managedBy",
        "is selected by `spec.managedBy` (external controller)",
        r"works? by (?:spec\.)?managedBy",
    ),
    _term("what becomes of", "what happens to, the outcome of", r"bec(?:omes?|ame) of"),
    _term(
        "lets go (a pod)", "removes the tracking finalizer from", r"let(?:s|ting)? (?:\w+ )?go", in_code="too"
    ),
    _term(
        "nobody, somebody, anybody",
        "no controller, another controller, another client, no one",
        r"(?:no|some|any)body(?: else)?(?:'s)?",
        in_code="too",
    ),
    _term(
        "whoever, he who", "the implementation that, a user who", r"whoever|whose ever|he who", in_code="too"
    ),
    _term(
        "for who, to who, beside who",
        "for an implementation that, to a user who",
        r"(?:for|of|to|by|with|than|against|beside|only) who",
        in_code="too",
    ),
    _term("who does so", "the controller, the user: name the actor", r"who does so"),
    _term("outlives its Job", "is an orphan of its Job", r"outliv\w+ (?:its|their|the) Jobs?"),
    _term("finds no place", "cannot be scheduled", r"finds? no place|no place any ?more"),
    _term("comes and goes", "is intermittent", r"comes? and go(?:es)?"),
    _term("our own trouble", "a harness error", r"(?:our )?own trouble"),
    _term("is waited for", "the harness waits for, must happen within", r"(?:is|are|was|were|be) waited for"),
    _term("plays, a second play", "runs, a retry", r"play(?:s|ed|ing)?"),
    _term("struck, fired (a fault)", "triggered", r"struck|strikes?|fired|fires"),
    _term("goes wrong on purpose", "is an injected fault", r"(?:goes?|made) wrong on purpose"),
    _term("anew", "again, from scratch; recreated", r"anew", in_code="too"),
    _term("makes smaller", "shrinks, minimizes", r"ma(?:ke|kes|de|king) (?:\w+ )?smaller"),
    _term("mends", "fixes", r"mend(?:s|ed|ing)?"),
    _term(
        "by itself, by themselves",
        "individually, independently, on its own",
        r"by (?:itself|themselves|himself)",
    ),
    _term("speaks of", "covers", r"speaks? of|spoke of|spoken of"),
    _term("stands still", "is paused (process), is stalled (watch)", r"st(?:an|oo)ds? still|stood still"),
    _term("stands by", "is on standby", r"stands? by|stood by"),
    _term("gives way", "is evicted", r"g(?:i|a)ven? way|gives way|giving way|given way", in_code="too"),
    _term("is let in (a PodGroup)", "is admitted (phase Inqueue)", r"let in|lets \w+(?: \w+)? in"),
    _term("goes on", "continues, keeps running", r"go(?:es)? on(?! the path)|going on|went on"),
    _term("takes away", "deletes", r"t(?:a|oo)ke?(?:s|n)? (?:\w+ )?away"),
    _term("in the end", "eventually", r"in the end"),
    _term("is seen late", "is observed with a delay", r"seen (?:very )?late"),
    _term(
        "freezes the view",
        "withholds watch events (stale cache)",
        r"fr(?:ee|o)zen?s?|freezing",
    ),
    _term("asks for", "requests, needs, expects", r"ask(?:s|ed|ing)? for"),
    _term(
        "tries again, asks again", "retries", r"(?:tr(?:y|ies|ied|ying)|ask(?:s|ed)?) again", in_code="too"
    ),
    _term("carries out (a request)", "applies, takes effect", r"carr(?:y|ies|ied|ying) out"),
    _term("refuses", "rejects", r"refus(?:e|es|ed|ing|al|als)", suite_only=True),
    _term("is handled, looked at, worked on", "is reconciled", r"first handled|looked at|worked on"),
    _term("comes to equal", "eventually equals", r"comes? to (?:equal|leave)"),
    _term("comes to rest", "settles, is quiescent", r"c(?:o|a)mes? to rest"),
    _term("the next process, a new process", "the restarted controller", r"(?:new|next|last) process"),
    _term("at once", "immediately; at the same time", r"at once"),
    _term(
        "also if, also when, also after", "even if, even when, even after", r"also (?:if|when|after|where)"
    ),
    _term("a gang that waits", "a pending gang", r"(?:gangs?|pods?) that waits?"),
    _term("pods beyond the minimum", "surplus pods", r"pods? beyond (?:the|a|its) minimum"),
    _term("pods that ask for nothing", "best-effort pods", r"pods? that asks? for nothing"),
    _term(
        "accuses, blames",
        "reports a failure of, attributes to",
        r"(?:accus|blam)(?:e|es|ed|ing)",
    ),
    _term(
        "judged in place",
        "tested in in-cluster mode",
        r"(?:judg|test)(?:e|es|ed|ing) in place",
    ),
    _term("comes about, did not come about", "happens; precondition not met", r"c(?:o|a)mes? about"),
    _term(
        "a planted or seeded defect, a wrong controller",
        "a mutant, a faulty controller",
        r"planted|plants|seeded (?:defects?|changes?)|wrong (?:controllers?|schedulers?)",
    ),
    _term(
        "a mutant is caught, is missed",
        "is killed, survived (a mutant)",
        r"(?:mutants?|defects?|each|one) (?:(?:that|it|is|are|was|were|be|must|has|have|been|not|only) )+"
        r"(?:caught|missed)"
        r"|(?:catch|catches|caught|miss|misses|missed) (?:\w+ ){0,3}mutants?",
    ),
    _term("how a gang is spelled", "how a dialect expresses a gang", r"spell(?:s|ed|ing)?|spelt"),
    _term("owes", "must do", r"owes?|owed"),
    _term(
        "so many, so much", "as many, that many; a number", r"so (?:many|much)(?! as| that)", in_code="too"
    ),
    _term("be it", "whether ... or; even if", r"be it"),
    _term("not sooner than", "no earlier than, not before", r"(?:not|no) sooner than"),
    _term("exactly when", "if and only if", r"exactly when"),
    _term("forgets", "drops, resets, no longer has", r"forg[eo]t\w*", in_code="only"),
    _term(
        "takes for",
        "treats as, reads as, counts as",
        r"tak(?:en|es|e|ing) (?:\w+ )?for(?! granted)",
        in_code="only",
    ),
    _term("gives back", "returns", r"g(?:i|a)ven? back|gives back|giving back", in_code="only"),
    _term("a namesake", "another object of that name", r"namesakes?", in_code="only"),
    _term("company", "the other pods of its gang", r"company", in_code="only"),
    _term(
        "behaviour, licence, labelled",
        "behavior, license, labeled (US English)",
        r"(?:behavio|colo|neighbo|favo|hono|labo)ur\w*|licences?|catalogues?|centres?|cancelled|labelled|modelled"
        r"|(?:analy|recogni|seriali|minimi|initiali|summari|normali|prioriti|optimi|synchroni)s(?:e|es|ed|ing|ation)",
    ),
)


def unwanted(text: str, *, suite: bool = False, code: bool = False) -> Iterator[tuple[int, str, str]]:
    """The words of a text that are not used: offset, the word as it stands there, what to say instead.

    Args:
        text: prose, Markdown or Gherkin; code in it is not looked at.
        suite: whether it belongs to the suite: a requirement or a title.
        code: whether it is a docstring or a comment.
    """
    prose = _CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), text)
    unsaid = {"too", "only"} if code else {"no", "too"}
    terms = (term for term in TERMS if term.in_code in unsaid and (suite or not term.suite_only))
    yield from sorted(
        (found.start(), " ".join(found[0].split()), term.say)
        for term in terms
        for found in term.pattern.finditer(prose)
    )


def ill_formed(sentence: str) -> Iterator[str]:
    """What is wrong with the form of a requirement: each a message.

    A level word belongs to each clause, so that it is clear what binds; a negation belongs to the level word.
    """
    if (count := len(_WORD.findall(sentence))) > LONGEST_SENTENCE:
        yield f"{count} words; at most {LONGEST_SENTENCE}: say one thing, move reasons to the notes"
    for clause in filter(str.strip, re.split(r";|\.\s", sentence)):
        if not _LEVEL.search(clause):
            yield f"a clause without MUST, SHOULD or MAY: {clause.strip()!r}; give it one, or make it a note"
    if found := _NOT_NEGATED.search(sentence):
        yield f"{found[1]!r} reads as if it were allowed: name the actor, who MUST NOT do it"
    if found := _NOT_A_LEVEL.search(sentence):
        yield f"{found[0]!r} is no level: write it in capitals if it binds, else leave it out"
    if found := re.search(r"(?:^|[,;] )where\b", sentence, re.IGNORECASE):
        yield "'where' as a condition: say 'if', 'when' or 'while', at the beginning"
    if found := re.search(r"(?<!even )\bthough\b", sentence):
        yield "'though': say 'even if', 'even when' or 'although'"
