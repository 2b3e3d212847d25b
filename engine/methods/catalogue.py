"""Every method by its name."""

from veracite.engine.methods.base import Method
from veracite.engine.methods.baselines import BASELINES
from veracite.engine.methods.ceg import CEG
from veracite.engine.methods.llatrieval import LLATRIEVAL
from veracite.engine.methods.refeed import REFEED
from veracite.engine.methods.vtg import VTG
from veracite.engine.setting_values import no_such

METHODS: tuple[Method, ...] = (CEG, REFEED, LLATRIEVAL, VTG, *BASELINES)


def named(name: str) -> Method:
    """The method of a name.

    Raises:
        SettingsError: There is none.
    """
    for method in METHODS:
        if method.name == name:
            return method
    raise no_such("method", name, [method.name for method in METHODS])
