"""A table's reports to its venue, made from the public view. Pure."""

from citytable.table.scene import Scene
from citytable.venue.messages import GameResult, TableNow
from citytable.views.viewer import Seen


def result_of(seen: Seen, game_id: str) -> GameResult | None:
    """Return the result of the game on the table; None until it is over, and for a game for one or without points."""
    scene = seen.scene
    points = None if scene is None or not scene.ended else _points(scene)
    if scene is None or points is None or len(points) < 2:
        return None
    return GameResult(game_id, scene.game, seen.t_us, points, _names(scene))


def now_of(seen: Seen, game_id: str) -> TableNow | None:
    """Return the present state of the game; None before one was chosen."""
    scene = seen.scene
    if scene is None:
        return None
    return TableNow(
        game_id=game_id,
        game=scene.game,
        t_us=seen.t_us,
        turn=scene.turn,
        seat=scene.seat,
        over=bool(scene.ended),
        points=_points(scene),
        names=_names(scene),
        fell=seen.collapse is not None,
        waits=bool(seen.questions or seen.status.disagreements),
    )


def _points(scene: Scene) -> tuple[int, ...] | None:
    """Return the points of seats 1, 2, ..."""
    scores = [player.score for player in sorted(scene.players, key=lambda player: player.seat)]
    known = tuple(score for score in scores if score is not None)
    return known if len(known) == len(scores) else None


def _names(scene: Scene) -> tuple[str, ...]:
    return tuple(player.name for player in sorted(scene.players, key=lambda player: player.seat))
