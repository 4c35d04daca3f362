"""The venue's pages, as text: standings for everybody, a season, one page about all tables
for a producer, and one about the players for the desk. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from html import escape
from urllib.parse import urlencode

from citytable.languages import Language
from citytable.languages.sentences import Sentences
from citytable.venue.evening import Evening
from citytable.venue.excitement import Exciting, names_at
from citytable.venue.facts import Seating
from citytable.venue.messages import TableNow
from citytable.venue.season import SeasonLine
from citytable.venue.standings import standings
from citytable.venue.wording import decimal

REFRESH_S = 5
_SENTENCES = Sentences(__package__, "pages.json")


class Pages:
    """Write pages in one language."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def evening(self, name: str, evening: Evening | None) -> str:
        """Write the public page: the round that is played, and the standings; `evening` is None before any began."""
        if evening is None:
            return self._page(self._text("producer"), f"<p>{self._text('none')}</p>")
        return self._page(self._text("title", name=name), self._round(evening) + self._standings(evening))

    def season(self, name: str, lines: Sequence[SeasonLine]) -> str:
        """Write the table of a season for everybody: who has not agreed to be shown by name is a number."""
        rows = [(line.place, self._called(line), self._number(line.points), line.wins, line.evenings) for line in lines]
        return self._page(self._text("season", name=name), self._table(("points", "wins", "evenings"), rows))

    def producer(self, ranked: Iterable[Exciting], tables: Mapping[str, TableNow], evening: Evening | None) -> str:
        """Write the producer's page: every table with its reasons, the most exciting first."""
        parts = [self._exciting(one, tables[one.table], evening) for one in ranked]
        return self._page(self._text("producer"), "".join(parts) or f"<p>{self._text('no_tables')}</p>")

    def refusal(self, key: str, **words: object) -> str:
        """Write a page with one sentence, which says why there is no other."""
        return self._page(self._text("producer"), f"<p>{self._text(key, **words)}</p>")

    def players(self, names: Collection[str]) -> str:
        """Write everybody's names, each of which leads to what can be done with it."""
        links = [f'<a href="?{escape(urlencode({"player": name}))}">{escape(name)}</a>' for name in names]
        listed = "".join(f"<li>{link}</li>" for link in links)
        body = f"<ul>{listed}</ul>" if names else f"<p>{self._text('nobody')}</p>"
        return self._still(self._text("players"), body)

    def player(self, player: str, names: Mapping[str, bool]) -> str:
        """Write what can be done with a name; `names` are all, and whether each may be shown to everybody."""
        said = f"<p>{self._text('shown' if names[player] else 'not_shown')}</p>"
        others = "".join(f"<option>{escape(name)}</option>" for name in names if name != player)
        called = f'aria-label="{self._text("new_name")}" value="{escape(player)}"'
        forms = self._form("rename", player, f'<input name="name" required {called}>')
        if others:
            choice = f'<select name="name" aria-label="{self._text("other")}">{others}</select>'
            forms += self._form("merge", player, choice)
        forms = self._form("hide" if names[player] else "show", player, "") + forms
        return self._still(escape(player), said + forms + self._form("erase", player, "") + self._back())

    def sure(self, player: str, name: str) -> str:
        """Write the question before a name is forgotten or, where another one is given, becomes that one."""
        act = "erase" if name == player else "merge"
        fields = f'<input type="hidden" name="sure" value="yes">{_hidden("name", name)}'
        question = f"<p>{self._text(f'sure_{act}', player=player, name=name)}</p>"
        return self._still(escape(player), question + self._form(act, player, fields, f"yes_{act}") + self._back())

    def not_done(self, why: str) -> str:
        """Write that something was not done, why, and the way back."""
        return self._still(self._text("players"), f"<p>{self._text('not_done', why=why)}</p>{self._back()}")

    def _form(self, act: str, player: str, fields: str, button: str = "") -> str:
        inside = _hidden("act", act) + _hidden("player", player) + fields
        return f'<form method="post" action="/players">{inside}<button>{self._text(button or act)}</button></form>'

    def _back(self) -> str:
        return f'<p><a href="/players">{self._text("back")}</a></p>'

    def _round(self, evening: Evening) -> str:
        if not evening.rounds:
            return f"<p>{self._text('no_round')}</p>"
        drawn = evening.rounds[-1]
        head = self._text("round", no=drawn.round_no, planned=evening.rounds_planned)
        rows = [self._seated(one, evening.points(drawn.round_no, one.table)) for one in drawn.seatings]
        out = self._text("out", names=", ".join(drawn.sitting_out)) if drawn.sitting_out else ""
        return f"<section><h2>{head}</h2><table>{''.join(rows)}</table><p>{out}</p></section>"

    def _seated(self, seating: Seating, points: Sequence[int] | None) -> str:
        scores = ["" if points is None else f" ({mine})" for mine in points or seating.players]
        cells = [f"<td>{k} {escape(name)}{scores[k - 1]}</td>" for k, name in enumerate(seating.players, 1)]
        return f'<tr><th scope="row">{escape(seating.table)}</th>{"".join(cells)}</tr>'

    def _standings(self, evening: Evening) -> str:
        lines = standings(evening)
        rows = [(line.place, line.player, self._number(line.points), line.wins, line.games) for line in lines]
        table = self._table(("points", "wins", "games"), rows)
        return f"<section><h2>{self._text('standings')}</h2>{table}</section>"

    def _table(self, columns: Sequence[str], rows: Iterable[tuple[int, str, str, int, int]]) -> str:
        head = f'<th class="number">{self._text("place")}</th><th>{self._text("player")}</th>'
        head += "".join(f'<th class="number">{self._text(column)}</th>' for column in columns)
        body = [
            f'<tr><td class="number">{place}</td><td>{escape(player)}</td>'
            + "".join(f'<td class="number">{value}</td>' for value in values)
            + "</tr>"
            for place, player, *values in rows
        ]
        return f"<table><tr>{head}</tr>{''.join(body)}</table>"

    def _exciting(self, one: Exciting, now: TableNow, evening: Evening | None) -> str:
        names = names_at(one.table, now, evening)
        called = [name or self._text("seat", no=seat) for seat, name in enumerate(names, 1)]
        reasons = [
            self._text(f"why.{reason.why}", name=reason.name, points=reason.points) for reason in one.reasons
        ] or [self._text("calm")]
        if now.waits:
            reasons.append(self._text("waits"))
        scores = [
            f"{escape(name)} {mine}" for name, mine in zip(called, now.points or [""] * len(called), strict=False)
        ]
        head = f"{self._text('table')} {escape(one.table)}"
        listed = "".join(f"<li>{reason}</li>" for reason in reasons)
        turn = self._text("turn", no=now.turn)
        return f"<section><h2>{head}</h2><ul>{listed}</ul><p>{', '.join(scores)} · {turn}</p></section>"

    def _called(self, line: SeasonLine) -> str:
        return line.player if line.by_name else _SENTENCES.text("player_no", no=line.number)[self._language]

    def _number(self, points: Fraction) -> str:
        return decimal(points) if self._language == "en" else decimal(points).replace(".", ",")

    def _text(self, key: str, **words: object) -> str:
        """Return a sentence, safe to stand in a page."""
        return escape(_SENTENCES.text(key, **words)[self._language])

    def _page(self, title: str, body: str) -> str:
        """Return a page that comes again by itself."""
        return self._still(title, body, f'<meta http-equiv="refresh" content="{REFRESH_S}">')

    def _still(self, title: str, body: str, more: str = "") -> str:
        return (
            f'<!doctype html><html lang="{self._language}"><head><meta charset="utf-8"><title>{title}</title>{more}'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<link rel="stylesheet" href="/pages.css"></head><body><main><h1>{title}</h1>{body}</main></body></html>\n'
        )


def _hidden(name: str, value: str) -> str:
    return f'<input type="hidden" name="{name}" value="{escape(value)}">'
