"""The report page: one HTML file that shows runs, loads nothing from anywhere, and can be sent by mail.

`make.page` makes the file; `data` says what it holds; `library` has the charting library's script. The page's
modules are in the folder page/ of the repository, those of kinds of run in their folders; page/build.py
bundles them as assets/page.js. The charts below assets/charts/ are drawn by plots.py too.
"""
