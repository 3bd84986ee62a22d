"""`fidelity`: what libraries change of the data."""

from serbench.commands.carry_out import carry_out_probe
from serbench.commands.options import Contenders, Folders, Force, IgnoreLock, Languages, Output
from serbench.measure.records import Plan
from serbench.run.inputs import Inputs
from serbench.run.probing import chosen_rows


def fidelity(
    languages: Languages = [],  # noqa: B006 - typer copies its defaults
    contenders: Contenders = [],  # noqa: B006
    contender: Folders = [],  # noqa: B006
    output: Output = None,
    force: Force = False,
    ignore_lock: IgnoreLock = False,
) -> None:
    """Show what libraries change, refuse and add to the data, in languages that have probes."""
    inputs = Inputs(contender, ignore_lock=ignore_lock)
    rows = chosen_rows(inputs.catalog, "fidelity", languages, contenders)
    carry_out_probe(Plan(kind="fidelity", rows=rows), inputs, output, force)
