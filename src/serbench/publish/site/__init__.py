"""A folder of run files as pages: answers, changes, libraries over time, runs, the method, a feed.

`build` makes all of it; `answers` and `feed` say what it says; `manual` renders the documentation; `html`
fills the templates of assets/.
"""
