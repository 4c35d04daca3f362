"""The first bench day walks through every figure that was never measured, and its report keeps what is known."""

import pytest


@pytest.fixture
def todo(day, root):
    """The procedures of the page."""
    return day.procedures((root / "hardware/NEVER-TRIED.md").read_text())


def test_every_line_of_the_page_is_a_procedure_with_an_assumption(todo, root):
    lines = [line for line in (root / "hardware/NEVER-TRIED.md").read_text().splitlines() if line.startswith("| ")]
    assert len(todo) == len(lines) - 1  # the head
    assert all(one.what and one.how and one.assumed for one in todo)


def test_the_doctor_measures_what_it_can_once_and_people_give_the_rest(day, todo):
    ran, asked = [], []

    def run(command):
        ran.append(command)
        return f"$ {' '.join(command)}\nnoise 0.05 g ok"

    def ask(question):
        asked.append(question)
        return "0.05 g" if "noise of an empty cell" in question else ""

    done = day.walk(todo, "seat-1", run, ask)
    assert len(asked) == len(done) == len(todo)
    assert ["citytable", "doctor", "seat-1"] in ran
    assert len({tuple(command) for command in ran}) == len(ran), "the same measurement is made once"
    page = day.report(done, "2026-12-05", "seat-1")
    assert "| noise of an empty cell, in grams | under 0.1 g | 0.05 g |" in page
    assert page.count("not measured") == len(todo) - 1
    assert page.count("$ citytable doctor seat-1\n") == 1


def test_a_day_that_ends_early_keeps_what_was_measured(day, todo):
    answers = iter(["1", "2"])

    def ask(_question):
        try:
            return next(answers)
        except StopIteration:
            raise EOFError from None

    assert [figure for _, _, figure in day.walk(todo, "park", lambda _command: "", ask)] == ["1", "2"]


def test_a_broken_line_of_the_page_is_quoted(day):
    with pytest.raises(ValueError, match=r"the line '\| a \| b \|' has 2 columns, of 4"):
        day.procedures("| a | b |\n")


def test_every_answer_of_the_decisions_says_what_still_needs_a_bench_day(root):
    answers = (root / "hardware/DECISIONS.md").read_text().split("\n### ")[1:]
    assert len(answers) >= 15
    assert [answer.splitlines()[0] for answer in answers if "Bench day: " not in answer.replace("\n", " ")] == []


def test_what_is_printed_and_cut_has_to_be_tried_too(todo):
    made = " ".join(one.what for one in todo)
    for what in ("plate", "seam", "stop", "pockets", "rods", "water", "level", "tray", "case", "paddle"):
        assert what in made, what
