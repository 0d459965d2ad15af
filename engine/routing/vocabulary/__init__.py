"""The words in which a game states what its director decides.

A rules object describes a company's run in these words, and the optimizer
knows the words, never the games. Each word says what it couples; a game that
needs something new adds a word here, with its part in the optimizer
(columns, rows, bound, search).

All amounts are whole £ unless said otherwise. Stops, legs and train classes
are numbers: places in :attr:`RoutingProblem.stops`, ``.legs`` and ``.classes``.

- ``network``: stops and legs;
- ``reach``: what one train may run;
- ``pay``: what a route pays by itself, and the classes of trains;
- ``chains``: routes joined end to end;
- ``run``: what couples the trains of a run.
"""

from engine.routing.vocabulary.chains import (
    ChainPart,
    Chains,
    Division,
)
from engine.routing.vocabulary.network import (
    NetLeg,
    NetStop,
)
from engine.routing.vocabulary.pay import (
    Attachment,
    Bonus,
    Choice,
    Factor,
    Pay,
    Span,
    TrainClass,
)
from engine.routing.vocabulary.reach import (
    AtMostOne,
    Budget,
    Has,
    Need,
    Of,
    Reach,
)
from engine.routing.vocabulary.run import (
    AtMostRoutes,
    BestBonus,
    Echo,
    EndsSubsidy,
    GroupBonus,
    HexSubsidy,
    MustMeet,
    MustRun,
    MustVisit,
    OneOf,
    PaidOnce,
    SomeRoute,
    VisitBonus,
    Word,
)

__all__ = [
    "AtMostOne",
    "AtMostRoutes",
    "Attachment",
    "BestBonus",
    "Bonus",
    "Budget",
    "ChainPart",
    "Chains",
    "Choice",
    "Division",
    "Echo",
    "EndsSubsidy",
    "Factor",
    "GroupBonus",
    "Has",
    "HexSubsidy",
    "MustMeet",
    "MustRun",
    "MustVisit",
    "Need",
    "NetLeg",
    "NetStop",
    "Of",
    "OneOf",
    "PaidOnce",
    "Pay",
    "Reach",
    "SomeRoute",
    "Span",
    "TrainClass",
    "VisitBonus",
    "Word",
]
