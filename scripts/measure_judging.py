"""How fast a GGUF model judges claims: passage by passage here, claim by claim elsewhere.

    python scripts/measure_judging.py --model MODEL.gguf --text TEXT --against FOLDER

The first checkable claims of a real text are looked up in a real folder. Then the same claims and
passages are judged, one way after the other on the same model with the same number of threads:

- here: ``PromptedSkills.judge``, each passage alone, options scored after one prefill
- cascade: the bundled verifier first, and then so only what it leaves uncertain, as ``check`` does
- one word: llama-cpp-python's plain chat completion, one for each claim with all its passages, in
  the same words, answered in one word; it keeps the longest prefix from call to call by itself
- reasoning: the same, in CEG's words (Table 12), which ask for the reasoning first

A model without ``--model`` is made on the spot: random weights in the shape of one of 0.5 B
parameters (24 layers, 896 wide, Q8_0), which takes the time of a real one and says nothing.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "tests" / "support"))

import tiny_gguf  # noqa: E402
from results_tables import table  # noqa: E402

from veracite.engine.claims import segment  # noqa: E402
from veracite.engine.decision import bundled_decision  # noqa: E402
from veracite.engine.evaluation.record import this_machine  # noqa: E402
from veracite.engine.events import Asked  # noqa: E402
from veracite.engine.evidence import Search  # noqa: E402
from veracite.engine.paths import Paths  # noqa: E402
from veracite.engine.settings import CheckSettings  # noqa: E402
from veracite.engine.skills.base import Task  # noqa: E402
from veracite.engine.skills.prompted import PromptedSkills  # noqa: E402
from veracite.engine.skills.prompts import Prompt, Prompts  # noqa: E402
from veracite.engine.texts import read_text  # noqa: E402
from veracite.engine.verify import Judge  # noqa: E402
from veracite.engine.words import Label  # noqa: E402
from veracite.engine.workbench import Workbench  # noqa: E402
from veracite.index.documents import Passage  # noqa: E402
from veracite.models.bundled import bundled_verifier  # noqa: E402
from veracite.models.cores import physical_cores  # noqa: E402
from veracite.models.generator import Generator  # noqa: E402

CONTEXT = 4096
WORD_TOKENS = 2
"""What one word takes: a random model would not stop by itself."""
VOCABULARY = 32_000


@dataclass(frozen=True)
class Way:
    """What judging all claims in one way took."""

    name: str
    seconds: float
    prefilled: int
    """Tokens computed of the prompts."""
    generated: int


def main() -> None:
    """Measures the three ways and prints a table."""
    given = _options()
    with tempfile.TemporaryDirectory() as folder:
        tasks, uncertain, seconds = _tasks(given, Path(folder))
        model = given.model or _made(Path(folder) / "model.gguf", tasks)
        with Generator.open(
            model, context=CONTEXT, threads=given.threads, verified=Path(folder) / "verified"
        ) as generator:
            speed = _prefill_speed(generator, tasks)
            here, floor = _here(generator, tasks)
        with Generator.open(
            model, context=CONTEXT, threads=given.threads, verified=Path(folder) / "verified"
        ) as generator:
            left, _ = _here(generator, [tasks[place] for place in uncertain])
        ways = [
            here,
            Way(f"cascade ({len(uncertain)} left)", seconds + left.seconds, left.prefilled, 0),
            _plain(model, given.threads, "one word", tasks, "judge.veracite", WORD_TOKENS),
            _plain(model, given.threads, "reasoning", tasks, "judge.ceg", given.reasoning_tokens),
        ]
    print(_page(tasks, ways, floor, speed, given))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, help="a GGUF file; without it one is made")
    parser.add_argument("--text", type=Path, required=True)
    parser.add_argument("--against", type=Path, required=True, help="a folder of documents")
    parser.add_argument("--claims", type=int, default=20)
    parser.add_argument("--passages", type=int, default=5, help="for each claim")
    parser.add_argument("--reasoning-tokens", type=int, default=100, help="that a reply takes")
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


def _tasks(given: argparse.Namespace, folder: Path) -> tuple[list[Task], list[int], float]:
    """The claims with what retrieval finds for each; the text is no evidence for itself.

    Returns:
        Them, the places of those that the bundled judge leaves uncertain, and its seconds.
    """
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
        started = time.perf_counter()
        verdicts = {place: verdict for place, verdict, _ in judge.judge(chosen, found)}
        seconds = time.perf_counter() - started
    tasks = [
        Task(claim, tuple(item.passage for item in evidence))
        for claim, evidence in zip(chosen, found, strict=True)
    ]
    left = [place for place in range(len(tasks)) if verdicts[place].label is Label.UNCERTAIN]
    return tasks, left, seconds


def _here(generator: Generator, tasks: Sequence[Task]) -> tuple[Way, int]:
    """Judging as Veracite does; also the tokens of the distinct passages between their fences."""
    skills = PromptedSkills(generator, Prompts.load())
    prefilled = 0
    started = time.perf_counter()
    steps = skills.judge(tasks)
    try:
        while True:
            event = next(steps)
            if isinstance(event, Asked):
                prefilled += event.prefilled
    except StopIteration:
        pass
    seconds = time.perf_counter() - started
    prompt = skills.prompt("judge")
    distinct = {passage.id: passage for task in tasks for passage in task.passages}
    floor = sum(generator.count_text(_fenced(prompt, p)) for p in distinct.values())
    return Way("here", seconds, prefilled, 0), floor


def _fenced(prompt: Prompt, passage: Passage) -> str:
    parts = prompt.render({"claim": "", "question": ""}, (passage,))[-1].parts
    return next(part for part in parts if passage.text[:20] in part)


def _prefill_speed(generator: Generator, tasks: Sequence[Task]) -> float:
    """Tokens a second in one long prompt of many passages."""
    prompt = Prompts.load().choose("judge")
    passages = list({p.id: p for task in tasks for p in task.passages}.values())
    fields = {"claim": tasks[0].claim.hypothesis, "question": ""}
    while generator.count(messages := prompt.render(fields, passages)) > CONTEXT // 2:
        passages.pop()
    cost = generator.choose(messages, prompt.words).cost
    return cost.prefilled / cost.seconds


def _plain(
    model: Path, threads: int, name: str, tasks: Sequence[Task], wording: str, limit: int
) -> Way:
    """One plain chat completion for each claim, all its passages in the prompt."""
    import llama_cpp

    skill, _, source = wording.partition(".")
    prompt = Prompts.load().choose(skill, (source,))
    llama: Any = llama_cpp.Llama(str(model), n_ctx=CONTEXT, n_threads=threads,
                            n_threads_batch=threads, verbose=False)  # fmt: skip
    evaluated = _counting(llama)
    generated = 0
    started = time.perf_counter()
    for task in tasks:
        fields = {"claim": task.claim.hypothesis, "question": task.question or "(none)"}
        messages = [
            {"role": message.role, "content": "".join(message.parts)}
            for message in prompt.render(fields, task.passages)
        ]
        # Nobody but the limit ends a random model's reply.
        reply = llama.create_chat_completion(
            messages, max_tokens=limit, temperature=0.0, logit_bias={2: -100.0}
        )
        generated += reply["usage"]["completion_tokens"]
    seconds = time.perf_counter() - started
    llama.close()
    return Way(name, seconds, sum(evaluated) - generated + len(tasks), generated)


def _counting(llama: Any) -> list[int]:
    """How many tokens each evaluation computes, noted as they come."""
    evaluated: list[int] = []
    evaluate: Callable[[Sequence[int]], None] = llama.eval

    def noted(tokens: Sequence[int]) -> None:
        evaluated.append(len(tokens))
        evaluate(tokens)

    llama.eval = noted
    return evaluated


def _page(
    tasks: Sequence[Task], ways: Sequence[Way], floor: int, speed: float, given: argparse.Namespace
) -> str:
    here = ways[0]
    rows = [
        [
            way.name,
            f"{way.seconds:.1f}",
            f"{way.prefilled:,}",
            f"{way.generated:,}",
            f"{here.seconds / way.seconds:.2f}",
            f"{here.prefilled / way.prefilled:.2f}" if way.prefilled else "",
        ]
        for way in ways
    ]
    pairs = sum(len(task.passages) for task in tasks)
    distinct = len({passage.id for task in tasks for passage in task.passages})
    machine = this_machine()
    header = ["way", "seconds", "prefilled", "generated", "here / way, time", "tokens"]
    return "\n".join(
        [
            f"{len(tasks)} claims of {given.text.name}, {pairs} pairs with {distinct} distinct "
            f"passages; {given.threads} threads; {machine}",
            "",
            table(header, rows),
            "",
            f"Floor: the distinct passages have {floor:,} tokens; at {speed:.0f} tokens a second "
            f"in one long prompt they take {floor / speed:.1f} s. Here: "
            f"{here.seconds * speed / floor:.2f} times that time, "
            f"{here.prefilled / floor:.2f} times the tokens.",
        ]
    )


if __name__ == "__main__":
    main()
