"""The text in an HTML report: its Markdown rendered, its claims marked, nothing of it obeyed."""

import re
from itertools import pairwise

import hypothesis
import pytest
from contrast import contrast
from hypothesis import strategies
from lxml import html
from reports import report
from textual.color import Color

from veracite.engine.claims.segmentation import segment
from veracite.engine.report.html import STYLE, render
from veracite.engine.types import Label, Report, Verdict

DRAFT = """---
title: Mill
---
# The mill

## Its *history*, and `more`

**The mill burned
in 1904.** It was [rebuilt](http://example.org/) in
1911 [1]. *A fire

- It grew. <b>Then</b> it <!-- not --> fell.
  - Deeper &amp; deeper it went.

3. Third it was.

| Year | Name |
| --- | --- |
| 1904 | Anna \\| Berg |

> A quoted line says
> that it burned.

```
code here
```
"""


def checked(source: str, *, markdown: bool = True) -> Report:
    """A report in which every claim of a text has a verdict."""
    claims = segment(source, markdown=markdown)
    made = tuple(Verdict(one, Label.NOT_FOUND, 0.9, None, "x", "y") for one in claims)
    return report(source=source, settings={"markdown": markdown}, verdicts=made)


def text_of(source: str, **how: bool) -> html.HtmlElement:
    """The text as the page shows it."""
    page = html.document_fromstring(render(checked(source, **how)))
    (text,) = page.xpath("//div[@class='text']")
    assert isinstance(text, html.HtmlElement)
    return text


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def test_blocks_and_emphasis_are_elements_and_wrapped_lines_flow() -> None:
    text = text_of(DRAFT)
    assert [heading.tag for heading in text.xpath(".//h3 | .//h4")] == ["h3", "h4"]
    assert text.xpath("string(.//h4)") == "Its history, and more"
    assert text.xpath(".//li/ul/li//text()")[0] == "Deeper & deeper it went."
    assert text.xpath(".//ol/@start") == ["3"]
    assert [cell.text_content() for cell in text.iter("td")] == ["1904", "Anna | Berg"]
    assert text.xpath("string(.//strong)") == "The mill burned\nin 1904."
    quoted = text.xpath("string(.//blockquote)").split()
    assert quoted == "A quoted line says that it burned.".split()
    assert text.xpath("count(.//br)") == 0
    assert "<b>Then</b> it <!-- not --> fell." in text.text_content()
    assert text.xpath("string(.//pre[last()])") == "code here\n"


def test_every_claim_is_marked_whatever_it_crosses() -> None:
    text = text_of(DRAFT)
    for number, claim in enumerate(segment(DRAFT), start=1):
        (first,) = text.xpath(f".//a[@id='text-{number}']")
        assert words(first.text_content())[0] == words(claim.text)[0]
    marked = text.xpath(".//a | .//span")
    shown = " ".join(part.text_content() for part in marked)
    told = " ".join(verdict.claim.statement for verdict in checked(DRAFT).verdicts)
    assert set(words(told)) <= set(words(shown))


def test_lines_that_were_meant_to_end_do() -> None:
    assert text_of("Make: Cessna\nModel: 172\n").xpath("count(.//br)") == 1


def test_a_text_without_markup_stays_as_it_is() -> None:
    source = "# Not a heading *at all*\n\n    It is   so.\nMake: Cessna\nModel: 172\n"
    text = text_of(source, markdown=False)
    assert text.xpath("string(div[@class='plain'])") == source
    assert text.xpath("count(.//br)") == 0


def test_the_headings_of_the_page_leave_out_no_level() -> None:
    page = html.document_fromstring(
        render(checked("#### Deep\n\n# High\n\n###### Deeper\n\nText.\n"))
    )
    levels = [int(one.tag[1]) for one in page.xpath("//h1 | //h2 | //h3 | //h4 | //h5 | //h6")]
    assert levels[0] == 1
    assert max(after - before for before, after in pairwise(levels)) == 1


SIGNS = "".join(map(chr, range(0x2E00, 0x2E5E)))
"""What claims are marked by, and more."""


@pytest.mark.parametrize("source", [SIGNS, f"A mill. {SIGNS[:60]}1{SIGNS[0]} It *burned*."])
def test_the_signs_of_claims_may_stand_in_the_text(source: str) -> None:
    assert "".join(text_of(source).text_content().split()) == "".join(
        source.replace("*", "").split()
    )


LETTERS = strategies.sampled_from("ab \n*_`[](){}<>|-#>1.!&\\\t:/\u2e00\u2e01")


@hypothesis.given(strategies.text(LETTERS, max_size=80))
def test_no_text_breaks_the_page_or_loses_words(source: str) -> None:
    if source.strip():
        text = text_of(source)
        tags = {str(element.tag) for element in text.iter()}
        assert tags <= set(
            "div p a span em strong code pre ul ol li blockquote hr br table".split()
        ) | {*("thead", "tbody", "tr", "th", "td", "h3", "h4", "h5", "h6")}
        assert {name for element in text.iter() for name in element.attrib} <= {
            *("class", "dir", "href", "id", "title", "start")
        }


def test_colours_are_told_apart_from_their_ground() -> None:
    sheet = STYLE.read_text("utf-8")
    schemes = re.findall(r":root \{(.*?)\}", sheet, re.DOTALL)
    ((marked, share),) = re.findall(
        r"^mark \{ color: var\(--(\w+)\).*?^mark.conflict \{ .*?(\d+)%", sheet, re.DOTALL | re.M
    )
    assert len(schemes) == 2
    for scheme in schemes:
        colours = dict(re.findall(r"--([\w-]+): (#\w{6})", scheme))
        grounds = [Color.parse(colours.pop(ground)) for ground in ("paper", "box")]
        del colours["line"]
        for name, colour in colours.items():
            for ground in grounds:
                # WCAG 2.2, criterion 1.4.3.
                assert contrast(Color.parse(colour), ground) >= 4.5, name
                tinted = ground.blend(Color.parse(colour), int(share) / 100)
                assert contrast(Color.parse(colours[marked]), tinted) >= 4.5, name
