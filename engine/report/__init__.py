"""Reports: what a check found, as JSON, Markdown or a page of HTML.

Each module has one function ``render(report, ...) -> str``. The same report gives the same bytes:
nothing here knows the date.
"""
