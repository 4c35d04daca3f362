"""What tests measure on the wall, as scripts of its page, and views with as many players as a table has."""

from msgspec.structs import replace

from citytable.views.state import View

NAMES = ("Ada", "Maximilienne-Aurélie", "Jean-Christophe", "Bo")

UNCOVERED = """() => {
  const rect = (one) => one.getBoundingClientRect(), all = (what) => [...document.querySelectorAll(what)].map(rect);
  const panels = all("main > .side, .market, .stage .sentence p, .code a, .notice");
  const stage = rect(document.querySelector(".stage"));
  const inside = (x, y) => ({ left, right, top, bottom }) => x >= left && x < right && y >= top && y < bottom;
  let [free, whole] = [0, 0];
  for (let x = 4; x < innerWidth; x += 8)
    for (let y = 4; y < innerHeight; y += 8) {
      whole += 1;
      if (inside(x, y)(stage) && !panels.some(inside(x, y))) free += 1;
    }
  return free / whole;
}"""
"""The share of the wall in which the city is drawn and nothing lies on it, in points eight pixels apart."""

FREE = """() => {
  const rects = (what) => [...document.querySelectorAll(what)].map((one) => one.getBoundingClientRect());
  const panels = rects('.side, .stage .sentence p').filter(({ width }) => width);
  const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const free = (one) => one.left >= 0 && one.top >= 0 && !panels.some((panel) => over(one, panel));
  return rects('[data-city] b').every(free);
}"""
"""Of all labels of the model, whether they lie in the part of the wall that no panel covers."""

CUT_OFF = """() => {
  const gone = (box, list) => list && box.left >= list.getBoundingClientRect().right - 1; // not seen
  const out = (one) => {
    const box = one.getBoundingClientRect(), area = one.closest(".area")?.getBoundingClientRect();
    if (!box.width || getComputedStyle(one).clipPath !== "none" || one.closest("[style*=clip], svg")) return false;
    if (gone(box, one.closest("[data-gives], .sentence"))) return false;
    return box.bottom > Math.min(innerHeight, area?.bottom ?? innerHeight) + 1 || box.right > innerWidth + 1;
  };
  return [...document.querySelectorAll("main > .side *")].filter(out).map((one) => one.outerHTML.slice(0, 80));
}"""
"""What of the rail at the side is cut off by an edge. What has no room at all is not shown, and so not cut off."""


def of_players(view: View, players: int) -> View:
    """Return the same view with so many players, who hold as many contracts as they may."""
    first, *others = (view.scene.players * 2)[:players]
    seats = (first, *(replace(one, seat=seat) for seat, one in enumerate(others, 2)))
    held = 3 if players == 2 else 2
    areas = [area | {"open_contracts": (area["open_contracts"] * 3)[:held]} for area in view.scene.board["areas"]]
    for area in areas:
        area["open_contracts"] = [
            card | {"name": f"{card['name']} {k}" if k else card["name"]}
            for k, card in enumerate(area["open_contracts"])
        ]
    board = view.scene.board | {"areas": areas, "actions_left": held}
    return replace(view, scene=replace(view.scene, players=seats, board=board))


def of_names(view: View) -> View:
    """Return the same view with players who have names, one of them a long one."""
    players = tuple(replace(one, name=name) for one, name in zip(view.scene.players, NAMES, strict=False))
    return replace(view, scene=replace(view.scene, players=players))
