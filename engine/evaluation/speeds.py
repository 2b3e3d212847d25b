"""What every method reaches in what time, as points of a plot."""

from collections.abc import Sequence

from veracite.engine.evaluation.results import Curve, MethodResult

__all__ = ["speeds"]


def speeds(methods: Sequence[MethodResult], main: str) -> tuple[Curve, ...]:
    """Each method's main figure against its milliseconds per item; not of what takes no time.

    Args:
        methods: In the order of the table.
        main: The name of the figure.
    """
    points = []
    for method in methods:
        figure, seconds = method.figure(main), method.seconds_per_item
        if figure is not None and seconds:
            points.append(Curve("speed", method.method, ((1000 * seconds, figure.value),), figure))
    return tuple(points)
