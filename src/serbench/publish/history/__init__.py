"""The runs of a folder over time: figures of each row, and which changes of them are proved.

`store` keeps what run files say in SQLite, in the cache; `timeline` is what the other modules work on.
"""
