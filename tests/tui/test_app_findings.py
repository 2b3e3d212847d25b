"""What the app keeps and computes, without a screen."""

from dataclasses import replace

from scripted import CONTEXT, LABELS, QUOTE, TEXT, claims, verdict

from veracite.engine.events import Judged, Segmented
from veracite.engine.types import Label, Override
from veracite.tui.checking import Findings, State
from veracite.tui.quotes import find_quote
from veracite.tui.texts import flow, harmless


def marked(findings: Findings) -> dict[str, Label | None]:
    return {findings.text[mark.start : mark.end]: mark.label for mark in findings.marks()}


def test_edits_made_before_the_claims_are_known_count() -> None:
    findings = Findings(TEXT)
    findings.edit(f"In short: {TEXT}")
    findings.segment(claims(TEXT))
    assert set(marked(findings)) == set(LABELS)


def test_an_early_verdict_is_shown_until_the_claim_is_judged_and_not_counted() -> None:
    findings = Findings(TEXT)
    findings.segment(claims(TEXT))
    for index, claim in enumerate(claims(TEXT)):
        findings.expect(index, replace(verdict(claim), label=Label.UNCERTAIN))
    assert findings.early
    assert set(marked(findings).values()) == {Label.UNCERTAIN}
    assert {mark.sign for mark in findings.marks()} == {"…"}
    assert not findings.verdicts
    findings.judge(0, verdict(claims(TEXT)[0]))
    findings.expect(0, replace(verdict(claims(TEXT)[0]), label=Label.UNCERTAIN))
    assert findings.verdict(0) == verdict(claims(TEXT)[0])
    assert findings.marks()[0].sign == " "
    findings.settle()
    assert findings.verdict(1) is None


def test_what_a_person_says_of_an_early_verdict_holds_at_once_and_when_another_replaces_it() -> (
    None
):
    claim, state = claims(TEXT)[0], State(None)
    early = Judged(0, replace(verdict(claim), label=Label.UNCERTAIN), False, 1, 5, early=True)
    findings = state.begin(TEXT)
    state.take(Segmented(claims(TEXT)))
    state.take(early)
    state.say(early.verdict, Label.CONTRADICTED, "I was there.")
    for event in (None, early, Judged(0, verdict(claim), False, 1, 5)):
        if event:
            state.take(event)
        (mark,) = [mark for mark in findings.marks() if mark.index == 0]
        assert (mark.label, mark.sign) == (Label.CONTRADICTED, "*"), event
    told = state.verdict(mark)
    assert told
    assert told.override == Override(Label.SUPPORTED, "I was there.")


def test_a_quote_is_found_although_lines_hyphens_and_letters_were_joined() -> None:
    span = find_quote(CONTEXT, QUOTE)
    assert span
    assert CONTEXT[slice(*span)] == "The mill burned down in 1904 and was never rebuilt."
    assert find_quote("The office closed.", "The o\ufb03ce closed.") == (0, 18)
    assert [find_quote(CONTEXT, other) for other in ("Nobody said this.", "…")] == [None, None]


def test_flow_joins_the_lines_of_a_paragraph_and_nothing_else() -> None:
    long = "This line of a paragraph was broken by hand at"
    text = (
        f"{long}\nsome column.\n\n# A heading that is as long as a line of text\n{long}\n- item\n"
    )
    assert flow(text) == text.replace(f"{long}\nsome", f"{long} some")


def test_what_a_terminal_would_obey_does_not_enter_the_editor() -> None:
    text = harmless("a\x1b[31mred\x07\r\nb\u202ec\ufeff\td\u200ce\ud800")
    assert not set(text) & set("\x1b\x07\r\u202e\ufeff\ud800")
    assert "\n" in text
    assert "\td\u200ce" in text
