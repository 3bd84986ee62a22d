"""What the columns about the heap say, as far as a run has them."""

from serbench.results.schema import Run


def has(run: Run, figure: str) -> bool:
    """Return whether any row of `run` has this figure of the heap: `allocations`, `bytes` or `peak`."""
    return any(row.heap is not None and getattr(row.heap, figure) is not None for row in run.rows)


def heap_legend(run: Run) -> dict[str, str]:
    """Return the names and meanings of the columns about the heap that the tables of `run` have."""
    one = "message" if any(dataset.messages > 1 for dataset in run.datasets) else "iteration"
    said = {
        "bytes": (
            "allocated",
            f"the bytes that one {one} asks for, counted in a launch of its own; in JavaScript what it takes "
            "of V8's heap and in array buffers.",
        ),
        "allocations": (
            "allocs",
            f"how often one {one} asks for memory, counted in a launch of its own.",
        ),
        "peak": ("peak", "the most bytes that one iteration has of the heap at one time."),
    }
    return {name: sentence for figure, (name, sentence) in said.items() if has(run, figure)}
