"""Growth: times of libraries over payload size, against the reference of their language."""

from importlib.resources import files

from serbench.kinds import Command
from serbench.kinds.growth.command import growth
from serbench.kinds.growth.plots import growth_plots
from serbench.kinds.growth.report import growth_tables
from serbench.kinds.growth.step import prepare
from serbench.report.page.library import KindChart
from serbench.report.parts import TimeTables
from serbench.run.kind import RunKind

KIND = (
    Command(growth),
    RunKind(name="growth", prepare=prepare, results="samples"),
    TimeTables(sections=growth_tables, plots=growth_plots),
    KindChart(name="growth", file=files(__name__) / "charts" / "growth.json"),
)
