"""Build programs that fail: one sentence that names the place, and the traceback as the output."""

from pathlib import Path

import pytest

from serbench.build import program
from serbench.build.contract import Request
from serbench.build.records import BuildFailed
from serbench.provision.process import once

HEAD = "from serbench.build.contract import Answer, Request\nfrom serbench.build.records import BuildFailed\n"


def answered(does: str, folder: Path) -> object:
    """What the build program of a harness answers that does something first."""
    harness = folder / "harness/mine"
    harness.mkdir(parents=True)
    (harness / "build.py").write_text(
        f"{HEAD}def answer(request):\n    {does}\n    return Answer(flags='fine')\n"
    )
    return program.ask(Request(want="describe", root=folder, harness=harness, cache=folder)).flags


def test_a_program_is_a_function(tmp_path: Path) -> None:
    assert answered("assert request.want == 'describe'", tmp_path) == "fine"


@pytest.mark.parametrize(
    ("does", "reason"),
    [
        ("raise ValueError('a\\nb')", r"harness/mine/build\.py:4: ValueError: a$"),
        ("1 / 0", r"harness/mine/build\.py:4: ZeroDivisionError: division by zero"),
        ("import no_such_module", r"harness/mine/build\.py:4: ModuleNotFoundError: No module"),
        ("request.defines.index('a')", r"harness/mine/build\.py:4: ValueError: "),
        ("return Answer(flags=3)", r"src/serbench/build/contract\.py:\d+: ValidationError: Expected `str`"),
        ("return None", r"src/serbench/build/contract\.py:\d+: "),
    ],
)
def test_a_program_that_fails_says_where(does: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(BuildFailed, match=rf"^the build program failed at \S*{reason}") as caught:
        answered(does, tmp_path)
    assert caught.value.status == "failed" and "\n" not in caught.value.reason
    assert "Traceback" in caught.value.output


def test_a_refusal_is_as_the_program_says_it(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed, match=r"^there is no compiler here$") as caught:
        answered(
            "raise BuildFailed('there is no compiler here', 'whole\\noutput', unavailable=True)", tmp_path
        )
    assert caught.value.status == "unavailable" and caught.value.output == "whole\noutput"


@pytest.mark.parametrize("text", [None, "def nothing(: pass\n", "print('no function')\n"])
def test_a_program_that_cannot_be_loaded(text: str | None, tmp_path: Path) -> None:
    harness = tmp_path / "harness/mine"
    harness.mkdir(parents=True)
    if text is not None:
        (harness / "build.py").write_text(text)
    with pytest.raises(BuildFailed, match=r"^the build program failed at "):
        program.ask(Request(want="describe", root=tmp_path, harness=harness, cache=tmp_path))


def test_what_compilers_say_is_asked_again_in_another_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    ask = once(lambda name: asked.append(name) or len(asked))
    assert [ask("gcc"), ask("gcc"), ask("clang")] == [1, 1, 2]
    monkeypatch.setenv("PATH", "/somewhere/else")
    assert ask("gcc") == 3
