"""The document model and its two renderers."""

import pytest
from rich.cells import cell_len

from serbench.report.document import (
    Column,
    Document,
    Item,
    Legend,
    List,
    Paragraph,
    Section,
    Table,
    TableRow,
)
from serbench.report.markdown import markdown_of
from serbench.report.terminal import aligned, terminal_text

HOSTILE = "a|b <b>*x*</b> `c` [d](e)\n# f \x1b[31m"


def of(*blocks, title="") -> Document:
    return Document([Section(title, list(blocks))])


def lines(document: Document, width: int) -> list[str]:
    found = terminal_text(document, width).splitlines()
    assert max(map(cell_len, found), default=0) <= width
    return found


def wide_table() -> Table:
    columns = [
        Column("name", priority=20, least=6, most=12),
        Column("first", align="right"),
        Column("second", align="right", priority=10),
        Column("third", align="right", priority=30),
    ]
    return Table(columns, [TableRow(["a name of some words", 1, 2222, 3]), TableRow(["b", None, 4, 55])])


@pytest.mark.parametrize(
    ("width", "headers", "first_cell"),
    [
        (13, "name first", "a name"),
        (21, "name first second", "a name"),
        # A column that is wrapped gets room before one of a higher priority is shown.
        (27, "name first second", "a name of"),
        (34, "name first second third", "a name of"),
        (60, "name first second third", "a name of some words"),
    ],
)
def test_columns_get_room_in_the_order_of_their_priority(width, headers, first_cell):
    found = lines(of(wide_table()), width)
    assert found[0].split() == headers.split()
    assert (found[2].startswith(first_cell) and "2,222" in " ".join(found)) or width == 13


def test_a_column_with_a_priority_and_nothing_in_it_is_left_out():
    columns = [Column("a"), Column("b", priority=1), Column("c")]
    document = of(Table(columns, [TableRow(["x", None, None]), TableRow(["y", "", None])]))
    assert lines(document, 80)[0].split() == ["a", "c"]
    assert markdown_of(document).splitlines()[0] == "| A | C |"


def test_a_column_formats_its_cells_once_for_all_renderers():
    columns = [Column("n", align="right"), Column("part", align="right", show=lambda part: f"{part:.1%}")]
    document = of(Table(columns, [TableRow([1234567, 0.5])]))
    assert lines(document, 80)[2].split() == ["1,234,567", "50.0%"]
    assert "| 1,234,567 | 50.0% |" in markdown_of(document)


def test_notes_are_numbers_below_the_last_table_or_words_in_it():
    columns = [Column("name")]
    section = Section(
        "title",
        [
            Table(columns, [TableRow(["x"], ["long note"]), TableRow(["y"])], title="one"),
            Table(columns, [TableRow(["z"], ["another", "long note"])], title="two"),
            Paragraph("the end"),
        ],
    )
    narrow = lines(Document([section]), 30)
    assert narrow[-3:] == [" 1 long note", " 2 another", "the end"]
    assert [line.split() for line in narrow if line.startswith(("x", "y", "z"))] == [
        ["x", "1"],
        ["y"],
        ["z", "1,2"],
    ]
    wide = lines(Document([section]), 80)
    assert "z     another; long note" in wide and not any(line.startswith(" 1 ") for line in wide)
    document = markdown_of(Document([section]))
    assert "| z | 1, 2 |" in document and "Notes:\n\n1. long note\n2. another\n\nthe end" in document


def test_a_table_of_many_figures_is_brief_and_then_continues_below():
    columns = [Column("name", most=10)]
    columns += [
        Column(f"c{n}", align="right", show=lambda v: f"{v} with interval", brief=str) for n in range(8)
    ]
    table = Table(columns, [TableRow(["row", *range(8)])], split=True)
    assert len(lines(of(table), 200)) == 3 and "7 with interval" in lines(of(table), 200)[2]
    narrow = lines(of(table), 18)
    assert [line.split() for line in narrow[::3]] == [
        ["name", "c0", "c1", "c2"],
        ["name", "c3", "c4", "c5"],
        ["name", "c6", "c7"],
    ]
    assert "with interval" not in " ".join(narrow)
    assert "7 with interval" in markdown_of(of(table))


def test_a_table_that_ends_with_text_is_stacked_where_it_has_no_room():
    columns = [Column(""), Column("contender"), Column("why", least=30)]
    table = Table(
        columns, [TableRow(["✓", "c/one", "from here and from there"]), TableRow(["✗", "c/another", ""])]
    )
    assert lines(of(table), 80)[0].split() == ["contender", "why"]
    assert lines(of(table), 30) == ["✓  c/one", "   from here and from there", "✗  c/another"]


def test_the_legend_has_the_columns_that_were_shown():
    columns = [Column("a", says="first."), Column("wide column", name="b", priority=9, says="second.")]
    document = of(Table(columns, [TableRow(["x", "y"])]), Legend("What they say"))
    assert lines(document, 80)[-3:] == ["What they say", "a: first.", "wide column: second."]
    assert lines(document, 13)[-2:] == ["What they say", "a: first."]
    assert "### " not in markdown_of(document)
    assert markdown_of(document).endswith("## What they say\n\n- **A**: first.\n- **B**: second.\n")
    assert lines(of(Legend("What they say")), 80) == []


def test_rows_aside_stand_apart():
    table = Table([Column("a")], [TableRow(["x"]), TableRow(["base"], aside=True)])
    assert lines(of(table), 80) == ["a", "────", "x", "", "base"]


@pytest.mark.parametrize("width", [20, 80, 200])
def test_nothing_in_a_text_is_markup(width):
    document = Document(
        [
            Section(
                HOSTILE,
                [
                    Table([Column(HOSTILE)], [TableRow([HOSTILE], [HOSTILE])], title=HOSTILE),
                    List([Item(HOSTILE, HOSTILE), Item("", HOSTILE)], HOSTILE),
                    Paragraph(HOSTILE),
                ],
            )
        ],
        title=HOSTILE,
    )
    lines(document, width)
    for text in (terminal_text(document, width), markdown_of(document)):
        assert "\x1b" not in text
    made = markdown_of(document)
    assert "<b>" not in made and "*x*" not in made.replace("\\*x\\*", "") and "\n# f" not in made
    assert "[d](e)" not in made and "`c`" not in made.replace("\\`c\\`", "")


def test_decimal_points_and_brackets_stand_below_each_other():
    assert aligned(["1.25", "12.5", "-", "1,250"]) == ["    1.25", "   12.5 ", "    -   ", "1,250   "]
    assert aligned(["1.5 ±10%", "(0.25 ±2%)", "-", "words"]) == [
        *(" 1.5  ±10% ", "(0.25  ±2%)", " -         ", "     words "),
    ]
    assert aligned([]) == []
