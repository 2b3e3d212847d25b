"""What can go wrong with a model, in its words.

UserError      a failure that the user is told about
└── ModelError     a model file is missing, damaged or unusable
Cancelled      somebody asked for the work to stop (no failure, so no UserError)
"""


class UserError(Exception):
    """A failure that the user is told about.

    Args:
        message: What happened, one sentence.
        advice: What to do about it, one sentence.
        kind: Of the failure, where the advice names a command, for which the app has its keys.
    """

    def __init__(self, message: str, advice: str, kind: str = "") -> None:
        super().__init__(f"{message} {advice}")
        self.message = message
        self.advice = advice
        self.kind = kind


class ModelError(UserError):
    """A model file is missing, damaged or unusable."""


class Cancelled(Exception):
    """The call was stopped by ``cancel()`` before it was done."""
