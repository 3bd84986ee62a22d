"""What all tables for a terminal are made of."""

from rich import box
from rich.table import Table
from rich.text import Text

from serbench.report import text


def grid() -> Table:
    """Return an empty table in the style of all tables."""
    return Table(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        collapse_padding=True,
        padding=(0, 1),
        header_style="bold",
    )


def plain(sentence: str, style: str = "") -> Text:
    """Return a sentence in which nothing is markup."""
    return Text(text.visible(sentence), style=style, overflow="fold")


def indented(mark: str, sentence: str) -> Table:
    """Return a sentence behind a mark such as a number, its further lines below its first."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(justify="right", width=max(2, len(mark)), no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(Text(mark), Text(text.visible(sentence)))
    return grid
