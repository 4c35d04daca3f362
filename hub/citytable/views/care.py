"""Looking after stations from the stations page: the possible jobs, and the current one. Pure."""

from typing import Annotated, Literal, Protocol, TypeAlias

import msgspec

from citytable.table.spot import Spot
from citytable.table.word import Text

Words: TypeAlias = dict[str, str]
"""A sentence in every language."""
Task: TypeAlias = Literal["adopt", "calibrate", "level", "examine", "update"]
Grams = Annotated[float, msgspec.Meta(gt=0, le=100_000)]
BlockMm = Annotated[float, msgspec.Meta(gt=0, le=1_000)]


class Newcomer(msgspec.Struct, frozen=True):
    """A board that waits for its name."""

    uid: str
    hardware: str
    firmware: str


class Place(msgspec.Struct, frozen=True):
    """A place that a newcomer may take: the station's name and its spots. `planned`: the plan file has it already."""

    station: str
    kind: str
    spots: tuple[Spot, ...]
    planned: bool


class Bench(msgspec.Struct, frozen=True):
    """A station that may be calibrated: its scales, its number of cranes, and how many of its `tasks` are `done`."""

    station: str
    scales: tuple[Spot, ...]
    cranes: int
    tasks: int
    done: int


class Running(msgspec.Struct, frozen=True):
    """A station that is there, with the version and the bundle of its program, and whether that is this hub's."""

    station: str
    firmware: str
    bundle: str
    newest: bool


class Found(msgspec.Struct, frozen=True):
    """A line of an examination: where (a cell may be None), what, what was seen, and what to check if it is wrong."""

    spot: Spot
    cell: int | None
    what: Words
    seen: Words
    check: Words


class Step(msgspec.Struct, frozen=True):
    """A step for the host at a spot, as `doctor.calibrating.Ask`; `write`: agree to the new figures."""

    deed: str
    spot: Spot
    grams: float = 0.0
    block_mm: float = 0.0


class Good(msgspec.Struct, frozen=True):
    """A task that is done: the scale or the crane of a spot, and the verdict."""

    what: str
    spot: Spot
    verdict: Words


class Rest(msgspec.Struct, frozen=True):
    """The state of a scale at rest: `good`, or a sentence with the fault and what to do."""

    spot: Spot
    good: bool
    text: Words


class Work(msgspec.Struct, frozen=True):
    """One job. `about` is a board, a station or a spot, `name` the place that a board takes.

    `state`: it `runs`, it `asks` for the step (answered with its `no`), it `refuses` a result (`why`), or it is `done`
    or has `failed` (`why`). `left` are the tasks left for later. `says`: the progress of an update.
    """

    task: Task
    about: str
    name: str = ""
    state: Literal["runs", "asks", "refuses", "done", "failed"] = "runs"
    no: int = 0
    number: int = 0
    tasks: int = 0
    what: str = ""
    spot: Spot = ""
    step: Step | None = None
    why: Words = {}
    good: tuple[Good, ...] = ()
    left: tuple[Spot, ...] = ()
    rests: tuple[Rest, ...] = ()
    figures: tuple[str, ...] = ()
    says: Words = {}
    found: tuple[Found, ...] = ()


class Care(msgspec.Struct, frozen=True):
    """`GET /api/care`, for the host. `can` lists the possible jobs at this table; `work` is the latest one.

    `by_the_file`: the table uses the plan file as it is; otherwise it will in a moment, once no job is under way.
    """

    can: tuple[Task, ...] = ()
    newcomers: tuple[Newcomer, ...] = ()
    places: tuple[Place, ...] = ()
    benches: tuple[Bench, ...] = ()
    running: tuple[Running, ...] = ()
    work: Work | None = None
    by_the_file: bool = True


class _Wish(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    pass


class Adopt(_Wish, frozen=True, tag="adopt"):
    """Give a newcomer the place of this station."""

    uid: Text
    station: Text


class Calibrate(_Wish, frozen=True, tag="calibrate"):
    """Calibrate a station, with two weights and gauge blocks; or one spot, with the first weight."""

    where: Text
    first_g: Grams
    second_g: Annotated[float, msgspec.Meta(ge=0, le=100_000)] = 0.0
    blocks_mm: Annotated[tuple[BlockMm, ...], msgspec.Meta(max_length=12)] = ()
    anew: bool = False


class CheckLevel(_Wish, frozen=True, tag="level"):
    """Check that all scales are steady and level."""


class Examine(_Wish, frozen=True, tag="examine"):
    """Measure a station's sensors, clock and link, as `citytable doctor` does."""

    station: Text


class Update(_Wish, frozen=True, tag="update"):
    """Send a station the program that is installed beside this hub, and watch its trial."""

    station: Text


class Blink(_Wish, frozen=True, tag="blink"):
    """Let the lights of a newcomer blink."""

    uid: Text


class Tap(_Wish, frozen=True, tag="tap"):
    """Answer the step of this number: it is done, or is to be done `again`; or it is left for `later`."""

    no: int
    later: bool = False


class Stop(_Wish, frozen=True, tag="stop"):
    """End the job; finished parts stay."""


CareWish: TypeAlias = Adopt | Calibrate | CheckLevel | Examine | Update | Blink | Tap | Stop
"""`POST /api/care`."""


class CareDoor(Protocol):
    """The stations of the table, as far as pages look after them."""

    @property
    def work(self) -> Work | None:
        """Return the latest job, until somebody closes it."""
        ...

    @property
    def at_work(self) -> bool:
        """Return whether a job is under way."""
        ...

    async def care(self) -> Care:
        """Return the possible jobs and the current one; raises `ValueError` with a sentence."""
        ...

    async def do(self, wish: CareWish) -> None:
        """Begin a job, answer its step, or end it; raises `ValueError` with a sentence if that is impossible."""
        ...


class NoCare:
    """For a table without stations."""

    work: Work | None = None
    at_work = False

    async def care(self) -> Care:
        """Return nothing."""
        return Care()

    async def do(self, wish: CareWish) -> None:
        """Raise `ValueError`: there are no stations."""
        raise ValueError(f"this table has no stations, so nothing can {type(wish).__name__.lower()} there")


NO_CARE = NoCare()
