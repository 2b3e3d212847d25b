"""The screen on the real engine: bundled models, the sample draft and its library."""

import asyncio
from pathlib import Path

from screens import shown

from veracite.engine.paths import Paths
from veracite.engine.report import beside
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Label
from veracite.tui.app import VeraciteApp
from veracite.tui.local_engine import LocalEngine
from veracite.tui.widgets.evidence import Quote, SideBySide

SAMPLES = Path(__file__).parents[1] / "samples"
FOUNDED = "The Wenlow Astronomical Society was founded on 14 March 1957."


async def test_a_draft_is_checked_and_every_verdict_shows_what_it_rests_on(tmp_path: Path) -> None:
    """The beginning of the sample draft, for the time the whole would take."""
    draft = tmp_path / "draft.md"
    sections = (SAMPLES / "draft.md").read_text().split("\n## ")
    draft.write_text("\n## ".join([*sections[:3], f"Beginnings\n\n{FOUNDED}\n"]))
    check = LocalEngine(
        CheckSettings(), Paths(tmp_path / "data", tmp_path / "cache", tmp_path / "config.toml")
    )
    app = VeraciteApp(check, path=draft, against=(SAMPLES / "library",))
    screen = app.check_screen
    async with app.run_test(size=(120, 40)) as pilot:
        await app.workers.wait_for_complete()
        await pilot.press("f5")
        await asyncio.to_thread(screen.runner.join)
        await pilot.pause()
        assert screen.state.report
        assert screen.state.findings
        text = draft.read_text()
        assert [text[mark.start : mark.end] for mark in screen.text.reader.marks] == [
            verdict.claim.text for verdict in screen.state.report.verdicts
        ]
        assert [mark.label for mark in screen.text.reader.marks] == [
            verdict.label for verdict in screen.state.report.verdicts
        ]
        sides = {}
        for mark in screen.text.reader.marks:
            screen.text.reader.move_to(mark.start)
            await pilot.pause()
            verdict = screen.state.findings.verdicts[mark.index]
            for state, items in beside.summary(verdict):
                told = f"{beside.STATE_WORDS[state]}: {items}"
                assert (told in shown(screen)) is (state != "conflict" or not beside.pairs(verdict))
            rows = [row.comparison for row in screen.evidence.query(SideBySide)]
            found = [(row.left.plain, row.right.plain) for row in rows]
            pairs = [
                (pair.claim.text, " ".join(pair.document.text.split()))
                for pair in beside.pairs(verdict)
            ]
            expected = [beside.COLUMNS, *pairs] if pairs else []
            assert found[: len(expected)] == expected
            if verdict.disagreement:
                sides[verdict.claim.statement] = found[-1]
            quotes = [quote.quotation for quote in screen.evidence.query(Quote)]
            assert len(quotes) == len(verdict.citations)
            assert bool(quotes) is (verdict.label is not Label.NOT_CHECKABLE)
            for quote, citation in zip(quotes, verdict.citations, strict=True):
                loud = [s for s in quote.passage.spans if "bold" in str(s.style)]
                assert len(loud) == 1
                assert Path(citation.file).name in quote.head.plain
                # found within its passage, and not put before it for want of a better place
                assert quote.passage.plain == citation.context
        one, other = sides[FOUNDED]
        assert "history.md\n“The Wenlow Astronomical Society was founded on 14 March 1957" in one
        assert "leaflet-2009.md\n“The Wenlow Astronomical Society, founded in 1958" in other
    check.close()
