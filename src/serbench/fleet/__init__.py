"""One run on many machines, behind Dask's scheduler: loaded for `--on`, `join` and `fleet` alone."""
