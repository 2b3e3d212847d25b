"""What can go wrong with a model: one exception, with the cause in its words."""

__all__ = ["ModelError"]


class ModelError(Exception):
    """A model file is missing, damaged or unusable.

    Args:
        message: What happened, one sentence.
        advice: What to do about it, one sentence.
    """

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(f"{message} {advice}")
        self.message = message
        self.advice = advice
