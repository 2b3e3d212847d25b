"""PowerPoint: each slide's texts and tables, then its notes; a slide is a page."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from veracite.index.documents import Extraction
from veracite.index.readers import IF_SCANNED, Assembly, file_bytes
from veracite.index.readers.archive import opened, slimmed, unless_damaged
from veracite.index.readers.tables import ACROSS

EXTRACTOR = "slides/6"

_KIND, _PROGRAM = "a PPTX presentation", "PowerPoint or LibreOffice"


def read(path: Path) -> Extraction:
    """Read a presentation; raises ReadError where it is damaged, locked or without text."""
    from pptx import Presentation

    assembly = Assembly()
    with unless_damaged(_KIND, _PROGRAM):
        with opened(file_bytes(path), _KIND, _PROGRAM) as archive:
            presentation = Presentation(slimmed(archive))
        for slide in presentation.slides:
            assembly.start_page()
            _mark_powers(slide.element)
            title = slide.shapes.title
            if title is not None:
                assembly.add("heading", " ".join(title.text_frame.text.split()), 1)
            _add(
                assembly, (s for s in slide.shapes if title is None or s.shape_id != title.shape_id)
            )
            if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
                _add_paragraphs(assembly, slide.notes_slide.notes_text_frame)
        named = presentation.core_properties.title
    return assembly.whole(EXTRACTOR, named, "The presentation holds no text.", IF_SCANNED)


def _add(assembly: Assembly, shapes: Iterable[Any]) -> None:
    for shape in shapes:
        if hasattr(shape, "shapes"):  # a group
            _add(assembly, shape.shapes)
        elif shape.has_text_frame:
            _add_paragraphs(assembly, shape.text_frame)
        elif shape.has_table:
            rows = [[*map(_cell, row.cells)] for row in shape.table.rows]
            wide = len(shape.table.columns) > 2  # names beside values are marked as heads, too
            below = ACROSS in rows[0] and not any(row[0] for row in rows[1:2])
            assembly.add_table(rows, 1 + below if shape.table.first_row and wide else 0)
        elif shape.has_chart:
            assembly.add_table(_chart_rows(shape.chart.element))


def _cell(cell: Any) -> str | None:
    if cell._tc.vMerge:
        return None
    return ACROSS if cell._tc.hMerge else str(cell.text)


def _mark_powers(slide: Any) -> None:
    """Put a sign before what is raised behind a figure: "10" and "6" would be another number."""
    for run in slide.iter("{*}r"):
        style, before = run.find("{*}rPr"), run.getprevious()
        raised = style is not None and style.get("baseline", "").startswith((*"123456789",))
        last = (getattr(before, "text", "") or "")[-1:]
        if raised and last.isdigit() and run.text[:1].isdigit():
            run.text = f"^{run.text}"


def _chart_rows(chart: Any) -> list[list[str]]:
    """The values of a chart of any kind, a row for each category and a column for each series."""
    names = ["Category"]
    rows: dict[int, dict[int, str]] = {}
    for number, series in enumerate(chart.iter("{*}ser"), start=1):
        names.append(series.findtext("{*}tx//{*}v") or "")
        for place, kinds in ((0, ("cat", "xVal")), (number, ("val", "yVal"))):
            for kind in kinds:
                for point in series.iterfind(f"{{*}}{kind}//{{*}}pt"):
                    row = rows.setdefault(int(point.get("idx")), {})
                    row[place] = point.findtext("{*}v") or ""
    found = (row for _, row in sorted(rows.items()))
    return [names, *([row.get(place, "") for place in range(len(names))] for row in found)]


def _add_paragraphs(assembly: Assembly, frame: Any) -> None:
    for paragraph in frame.paragraphs:
        assembly.add("paragraph", paragraph.text.replace("\v", "\n"))
