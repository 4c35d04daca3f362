"""What lies on a park, and is no monument or one: R31 allows one after the delivery only."""


def test_a_sleeve_on_central_park_before_the_delivery_until_after_the_turn(evening):
    """R31: a monument only after the delivery."""
    evening.builds()
    evening.add("city/0/0", 3.5)
    evening.delivers()
    evening.passes(1)
    evening.add("city/0/0", -3.5)
    evening.draws(2, 8.7)
    evening.passes(2)
    evening.ends_right()


def test_a_sleeve_on_central_park_before_the_delivery_stays(evening):
    """R31: a monument only after the delivery."""
    evening.builds()
    evening.add("city/0/0", 3.5)
    evening.wait(30)
    evening.delivers()
    evening.passes(1)
    evening.draws(2, 8.7)
    evening.passes(2)
    evening.ends_right()


def test_a_hand_leans_there_while_the_bag_is_passed(evening):
    evening.builds()
    evening.delivers()
    evening.does("p1 place_central_park_monument piece=unknown:1")
    evening.add("city/0/0", 300.0)
    evening.passes(1)
    evening.add("city/0/0", -296.9)
    evening.draws(2, 8.7)
    evening.passes(2)
    evening.ends_right()


def test_a_glass_makes_place_for_a_monument_in_one_step(evening):
    evening.builds()
    evening.add("city/0/0", 240.0)
    evening.delivers()
    evening.does("p1 place_central_park_monument piece=unknown:1")
    evening.add("city/0/0", -237.0)
    evening.passes(1)
    evening.draws(2, 8.7)
    evening.passes(2)
    evening.ends_right()


def test_a_glass_comes_with_the_monument_and_goes_after_the_turn(evening):
    evening.builds()
    evening.delivers()
    evening.does("p1 place_central_park_monument piece=unknown:1")
    evening.add("city/0/0", 243.2)
    evening.passes(1)
    evening.add("city/0/0", -240.0)
    evening.draws(2, 8.7)
    evening.passes(2)
    evening.ends_right()
