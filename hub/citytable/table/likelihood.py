"""Likelihoods: how often the senses are wrong about what happened at a spot, by its sensors, as the lab measured it."""

import msgspec


class Often(msgspec.Struct, frozen=True):
    """`n` of `of` cases. Take `(n + 1) / (of + 2)` for a likelihood that is never 0 or 1."""

    n: int
    of: int


class OfFall(msgspec.Struct, frozen=True, kw_only=True):
    """A fall that happened: not reported at rest at the latest; reported with another kind, or number of lost pieces.

    The last two are of those that were reported.
    """

    unreported: Often
    wrong_kind: Often
    wrong_count: Often


class OfAct(msgspec.Struct, frozen=True, kw_only=True):
    """An act that was no fall: called a fall; for a piece or a platform also not reported as such."""

    called_fall: Often
    unreported: Often | None = None


class Senses(msgspec.Struct, frozen=True, kw_only=True):
    """The likelihoods of one configuration of sensors and pieces, from `traces` drawn traces.

    `falls` by what fell: `one piece`, `several pieces`, `collapse`; `acts` by the words of the labels in
    docs/reference/traces.md, such as `piece_removed piece` and `disturbance lean`.
    """

    traces: int
    play_h: float
    falls: dict[str, OfFall]
    acts: dict[str, OfAct]
