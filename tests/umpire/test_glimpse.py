"""A glimpse: what the umpire would come to by facts whose turn has not come."""

from citytable.table.fact import TagCame, TagLeft
from citytable.umpire.explaining import Explainer


def test_a_glimpse_shows_what_a_fact_would_come_to_and_changes_nothing(table, deal):
    column = deal.columns[0]
    before = (table.provisional(), table.umpire.status(), table.position)
    card, spot = f"contract/{column[0]}", "seat/1/card/0"
    where = table.where(card)
    facts = [
        TagLeft(t_us=table.t_us, spot=where, uid=card, thing=card),
        TagCame(t_us=table.t_us, spot=spot, uid=card, thing=card),
        TagCame(t_us=table.t_us, spot=where, uid="next", thing=f"contract/{column[1]}"),
    ]
    seen = table.umpire.glimpse(facts)
    assert [one.action for one in seen.provisional] == [f"p1 take_contract contract={column[0]}"]
    assert seen.observed.at(spot) == {card}
    assert (table.provisional(), table.umpire.status(), table.position) == before
    assert table.umpire.observed.at(spot) == frozenset()
    assert table.umpire.judge() == ()
    table.umpire.feed(facts)
    table.umpire.judge()
    assert table.umpire.provisional == seen.provisional


def test_a_glimpse_of_a_turn_that_passes_confirms_nothing(table):
    table.lift("seat/1/bag")
    table.weigh("seat/1/bag", 0.0)
    table.weigh("seat/2/bag", table.bag_g)
    seen = table.umpire.glimpse([TagCame(t_us=table.t_us, spot="seat/2/bag", uid="bag", thing="bag")])
    assert [one.action for one in seen.provisional] == ["p1 end_turn"]
    assert seen.position == table.position
    table.lay("bag", "seat/2/bag")
    assert table.done() == ["p1 end_turn"]


def test_what_was_glimpsed_is_not_looked_for_again(table, deal, monkeypatch):
    column, searched = deal.columns[0], []
    best = Explainer.best
    monkeypatch.setattr(Explainer, "best", lambda *asked: searched.append(1) or best(*asked))
    card, where = f"contract/{column[0]}", table.where(f"contract/{column[0]}")
    left = TagLeft(t_us=table.t_us, spot=where, uid=card, thing=card)
    came = TagCame(t_us=table.t_us, spot="seat/1/card/0", uid=card, thing=card)
    for facts in ([left], [left, came]):
        table.umpire.glimpse(facts)
    searches = len(searched)
    table.umpire.feed([left])
    table.umpire.judge()
    assert len(searched) == searches
    table.umpire.feed([came])
    table.umpire.judge()
    assert len(searched) == searches + 1  # the story so far is another one than when both were glimpsed together
