"""Impact mechanics: every collision law of the literature behind one interface.

``collide`` resolves collisions of one contact, one or millions at a time, and ``compare`` does so by several laws; ``impact`` and
``impact_of`` resolve several contacts at one instant; ``impulse_space`` shows which
impulses physics allows, and ``region`` which of them a law reaches; ``laws`` lists the laws; ``Scene`` describes bodies to collide or to
follow through time, and ``load`` reads scenario files; ``sweep`` computes plans; ``fit`` and
``fit_laws`` find the parameters of laws from measured collisions, which ``reduce`` makes of tracked positions; ``adapters`` reads
contacts of other programs; ``elastic`` and ``design`` hold elastic contact and contact elements, and ``realise`` makes bodies for a mass
matrix.
"""

from carom import adapters, design, elastic
from carom._carom import (
    AUDIT_FLAGS,
    DERIVATIVES,
    MODES,
    RESTITUTIONS,
    STATUSES,
    CaromError,
    Checkpoint,
    CollideResult,
    ImpactResult,
    ImpulseSpace,
    InputError,
    Law,
    NoAnswerError,
    Parameter,
    Plan,
    Prediction,
    Region,
    Scenario,
    ShapeError,
    Simulation,
    Table,
    __version__,
    collide,
    impact,
    impact_of,
    impulse_space,
    laws,
    load,
    region,
)
from carom._body import Body
from carom._compare import Comparison, compare
from carom._fit import Fit, LawComparison, fit, fit_laws
from carom._law import law
from carom._near_sphere import SphereLinearisation, linearise_about_sphere
from carom._realise import Realisation, RigidBody, realise
from carom._reduce import Reduction, reduce
from carom._scene import Scene
from carom._sweep import SweepResult, sweep

__all__ = [
    "AUDIT_FLAGS",
    "DERIVATIVES",
    "MODES",
    "RESTITUTIONS",
    "STATUSES",
    "Body",
    "CaromError",
    "Checkpoint",
    "CollideResult",
    "Comparison",
    "Fit",
    "ImpactResult",
    "ImpulseSpace",
    "InputError",
    "Law",
    "LawComparison",
    "NoAnswerError",
    "Parameter",
    "Plan",
    "Prediction",
    "Realisation",
    "Reduction",
    "Region",
    "RigidBody",
    "Scenario",
    "Scene",
    "ShapeError",
    "Simulation",
    "SphereLinearisation",
    "SweepResult",
    "Table",
    "__version__",
    "adapters",
    "collide",
    "compare",
    "design",
    "elastic",
    "fit",
    "fit_laws",
    "impact",
    "impact_of",
    "impulse_space",
    "law",
    "laws",
    "linearise_about_sphere",
    "load",
    "realise",
    "reduce",
    "region",
    "sweep",
]
