"""A result as a table, and as a page that runs nothing whatever the data hold."""

from dataclasses import replace
from pathlib import Path

from lxml import html

from veracite.engine.evaluation import items
from veracite.engine.evaluation.report import lines, page

RESULT = items.Result(
    task="attribute",
    format="tiny",
    label_map={"yes": True, "partly": False, "no": False},
    items=4,
    positives=0.25,
    methods=(
        items.MethodResult(
            "veracite",
            (items.Figure("balanced accuracy", 0.75, 0.5, 1.0), items.Figure("ROC-AUC", None)),
            2,
            problems=1,
            threshold=0.4,
            compared=(items.Comparison("overlap", "balanced accuracy", 0.1, -0.1, 0.3, 0.04),),
        ),
        items.MethodResult("overlap", (items.Figure("balanced accuracy", 12.5),), 2),
        items.MethodResult("always", (), 2),
    ),
    parts=(
        items.Part("thresholds", "first half of the groups", ("a", "b"), 2, 0.0),
        items.Part("results", "second half of the groups", ("c",), 2, 0.5),
    ),
    mistakes=(items.Mistake("c1", "It rained.", "no", "supported", 0.9),),
    notes=("1 row could not be read.",),
    record={"seed": 7, "data": [{"name": "tiny.jsonl", "sha256": "ab" * 32, "bytes": 120}]},
)


def answered(*truth: bool) -> items.Answered:
    """What the plots of the result are drawn from."""
    every = [
        items.Statement(str(n), str(n), "A.", true, str(true), ()) for n, true in enumerate(truth)
    ]
    ours = {i.id: items.Prediction(i.id, "veracite", 0.1 + 0.2 * int(i.id)) for i in every}
    loaded = items.Loaded("attribute", "tiny", tuple(every))
    said = {"veracite": ours, "overlap": ours}
    return items.Answered(loaded, items.Asked(loaded.task, ()), said, {}, Path("run"))


HOSTILE = "<script>alert(1)</script>\u202e\x1b[31m"


def shown(result: items.Result, width: int = 80) -> str:
    return "\n".join(line for line, _ in lines(result, width))


def test_every_figure_stands_in_the_table_within_the_width() -> None:
    text = shown(RESULT)
    assert max(map(len, text.splitlines())) <= 80
    figures = tuple(items.Figure(f"figure {n}", 0.5, 0.4, 0.6) for n in range(9))
    wide = shown(replace(RESULT, methods=(items.MethodResult("veracite", figures, 2),)))
    assert max(map(len, wide.splitlines())) <= 80
    assert wide.count("Method ") > 1, "columns in blocks"
    for said in ("0.750 [0.50, 1.00]", "n/a", "+0.100 [-0.100, +0.300]  0.040", "12.5"):
        assert said in text
    assert "Thresholds, from the first half of the groups: veracite 0.400" in text
    assert "veracite gave no prediction for 1 of 2 items" in text


def test_the_page_holds_figures_and_plots_and_allows_no_script() -> None:
    said = answered(True, False, True, False)
    made = page(RESULT, said)
    assert made == page(RESULT, said), "the same result is the same page"
    tree = html.fromstring(made.encode())
    (policy,) = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert "default-src 'none'" in policy
    assert tree.xpath("//figure/figcaption/text()") == [
        "Receiver operating characteristic", "Precision and recall", "Reliability",
    ]  # fmt: skip
    assert all(src.startswith("data:image/svg+xml") for src in tree.xpath("//img/@src"))
    assert "<img" not in page(RESULT, answered(True, True, True, True)), "nothing to tell apart"


def test_what_the_data_hold_is_neutralised() -> None:
    hostile = replace(
        RESULT,
        format=HOSTILE,
        notes=(HOSTILE,),
        mistakes=(items.Mistake(HOSTILE, HOSTILE, HOSTILE, HOSTILE, 0.9),),
    )
    made = page(hostile, answered(True, False, True, False))
    assert not html.fromstring(made.encode()).xpath("//script")
    for held in (made, shown(hostile)):
        assert "\u202e" not in held
        assert "\x1b" not in held
