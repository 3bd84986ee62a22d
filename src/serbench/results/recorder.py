"""What a run finds out, kept in memory and in its journal at once, in the order in which it comes."""

from serbench.datasets.records import DatasetRecord
from serbench.measure.records import Failure, Period, Sample, Stop
from serbench.probe.records import Fidelity
from serbench.results.journal import Journal
from serbench.results.schema import RowRecord, Run


class Recorder:
    """Adds to a run. Each method raises UserError when the journal cannot be written; what it holds stays."""

    def __init__(self, run: Run, journal: Journal) -> None:
        self.run = run
        self.journal = journal

    def note(self, sentence: str) -> None:
        """Keep a sentence that a reader of the run must know."""
        self.run.notes.append(sentence)
        self.journal.note(sentence)

    def dataset(self, record: DatasetRecord) -> None:
        """Keep a dataset."""
        self.run.datasets.append(record)
        self.journal.dataset(record)

    def row(self, record: RowRecord) -> None:
        """Keep a row."""
        self.run.rows.append(record)
        self.journal.row(record)

    def fidelity(self, record: Fidelity) -> None:
        """Keep what was found out about a library's fidelity."""
        self.run.fidelity.append(record)
        self.journal.fidelity(record)

    def emit(self, record: Sample | Failure | Stop | Period) -> None:
        """Keep what measuring yields; a stop takes the place of an earlier one of its group."""
        if isinstance(record, Sample):
            self.run.samples.append(record)
            self.journal.sample(record)
        elif isinstance(record, Failure):
            self.run.failures.append(record)
            self.journal.failure(record)
        elif isinstance(record, Stop):
            self.run.stops[:] = [stop for stop in self.run.stops if stop.group != record.group]
            self.run.stops.append(record)
            self.journal.stop(record)
        else:
            self.run.periods.append(record)
            self.journal.period(record)

    def end(self, finished: str, seconds: float) -> None:
        """Note how the run ended, before its file is written."""
        self.run.finished, self.run.seconds = finished, seconds
        self.journal.end(finished, seconds, self.run.complete)
