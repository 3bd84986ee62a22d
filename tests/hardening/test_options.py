"""Every number that an option takes has a range, and every list a name: nothing else comes through."""

import pytest
import typer

from serbench.cli import app

REQUIRED = {"collect": ("--port", "/dev/null"), "limits": (), "growth": (), "run": (), "verify": ()}
"""What commands cannot do without."""


def numeric_options():
    """The words of every command with each of its options that is a number."""
    waiting = [((), typer.main.get_command(app))]
    while waiting:
        words, command = waiting.pop()
        waiting += [((*words, name), inner) for name, inner in getattr(command, "commands", {}).items()]
        for parameter in command.params:
            if parameter.type_descriptor.annotation in (int, float) or parameter.min is not None:
                yield pytest.param(words, parameter, id=" ".join([*words, parameter.opts[0]]))


def test_there_are_such_options():
    assert {"--budget", "--seed", "--timeout", "--threshold", "--heap", "--baud"} <= {
        found.values[1].opts[0] for found in numeric_options()
    }


@pytest.mark.parametrize(("words", "option"), list(numeric_options()))
@pytest.mark.parametrize("value", ["inf", "-inf", "nan", "1e400", "-1e300", "9" * 5000, "", "ten"])
def test_a_number_out_of_its_range_is_refused(words, option, value, command, tmp_path):
    assert option.min is not None and option.max is not None
    done = command(*words, *REQUIRED.get(words[0], ()), option.opts[0], value)
    assert done.returncode == 2 and done.stdout == "" and option.opts[0] in done.stderr
    assert list(tmp_path.iterdir()) == []


LISTS = (
    "--tests",
    "--languages",
    "--contenders",
    "--datasets",
    "--profile",
    "--compiler",
    "--allocator",
    "--cpu",
)


@pytest.mark.parametrize("option", LISTS)
@pytest.mark.parametrize("value", ["", " ,"])
def test_an_empty_list_does_not_mean_all(option, value, command, tmp_path):
    done = command("run", option, value)
    assert done.returncode == 2 and done.stdout == "" and "list of names is empty" in done.stderr
    assert list(tmp_path.iterdir()) == []
