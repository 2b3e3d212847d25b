"""Batches are planned so that a sequence's neighbours cannot change its padding."""

from hypothesis import given
from hypothesis import strategies as st

from veracite.models.onnx import alike, padded_length, plan

LENGTHS = st.lists(st.integers(min_value=1, max_value=256), max_size=200)


@given(LENGTHS)
def test_every_sequence_is_in_one_batch_of_its_length_and_of_a_bounded_size(
    lengths: list[int],
) -> None:
    batches = list(plan(lengths))
    assert sorted(position for batch in batches for position in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len({padded_length(lengths[position]) for position in batch}) == 1
        assert len(batch) * padded_length(lengths[batch[0]]) <= 2048
        assert len(batch) <= 32


@given(st.lists(st.tuples(st.integers(1, 256), st.integers(1, 4)), max_size=200))
def test_sequences_of_several_measures_share_a_batch_only_if_all_agree(
    shapes: list[tuple[int, int]],
) -> None:
    batches = list(alike(shapes))
    assert sorted(position for batch in batches for position in batch) == list(range(len(shapes)))
    for batch in batches:
        assert len({shapes[position] for position in batch}) == 1
    lengths = [shapes[batch[0]][0] for batch in batches]
    assert lengths == sorted(lengths, reverse=True)
