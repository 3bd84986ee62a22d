"""The report page: one HTML file that shows runs, loads nothing from anywhere, and can be sent by mail.

`make.page` makes the file; `data` says what it holds; `library` has the charting library's script. The page's
own sources are below sources/, and the charts, which plots.py draws too, below sources/charts/.
"""
