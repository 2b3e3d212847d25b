"""What a method costs is what its events say."""

from pathlib import Path

from asking import ScriptedSkills, run, tools

from veracite.engine.events import Asked, Warned
from veracite.engine.methods.catalogue import named
from veracite.engine.methods.cost import Cost, Meter
from veracite.engine.methods.events import Began
from veracite.engine.methods.running import run as ask

MILL = "The mill burned down in 1904."


def test_a_meter_adds_up_what_happens_after_the_method_set_out(tmp_path: Path) -> None:
    times = iter(range(100))
    meter = Meter(lambda: float(next(times)))
    meter.take(Asked("judge", "p", 9, 9, 9, 9.0))
    assert meter.cost == Cost()
    with tools(ScriptedSkills({"answer": [f"{MILL} Bees hum."]}), [MILL], tmp_path) as (given, _):
        method = named("retrieve-read")
        _, events = run(ask(method, "What burned?", given, method.settings()))
    for event in events:
        meter.take(event)
    meter.take(Asked("answer", "p", 100, 20, 7, 0.5))
    meter.take(Asked("judge", "p", 10, 90, 0, 0.5))
    meter.take(Warned("That took long."))
    assert meter.cost == Cost(
        calls=2,
        prefilled=110,
        reused=110,
        generated=7,
        searches=1,
        judged=2,
        remembered=0,
        seconds=len(events) + 2.0,
    )
    meter.take(Began("Another?", "vtg", "scripted", {}))
    assert meter.cost == Cost()
