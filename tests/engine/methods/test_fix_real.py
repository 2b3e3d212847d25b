"""Fix with the bundled models and a library on disk."""

from pathlib import Path

from mill import write_documents
from reports import report_of

from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Label
from veracite.engine.workbench import Workbench

DRAFT = """# The mill

The **Harrow mill** burned down in 1911 [1]. It was never rebuilt.

- The Harrow mill burned down in 1904.
- The mayor of Lisbon collects stamps.

| Owner     | Since |
|-----------|-------|
| Anna Berg | 1898  |

The harbour at Ledmoor cost 42,000 pounds.
"""
DOCUMENTS = {
    "mill.md": "# The Harrow mill\n\nThe Harrow mill burned down in 1904. It was never rebuilt.\n\n"
    "## Owners\n\n| Owner | Since |\n|---|---|\n| Anna Berg | 1889 |\n",
    "bees.txt": "Bees sleep at night. A hive holds up to 60,000 bees.\n",
    "a.txt": "The harbour at Ledmoor cost 42,000 pounds.\n",
    "b.txt": "The harbour at Ledmoor cost 45,000 pounds.\n",
}


def test_what_is_wrong_is_mended_and_what_is_disputed_is_left_to_the_reader(
    tmp_path: Path, paths: Paths
) -> None:
    documents = write_documents(tmp_path / "documents", DOCUMENTS)
    with Workbench(CheckSettings(threads=1), paths) as bench:
        report = report_of(list(bench.fix(DRAFT, against=(documents,))))
    fix = report.fix
    assert fix is not None
    assert (report.method, report.complete, fix.source) == ("fix", True, DRAFT)
    assert report.source == fix.text == DRAFT.replace("1911", "1904").replace("1898", "1889")
    verdicts = {verdict.claim.statement: verdict for verdict in report.verdicts}
    assert verdicts["The Harrow mill burned down in 1904."].label is Label.SUPPORTED
    assert verdicts["The mayor of Lisbon collects stamps."].label is Label.NOT_FOUND
    assert verdicts["The harbour at Ledmoor cost 42,000 pounds."].disagreement is not None
    assert sum(change.kept for change in fix.changes) == 2
    assert fix.changes[0].reason == "The documents say “1904”, not “1911”."
    assert report.settings["fix.T"] == 2
