"""Times how fast a GGUF model judges claims, and writes scripts/JUDGING.md.

    python scripts/measure_judging.py --text TEXT --against FOLDER --rounds 3

The first checkable claims of a real text are looked up in a real folder. Then the same claims and
passages are judged, one way after the other on the same model with the same number of threads:

- here: as ``check --judge gguf`` does. The bundled verifier reads all and passes over what has no
  bearing; of the rest each passage alone (``PromptedSkills.judge``), options scored after one
  prefill
- cascade: the verifier first, and then as here only what it leaves uncertain
- one word: llama-cpp-python's plain chat completion, one for each claim with all its passages, in
  the same words, answered in one word; it keeps the longest prefix from call to call by itself
- reasoning: the same, in CEG's words (Table 12), which ask for the reasoning first

Here and one word are gone through in turn, ``--rounds`` times, since other work on the machine
slows them all; the others, which take long or are no goal, in the first round alone.

A model without ``--model`` is made on the spot: random weights in the shape of one of 0.5 B
parameters (24 layers, 896 wide, Q8_0), which takes the time of a real one and says nothing.
"""

import argparse
import shlex
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "tests" / "support"))

import tiny_gguf  # noqa: E402
from judging_page import HERE, Floor, Given, Took, Way, page  # noqa: E402
from judging_ways import CONTEXT, judged_here, now, plain_chat, since  # noqa: E402

from veracite.engine.claims.segmentation import segment  # noqa: E402
from veracite.engine.evaluation.models import Models  # noqa: E402
from veracite.engine.evaluation.record import this_machine  # noqa: E402
from veracite.engine.judge.decision import (
    Reading,
    bundled_decision,
)
from veracite.engine.judge.judge import Judge  # noqa: E402
from veracite.engine.judging.screening import bearing  # noqa: E402
from veracite.engine.paths import Paths  # noqa: E402
from veracite.engine.retrieve import Search  # noqa: E402
from veracite.engine.settings import CheckSettings  # noqa: E402
from veracite.engine.skills.base import Task  # noqa: E402
from veracite.engine.skills.prompts import Prompt, Prompts  # noqa: E402
from veracite.engine.texts import read_text  # noqa: E402
from veracite.engine.words import Label  # noqa: E402
from veracite.engine.workbench import Workbench  # noqa: E402
from veracite.index.documents import Passage  # noqa: E402
from veracite.models.bundled import bundled_verifier  # noqa: E402
from veracite.models.cores import physical_cores  # noqa: E402
from veracite.models.generator import Generator  # noqa: E402

PAGE = ROOT / "scripts" / "JUDGING.md"
WORD_TOKENS = 2
"""What one word takes: a random model would not stop by itself."""
VOCABULARY = 32_000


@dataclass(frozen=True)
class Cases:
    """What there is to judge, and what the verifier says of it."""

    tasks: list[Task]
    screened: list[Task]
    """The same with the passages alone that may bear on their claims."""
    uncertain: list[int]
    """Places of the claims that the verifier does not settle."""
    verifier: Took


def main() -> None:
    """Measures all ways in turn and writes the page."""
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        cases = _cases(options, Path(folder))
        model = options.model or _made(Path(folder) / "model.gguf", cases.tasks)
        opened = partial(
            Generator.open,
            model,
            context=CONTEXT,
            threads=options.threads,
            verified=Path(folder) / "verified",
        )
        rounds = [_round(options, cases, model, opened, n == 0) for n in range(options.rounds)]
        with opened() as generator:
            floor = Floor(
                _distinct_tokens(generator, cases.screened),
                _distinct_tokens(generator, cases.tasks),
                _prefill_speed(generator, cases.tasks),
            )
    written = page(_given(options, cases), rounds, floor)
    options.page.write_text(written, "utf-8")
    print(written)


def _round(
    options: argparse.Namespace,
    cases: Cases,
    model: Path,
    opened: Callable[[], Generator],
    whole: bool,
) -> dict[str, Way]:
    """The two ways that are compared, once; all of them in a whole round."""
    left = [cases.screened[place] for place in cases.uncertain]
    plain = partial(plain_chat, model, options.threads)
    ways = [
        partial(judged_here, opened, HERE, cases.screened, cases.verifier),
        partial(plain, "one word", cases.tasks, "judge.veracite", WORD_TOKENS),
    ]
    if whole and (thoughts := options.reasoning_tokens):
        ways.append(partial(plain, "reasoning", cases.tasks, "judge.ceg", thoughts))
    if whole:
        name = f"cascade ({len(left)} left)"
        ways.append(partial(judged_here, opened, name, left, cases.verifier))
    measured = {}
    for way in ways:
        done = way()
        measured[done.name] = done
        print(done, file=sys.stderr, flush=True)
    return measured


def _given(options: argparse.Namespace, cases: Cases) -> Given:
    """What the page says of it all."""
    words = ["python", "scripts/measure_judging.py", "--text", options.text.name]
    words += ["--against", "/".join(options.against.resolve().parts[-2:])]
    if options.model:
        words += ["--model", options.model.name]
    words += ["--claims", options.claims, "--passages", options.passages]
    words += ["--reasoning-tokens", options.reasoning_tokens]
    words += ["--rounds", options.rounds, "--threads", options.threads]
    pairs, shown = (sum(len(t.passages) for t in tasks) for tasks in (cases.tasks, cases.screened))
    machine = this_machine()
    return Given(
        shlex.join(map(str, words)),
        datetime.now(UTC).date().isoformat(),
        f"{machine.cpu}, {machine.cores} cores, {machine.system}, Python {machine.python}",
        f"{len(cases.tasks)} claims, {pairs} pairs with {len(_distinct(cases.tasks))} distinct "
        f"passages; {shown} pairs with {len(_distinct(cases.screened))} shown to the model.",
        cases.verifier,
        _bundled(),
    )


def _bundled() -> tuple[str, ...]:
    """The ids of the bundled models."""
    models = Models()
    try:
        return models.ids
    finally:
        models.close()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, help="a GGUF file; without it one is made")
    parser.add_argument("--text", type=Path, required=True)
    parser.add_argument("--against", type=Path, required=True, help="a folder of documents")
    parser.add_argument("--claims", type=int, default=20)
    parser.add_argument("--passages", type=int, default=5, help="for each claim")
    parser.add_argument(
        "--reasoning-tokens", type=int, default=100, help="that a reply takes; 0 leaves it out"
    )
    parser.add_argument("--rounds", type=int, default=1, help="of here and one word in turn")
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("--threads", type=int, default=physical_cores())
    return parser.parse_args()


def _made(path: Path, tasks: Sequence[Task]) -> Path:
    """A model whose tokenizer knows the passages' words, as a real one would."""
    text = "\n".join(passage.text for task in tasks for passage in task.passages)
    return tiny_gguf.make(
        path,
        layers=24,
        embedding=896,
        heads=14,
        kv_heads=2,
        feed_forward=4864,
        vocabulary=VOCABULARY,
        text=tiny_gguf.TEXT + text,
        context=32_768,
        quantised=True,
    )


def _cases(given: argparse.Namespace, folder: Path) -> Cases:
    """The claims with what retrieval finds for each; the text is no evidence for itself."""
    text = read_text(given.text)
    claims = [c for c in segment(text.text, markdown=text.markdown) if c.not_checkable is None]
    paths = Paths(data=folder / "data", cache=folder / "cache", config=folder / "none.toml")
    with (
        Workbench(CheckSettings(k=given.passages), paths) as bench,
        bench.library((given.against,)) as library,
    ):
        for _ in library.sync():
            pass
        search = Search(library, given.passages, None, "hybrid", str(given.text.resolve()))
        chosen = claims[: given.claims]
        found = search.gather(chosen)
        judge = Judge(
            verifier=bundled_verifier(threads=given.threads),
            decision=bundled_decision(),
            uncertain_below=CheckSettings().uncertain_below,
            sentences=library.sentences,
            raw_text=library.raw_text,
        )
        started = now()
        judged = sorted(judge.judge(chosen, found), key=lambda item: item[0])
        took = since(started)
    tasks = [
        Task(claim, tuple(item.passage for item in evidence))
        for claim, evidence in zip(chosen, found, strict=True)
    ]
    return Cases(
        tasks,
        [_screened(tasks[place], reading) for place, _, reading in judged],
        [place for place, verdict, _ in judged if verdict.label is Label.UNCERTAIN],
        took,
    )


def _screened(task: Task, reading: Reading | None) -> Task:
    if reading is None:
        return task
    evidence = reading.premises.evidence
    return replace(task, passages=tuple(evidence[place].passage for place in bearing(reading)))


def _distinct(tasks: Sequence[Task]) -> list[Passage]:
    return list({passage.id: passage for task in tasks for passage in task.passages}.values())


def _distinct_tokens(generator: Generator, tasks: Sequence[Task]) -> int:
    """The tokens of the distinct passages between their fences."""
    prompt = Prompts.load().choose("judge")
    return sum(generator.count_text(_fenced(prompt, p)) for p in _distinct(tasks))


def _fenced(prompt: Prompt, passage: Passage) -> str:
    parts = prompt.render({"claim": "", "question": ""}, (passage,))[-1].parts
    return next(part for part in parts if passage.text[:20] in part)


def _prefill_speed(generator: Generator, tasks: Sequence[Task]) -> float:
    """Tokens a second in one long prompt of many passages."""
    prompt = Prompts.load().choose("judge")
    passages = _distinct(tasks)
    fields = {"claim": tasks[0].claim.hypothesis, "question": ""}
    while generator.count(messages := prompt.render(fields, passages)) > CONTEXT // 2:
        passages.pop()
    cost = generator.choose(messages, prompt.words).cost
    return cost.prefilled / cost.seconds


if __name__ == "__main__":
    main()
