"""The lab's commands, which `citytable sense` offers where this package is installed.

Each command imports what it needs when it is called: MuJoCo, LightGBM and Matplotlib take a second or more to load.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
import typer

from citytable.console import fail, say

if TYPE_CHECKING:
    from citytable_lab.scoring import Run

commands = typer.Typer()

Cells = Annotated[
    int, typer.Option(min=1, max=3, help="1: score as one converter would have measured; 3: as recorded.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Accelerometer = Annotated[
    bool, typer.Option("--accelerometer", help="Add an accelerometer beside the cells; nothing else changes.")
]
Brief = Annotated[bool, typer.Option("--brief", help="Print only the figures with a requirement.")]
PieceSet = Annotated[
    Literal["heavy", "house"], typer.Option("--set", help="Pieces of 6 to 17 g, or the house set of 0.5 to 6 g.")
]
City = Annotated[bool, typer.Option("--city", help="Draw hexes of the city, where nobody takes or adds pieces.")]
Processes = Annotated[int, typer.Option(min=1, help="Number of processes that share the work.")]


@commands.command()
def replay(
    trace: Annotated[Path, typer.Argument(help="File of the trace (.npz).")],
    picture: Annotated[
        Path | None, typer.Option(help="Draw the trace with its events to this file (.svg or .png).")
    ] = None,
) -> None:
    """Run a recorded trace through the detector and print its events, one JSON object a line."""
    with _lab():
        from citytable.sensing import detector
        from citytable_lab.feed import feed, samples
        from citytable_lab.picture import check_suffix, draw_trace
        from citytable_lab.trace_file import load_trace

        if picture is not None:
            check_suffix(picture)
        loaded = load_trace(trace)
        reported = feed(detector(loaded.cal), samples(loaded)).reported
        for one in reported:
            sys.stdout.write(msgspec.json.encode(one.event).decode() + "\n")
        if picture is not None:
            draw_trace(loaded, reported, picture)


@commands.command()
def falls(
    library: Annotated[Path, typer.Argument(help="File of the library of falls to write (.npz).")],
    episodes: Annotated[int, typer.Option(min=1, help="Number of towers.")] = 100,
    seed: Annotated[
        int,
        typer.Option(
            min=0, help="Seed of the first fall; each next fall has the next seed. The same seed gives the same fall."
        ),
    ] = 1,
    processes: Processes = 1,
) -> None:
    """Simulate falls of towers by rigid-body physics, as input for `citytable sense draw --falls`."""
    with _lab():
        from citytable_lab.physics import draw_falls, endings_in_words
        from citytable_lab.recording import save_recordings

        try:
            library.open("ab").close()  # an hour later is too late to hear that this cannot be written
            drawn = list(draw_falls(seed, episodes, processes))
            save_recordings(library, drawn)
        except OSError as error:
            raise fail(f"{library}: {error.strerror or error}: give a file that can be written") from None
        say(f"{episodes} falls in {library}: {endings_in_words(drawn)}")


@commands.command()
def draw(
    folder: Annotated[Path, typer.Argument(help="Folder for the traces; it is created if missing.")],
    traces: Annotated[int, typer.Option(min=1, help="Number of traces.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="The same seed draws the same traces.")] = 1,
    cells: Annotated[int, typer.Option(min=1, max=3, help="Number of cells under the spot.")] = 3,
    piece_set: PieceSet = "heavy",
    falls: Annotated[
        list[Path] | None,
        typer.Option(help="Library of recorded falls; repeat it for more. Default: draw all falls by formulas."),
    ] = None,
    accelerometer: Accelerometer = False,
    second: Annotated[
        bool, typer.Option("--second", help="Draw by the second generator, the cross-check; it needs no library.")
    ] = False,
    city: City = False,
) -> None:
    """Draw labelled traces of play and falls, each with its own people, tiles, cells and sensors."""
    with _lab():
        from citytable_lab.city import city_traces
        from citytable_lab.draw import all_falls, draw_folder, draw_traces
        from citytable_lab.second.draw import second_traces

        try:
            recordings = all_falls(falls or [])
            if second:
                drawn = second_traces(seed, traces, cells, piece_set, city=city)
            elif city:
                drawn = city_traces(seed, traces, cells, piece_set, recordings)
            else:
                drawn = draw_traces(seed, traces, cells, piece_set, recordings, accelerometer=accelerometer)
            draw_folder(folder, drawn)
        except OSError as error:
            raise fail(f"{folder}: {error.strerror or error}: give a folder that can be written to") from None
        say(f"{traces} traces in {folder}")


@commands.command()
def score(
    folder: Annotated[Path, typer.Argument(help="Folder of labelled traces (.npz).")],
    cells: Cells = 3,
    blind: Annotated[bool, typer.Option("--blind", help="Leave out the range sensor above the spot.")] = False,
    brief: Brief = False,
    gain: Annotated[
        bool,
        typer.Option("--gain", help="Print only what knowing where nobody takes pieces, and what moves beside, gains."),
    ] = False,
    processes: Processes = 1,
    as_json: Json = False,
    configuration: Annotated[
        str | None, typer.Option("--write", help="Write the likelihoods for the umpire, under this name.")
    ] = None,
) -> None:
    """Score the detector on labelled traces: print the table of accuracy, and the story of each false alarm."""
    with _lab():
        from citytable.sensing import detector
        from citytable_lab.gain import alone, gain_lines, unaware
        from citytable_lab.likelihoods import LIKELIHOODS, likelihood_lines, save_senses, senses_of
        from citytable_lab.reliability import reliability_lines
        from citytable_lab.score_bound import bound_lines
        from citytable_lab.score_missed import why_lines
        from citytable_lab.score_story import fault_lines, missed_lines
        from citytable_lab.scoring import score_files, traces_in

        paths = traces_in(folder)
        score = partial(score_files, paths, detector, cells=cells, processes=processes, without_ranges=blind)
        scored = score()
        if gain:
            runs = {
                "knowing neither": score(less=unaware),
                "knowing that nobody takes pieces": score(less=alone),
                "and what moves beside": scored,
            }
            for line in (scored.summary, "", *gain_lines(runs, more=True)):
                say(line)
            return
        senses = senses_of(scored.scores)
        if configuration is not None:
            save_senses(LIKELIHOODS, configuration, senses)
        if as_json:
            _print_json(scored)
            return
        _print_scores(scored, brief=brief)
        if brief:
            return
        bounds = (*bound_lines(scored.scores), "", *why_lines(scored.scores))
        for line in ("", *bounds, "", *reliability_lines(scored.scores), "", *likelihood_lines(senses)):
            say(line)
        for line in ("", *missed_lines(scored.scores), "", *fault_lines(scored.scores)):
            say(line)


@commands.command()
def stress(
    hours: Annotated[float, typer.Option(min=0.1, help="Hours of play.")] = 1.0,
    seed: Annotated[int, typer.Option(min=0, help="The same seed draws the same play.")] = 1,
    cells: Annotated[int, typer.Option(min=1, max=3, help="Number of cells under the spot.")] = 3,
    piece_set: PieceSet = "heavy",
    accelerometer: Accelerometer = False,
    city: City = False,
    brief: Brief = False,
    processes: Processes = 1,
    as_json: Json = False,
) -> None:
    """Score the detector on fresh play in which nothing falls, so that every fall it reports is false."""
    with _lab():
        from citytable.sensing import detector
        from citytable_lab.stress import Play, score_play

        scored = score_play(detector, Play(seed, hours, cells, piece_set, accelerometer, city), processes)
        if as_json:
            _print_json(scored)
        else:
            _print_scores(scored, brief=brief)


@commands.command()
def neighbours(
    tables: Annotated[int, typer.Option(min=1, help="Number of tables, each with three spots.")] = 40,
    seed: Annotated[int, typer.Option(min=0, help="The same seed draws the same tables.")] = 1,
    piece_set: PieceSet = "house",
    falls: Annotated[
        list[Path] | None,
        typer.Option(help="Library of recorded falls; repeat it for more. Default: draw all falls by formulas."),
    ] = None,
    processes: Processes = 1,
) -> None:
    """Score spots that share a table, each for itself and with what its neighbours hear."""
    with _lab():
        from citytable_lab.draw import all_falls
        from citytable_lab.gain import gain_lines
        from citytable_lab.neighbours import Table, score_tables

        alone, heard = score_tables(Table(seed, piece_set, all_falls(falls or [])), tables, processes)
        gain = gain_lines({"each spot for itself": alone, "with its neighbours": heard})
        for line in (alone.summary, "", *gain):
            say(line)


@commands.command()
def tradeoff(
    folder: Annotated[Path, typer.Argument(help="Folder of labelled traces (.npz).")],
    cells: Cells = 3,
    processes: Processes = 1,
    picture: Annotated[Path | None, typer.Option(help="Draw the curve to this file (.svg or .png).")] = None,
) -> None:
    """Score the detector with thresholds from hasty to careful.

    Recall against false alarms, quick alerts against withdrawn ones.
    """
    with _lab():
        from citytable_lab.picture import check_suffix
        from citytable_lab.scoring import traces_in
        from citytable_lab.tradeoff import curves_of, draw_curve, printed_alerts, printed_verdicts

        if picture is not None:
            check_suffix(picture)
        curves = curves_of(traces_in(folder), cells=cells, processes=processes)
        for line in (*printed_verdicts(curves.verdicts), "", *printed_alerts(curves.alerts)):
            say(line)
        if picture is not None:
            draw_curve(curves.verdicts, picture)


@commands.command()
def train(
    out: Annotated[Path, typer.Argument(help="File of the trees to write (.json).")],
    falls: Annotated[list[Path], typer.Option(help="Library of recorded falls; repeat it for more.")],
    seed: Annotated[int, typer.Option(min=0, help="The same seed and libraries train the same trees.")] = 61,
    processes: Processes = 1,
    pieces: Annotated[
        bool, typer.Option("--pieces", help="Train the trees that detect pieces instead of falls.")
    ] = False,
    accelerometer: Annotated[
        bool, typer.Option("--accelerometer", help="Train the trees that detect falls with an accelerometer.")
    ] = False,
    city: Annotated[
        bool, typer.Option("--city", help="With --pieces: train the trees of hexes where nobody takes pieces.")
    ] = False,
) -> None:
    """Train the trees that detect falls: draw traces, collect the detector's features, and learn.

    This takes a while.
    """
    with _lab():
        from citytable_lab.draw import all_falls
        from citytable_lab.train import save_trees, trained_falls
        from citytable_lab.train_kept_pieces import trained_kept_pieces
        from citytable_lab.train_pieces import trained_pieces

        recordings = all_falls(falls)
        if pieces and city:
            table = trained_kept_pieces(seed, recordings)
        elif pieces:
            table = trained_pieces(seed, recordings, processes)
        else:
            table = trained_falls(seed, recordings, processes, accelerometer=accelerometer)
        try:
            save_trees(out, table)
        except OSError as error:
            raise fail(f"{out}: {error.strerror or error}: give a path that can be written to") from None
        say(f"{out}: trained on {table.trained}")


@commands.command("train-small")
def train_small(
    out: Annotated[Path, typer.Argument(help="File of the trees to write (.json).")],
    falls: Annotated[list[Path], typer.Option(help="Library of recorded falls; repeat it for more.")],
    seed: Annotated[list[int], typer.Option(min=0, help="Repeat it for more traces.")],
) -> None:
    """Train the small trees of the glance, which decides whether the trees that detect falls are worth asking.

    The falls should be others than those that the large trees were trained on.
    """
    with _lab():
        from citytable_lab.draw import all_falls
        from citytable_lab.train import save_trees
        from citytable_lab.train_small import trained_glance

        table = trained_glance(seed, all_falls(falls))
        try:
            save_trees(out, table)
        except OSError as error:
            raise fail(f"{out}: {error.strerror or error}: give a path that can be written to") from None
        say(f"{out}: trained on {table.trained}")


@commands.command("train-rests")
def train_rests(
    folder: Annotated[Path, typer.Argument(help="Folder for the two tables of trees.")],
    falls: Annotated[list[Path], typer.Option(help="Library of recorded falls; repeat it for more.")],
    seed: Annotated[list[int], typer.Option(min=0, help="Repeat it for more traces.")],
    city: Annotated[
        bool, typer.Option("--city", help="Train only the trees of hexes where nobody takes pieces.")
    ] = False,
) -> None:
    """Train the trees of the second look: whether something fell, and whether that was a collapse.

    The falls should be others than those that the large trees were trained on.
    """
    with _lab():
        from citytable_lab.draw import all_falls
        from citytable_lab.train import save_trees
        from citytable_lab.train_kept import trained_kept
        from citytable_lab.train_rests import trained_rests

        recordings = all_falls(falls)
        if city:
            tables = {"kept": trained_kept(seed[0], recordings)}
        else:
            tables = dict(zip(("rest", "collapse"), trained_rests(seed, recordings), strict=True))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name, table in tables.items():
                save_trees(folder / f"{name}_trees.json", table)
        except OSError as error:
            raise fail(f"{folder}: {error.strerror or error}: give a folder that can be written to") from None
        for name, table in tables.items():
            say(f"{name}: trained on {table.trained}")


@commands.command()
def height(
    towers: Annotated[int, typer.Option(min=1, help="Number of towers to draw.")] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same towers and sensors.")] = 1,
) -> None:
    """Measure drawn towers with modelled sensors: print height errors, and how often intervals contain the truth."""
    from citytable_lab.height import draw_case, height_rows
    from citytable_lab.score_table import printed

    for line in printed(height_rows([draw_case(seed, number) for number in range(towers)])):
        say(line)


def _print_json(scored: "Run") -> None:
    answer = {
        "rows": scored.rows,
        "reported": scored.reported,
        "scores": scored.scores,
    }
    sys.stdout.write(msgspec.json.encode(answer).decode() + "\n")


def _print_scores(scored: "Run", *, brief: bool) -> None:
    """Print the table of accuracy; unless `brief`, also every other figure, each false alarm, and the fate of steps."""
    from citytable_lab.score_story import false_alarm_lines, step_lines
    from citytable_lab.score_table import printed

    say(scored.summary)
    stories = ("", *false_alarm_lines(scored.scores), "", *step_lines(scored.scores))
    for line in ("", *printed(scored.rows), *(() if brief else ("", *printed(scored.reported), *stories))):
        say(line)


@contextmanager
def _lab() -> Iterator[None]:
    """Report in one sentence a file that cannot be read or a picture that cannot be drawn."""
    from citytable_lab.picture import BadPicture
    from citytable_lab.recording import BadLibrary
    from citytable_lab.trace_file import BadTrace

    try:
        yield
    except (BadLibrary, BadTrace, BadPicture) as error:
        raise fail(error) from None
