"""Where Veracite loses, or does not surely win: read off the measured results."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from results_means import means
from results_measured import AS_SHIPPED, OURS, PLAIN, VERIFIER, Measured, named

from veracite.engine.evaluation import report as phrases
from veracite.engine.evaluation.results import Comparison

_OVER_SETS = "mean over sets"
_LEAD = "lead over "
"""What the names of the differences in the table of changed facts begin with."""
_HALVES = {"both": "", "supported": ", unchanged", "contradicted": ", changed"}


def losses(measured: Sequence[Measured]) -> Iterator[str]:
    """Sentences on every set, and mean, where Veracite is not surely better than another way."""
    for mean in means(measured):
        yield from _not_beaten(mean.title, mean.leads)
    for one in measured:
        if one.entry.kind == "facts":
            yield from _facts(one.entry.title, one.printed["lines"])
        if one.entry.kind == "eval" and one.entry.name != "aggrefact":
            yield from _of_set(one)


def _of_set(one: Measured) -> Iterator[str]:
    result = one.result
    assert result is not None
    if result.task == "answer":
        yield from _of_answers(one)
        return
    leads = [c for m in result.methods if m.method in (OURS, "hybrid") for c in m.compared]
    yield from _not_beaten(one.entry.title, leads)
    shipped = one.method(AS_SHIPPED)
    lost = [
        lead
        for lead in (shipped.compared if shipped else ())
        if lead.other in (VERIFIER, *PLAIN) and _is_lost(lead) and lead.figure != _OVER_SETS
    ]
    yield from _not_beaten(f"{one.entry.title}, as shipped", lost)
    yield from _unsafe(one)


def _of_answers(one: Measured) -> Iterator[str]:
    """The first method is the one that is shipped; its leads are over all others."""
    result = one.result
    if result is None or not result.methods:
        return
    shipped = result.methods[0]
    plain = {method.method for method in result.methods if method.trivial}
    beside = [lead for lead in shipped.compared if lead.other in plain or _is_lost(lead)]
    yield from _not_beaten(f"{one.entry.title}, {shipped.method}", beside)
    for lead in shipped.compared:
        if lead.other not in plain and lead.low is not None and lead.low > 0:
            worse = f"{lead.other} is surely worse than {shipped.method}"
            difference = f"whose lead in {lead.figure} is {phrases.lead(lead)}"
            yield f"{one.entry.title}: {worse} ({difference})."


def _facts(title: str, lines: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Kinds of changes on which another way has surely more right."""
    lost: dict[str, list[str]] = {}
    for line in lines:
        for name, cell in line["cells"].items():
            if name.startswith(_LEAD) and cell["high"] < 0:
                lead = Comparison(name, "", cell["value"], cell["low"], cell["high"])
                where = f"{line['kind']}{_HALVES[line['half']]}"
                lost.setdefault(name.removeprefix(_LEAD), []).append(
                    f"{where} {phrases.lead(lead)}"
                )
    for other, kinds in lost.items():
        yield f"{title}: loses to {other} ({'; '.join(kinds)})."


def _is_lost(lead: Comparison) -> bool:
    return lead.high is not None and lead.high < 0


def _not_beaten(title: str, leads: Sequence[Comparison]) -> Iterator[str]:
    behind = "is behind, though not surely,"
    said: dict[str, list[str]] = {"loses to": [], behind: [], "is not surely better than": []}
    for lead in leads:
        if lead.low is None or lead.high is None or lead.low > 0 or lead.figure == _OVER_SETS:
            continue
        how = behind if (lead.difference or 0) < 0 else "is not surely better than"
        said["loses to" if lead.high < 0 else how].append(
            f"{named(lead.other)} ({lead.figure} {phrases.lead(lead)})"
        )
    clauses = [f"{how} {', '.join(others)}" for how, others in said.items() if others]
    if clauses:
        yield f"{title}: {'; '.join(clauses)}."


def _unsafe(one: Measured) -> Iterator[str]:
    """A wrong *supported* is the error that hurts; where only *contradicted* counts as false, it is
    one of several labels that let a false claim pass."""
    wrong = one.figure("false supported", AS_SHIPPED)
    if wrong is None or wrong.value is None or wrong.value <= 1 / 3:
        return
    share = phrases.share(wrong.value)
    settings = one.printed["record"]["settings"] if one.printed.get("record") else {}
    if settings.get("against_contradiction"):
        how = "is not called contradicted, which alone counts as calling it false there"
    else:
        how = "is called supported"
    yield f"{one.entry.title}: as shipped, {share} of what is false {how}."
