"""Docstrings, comments and documents have plain words: these phrases make a reader stop."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from serbench.project import ROOT
from serbench.publish.site.manual import PATTERNS

SOURCES = ("src", "tests", "harness", "contenders", "benchmarks", "formats", "platforms", "page")
NOT_OURS = ("node_modules", "golden")
NO_PROSE = ("docs/results/",)
"""Printed by a command and held by its own test, and dated results, which are not written anew."""

GENITIVE = re.compile(r"(?:^|(?<=[.!?;:] ))(?:Of (?!course\b)|Whom\b|By whom\b|To whom\b|By which\b)")
"""A sentence that begins with what belongs at its end."""
QUESTION = re.compile(r"^(?:Who|Whose)\b(?!.*\?)")
"""A docstring that begins as a question does and is none: it does not say what the thing is."""
PHRASES = {
    "to be had": r"\b(?:to|cannot|can) be had\b",
    "it is looked at": r"\b(?:it|that|which|they) (?:is|are|was|were) looked at\b",
    "what is not there": r"\bwhat is not there\b",
    "hold against": r"\b(?:hold|holds|held|holding)\b(?: [\w'`]+){1,8} against\b|\bheld against\b",
    "thus": r"\bthus\b",
    "besides": r"\bbesides\b",
}


class Words(NamedTuple):
    """A docstring, a comment or a paragraph, on one line."""

    path: str
    line: int
    text: str


def files(*patterns: str) -> Iterator[Path]:
    for pattern in patterns:
        for path in sorted(ROOT.glob(pattern)):
            if not any(part in NOT_OURS or part.startswith(".") for part in path.relative_to(ROOT).parts):
                yield path


def docstrings(path: Path) -> Iterator[Words]:
    """The docstrings of a module and its attributes, and its comments, which may have several lines."""
    source, name = path.read_text("utf-8"), str(path.relative_to(ROOT))
    for node in ast.walk(ast.parse(source)):
        body = getattr(node, "body", None)
        for each in body if isinstance(body, list) else []:
            if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant):
                yield Words(name, each.lineno, " ".join(str(each.value.value).split()))
    comment: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            comment.append(token)
        elif token.type != tokenize.NL and comment:
            said = " ".join(each.string.lstrip("# ").strip() for each in comment)
            yield Words(name, comment[0].start[0], said)
            comment = []


def paragraphs(path: Path) -> Iterator[Words]:
    """The paragraphs, points and cells of a Markdown document, without its code."""
    name = str(path.relative_to(ROOT))
    lines: list[str] = []
    for number, line in enumerate([*path.read_text("utf-8").splitlines(), ""], 1):
        ends = not line.strip() or line.startswith(("#", "|", "- ", "  - ", "    ")) or line[:2] == "1."
        if ends and lines:
            yield Words(name, number - len(lines), " ".join(" ".join(lines).split()))
            lines = []
        if line.startswith("|"):
            yield from (Words(name, number, cell.strip()) for cell in line.split(" | "))
        elif line.strip() and not line.startswith(("    ", "#")):
            lines.append(line.removeprefix("- "))


def wrong(words: Words) -> list[str]:
    """What is to be said otherwise in a text."""
    found = [name for name, phrase in PHRASES.items() if re.search(phrase, words.text, re.IGNORECASE)]
    return found + (["begins with a genitive"] if GENITIVE.search(words.text) else [])


def listed(found: list[tuple[Words, str]]) -> str:
    return "\n".join(f"{each.path}:{each.line}: {why}: {each.text[:90]}" for each, why in found)


def test_docstrings_and_comments():
    texts = [each for path in files(*(f"{top}/**/*.py" for top in SOURCES)) for each in docstrings(path)]
    assert len(texts) > 5000
    found = [(each, why) for each in texts if each.path != "tests/test_words.py" for why in wrong(each)]
    found += [(each, "begins with who") for each in texts if QUESTION.search(each.text)]
    assert not found, listed(found)


def test_documents():
    paths = [path for path in files(*PATTERNS) if not str(path.relative_to(ROOT)).startswith(NO_PROSE)]
    texts = [each for path in paths for each in paragraphs(path)]
    assert len(paths) > 20 and len(texts) > 1000
    found = [(each, why) for each in texts for why in wrong(each)]
    assert not found, listed(found)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Of each row: enough to see a multiple of two.", ["begins with a genitive"]),
        ("It is fast. Of several compilers one is taken.", ["begins with a genitive"]),
        ("Of course it is fast.", []),
        ("A tool is to be had there.", ["to be had"]),
        ("A test holds the bytes against those of the compiler.", ["hold against"]),
        ("Nothing holds. It is against the rules.", []),
        ("Thus it ends, and it is looked at besides.", ["it is looked at", "thus", "besides"]),
        ("What is not there has no figure.", ["what is not there"]),
        ("serbench compares the bytes with those of the compiler.", []),
    ],
)
def test_the_phrases_are_found(text, why):
    assert wrong(Words("", 1, text)) == why


def test_a_question_is_one():
    assert QUESTION.search("Who is there, by name.") and QUESTION.search("Whose it is.")
    assert not QUESTION.search("Who is there? By name.") and not QUESTION.search("The one who is there.")
