"""The help: options stand in groups, and each kind of run that is there has its commands."""

import pytest

from serbench import kinds
from serbench.commands.carry_out import kind_of
from serbench.errors import UserError
from serbench.measure.records import Plan


def test_options_stand_in_groups(command):
    said = command("run", "--help").stdout
    groups = ["What is measured", "How", "Where results go", "On other machines"]
    places = [said.index(f"─ {group} ─") for group in groups]
    assert places == sorted(places)
    assert places[0] < said.index("│ --tests") < places[1] < said.index("│ --budget") < places[2]
    assert places[2] < said.index("│ --output") < places[3] < said.index("│ --everywhere")
    assert "--resume" not in said and "--platform" not in said


def test_the_former_name_of_an_option_is_taken_and_not_shown(command):
    for name in ("--ignore-lock", "--even-if-busy"):
        assert "there is no test 'séance'" in command("run", name, "--tests", "séance").stderr
    assert "--even-if-busy" not in command("run", "--help").stdout


def test_kinds_of_run_have_their_commands(command):
    said = command("--help").stdout.partition("─ Other kinds of run ─")[2]
    found = {part.function.__name__ for part in kinds.found(kinds.Command)}
    assert found and all(f"│ {name} " in said for name in found)


def test_a_kind_that_is_not_here_is_refused():
    assert kind_of(Plan(kind="times")).results == "samples"
    with pytest.raises(UserError, match="of the kind 'séance', which this serbench does not have"):
        kind_of(Plan(kind="séance"))
