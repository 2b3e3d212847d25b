"""Reports: what a check found, as JSON, Markdown, a page of HTML, SARIF or JUnit's XML.

The module of each format has one function ``render(report, ...) -> str``. The same report gives the
same bytes: nothing here knows the date.
"""
