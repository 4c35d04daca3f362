"""What a path costs is the same however it is asked for, and what an explainer worked out holds while stories do."""

from citytable.table.fact import MassMoving, PiecesCounted
from citytable.umpire.costs import Costs


def explainer_of(table):
    return table.umpire._means.explainer_of(table.umpire._state)


def paths(explainer, path):
    """A path and what may be done after it."""
    last = path[-1]
    choices = explainer.foresight.choices(last.position)
    return [
        path,
        *((*path, node) for one in choices for node in explainer.nodes(last, one.decision, None, accepted=False)),
    ]


def test_a_path_is_nearer_than_what_costs_more_whatever_was_asked_before(table, deal):
    table.take_contract(1, *deal.columns[0][:2])
    table.draw(1, 9.0)
    told = paths(explainer_of(table), table.umpire._state.path)
    table.lift(table.where(f"contract/{deal.columns[1][0]}"))
    seen = [explainer_of(table).costs.seen(path) for path in told]
    assert len({one.mismatch for one in seen}) > 1
    for path, one in zip(told, seen, strict=True):
        for limits in ((one.mismatch - 1, one.mismatch, one.mismatch + 1), (one.mismatch + 1, one.mismatch)):
            table.umpire._means._explainers.clear()
            costs = explainer_of(table).costs
            assert [costs.nearer(path, limit) for limit in limits] == [
                one if one.mismatch < limit else None for limit in limits
            ]


def test_nothing_is_worked_out_anew_for_what_changes_no_story(table, deal, monkeypatch):
    table.lift(table.where(f"contract/{deal.columns[0][0]}"))  # which no act explains yet
    counted = []
    explanation = Costs._explanation
    monkeypatch.setattr(Costs, "_explanation", lambda *asked: counted.append(1) or explanation(*asked))
    bag = "seat/1/bag"
    table.umpire.feed(
        [MassMoving(t_us=table.t_us, spot=bag), PiecesCounted(t_us=table.t_us, spot="supply/1", n=2, unsure=False)]
    )
    table.umpire.judge()
    assert not counted
    table.weigh(bag, table.bag_g - 9.0)
    assert counted
