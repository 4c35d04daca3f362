"""A table that is filmed: its hub asks OBS for a clip of every collapse and every record."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from citytable.console import say, warn
from citytable.hub import Hub
from citytable.obs import Clips, ObsTrouble, check_replay, password, save_replay, saving_clips
from citytable.session.records import RecordBook, marks_so_far
from citytable.session.worth_a_clip import WorthAClip
from citytable.settings import Settings


@asynccontextmanager
async def clips_by_obs(url: str, settings: Settings, hub: Hub, book: RecordBook) -> AsyncIterator[None]:
    """Let OBS save clips of a hub's table while inside; report at the start whether it would."""
    secret = password()
    try:
        await check_replay(url, secret)
        say(f"obs      {url} saves a clip of every collapse and every record")
    except ObsTrouble as error:
        warn(f"no clips yet: {error}", "yellow")
    worth = WorthAClip(lambda view: marks_so_far(settings.box, hub.play, view.scene), book.best)
    clips = Clips(worth, lambda: save_replay(url, secret), warn)
    clips.begin(hub.session.view())
    hub.session.on_next_game(lambda: clips.begin(hub.session.view()))
    hub.session.show_on(clips.show)
    async with saving_clips(clips):
        yield
