"""The doors of a running hub to the things on its table: their tags and their values."""

from citytable.box_choice import BoxChoice
from citytable.box_desk import BoxDesk
from citytable.enrolling import Enrolling
from citytable.hub import Hub
from citytable.settings import Settings
from citytable.views.tags import NO_TAGS, TagsDoor


def tags_of(settings: Settings, hub: Hub) -> TagsDoor:
    """Return the door that writes tags into the plan file, if the table has one."""
    if settings.plan_path is None:
        return NO_TAGS
    return Enrolling(
        settings.plan_path,
        settings.box,
        lambda: hub.play.umpire.observed.lying,
        hub.session.say,
        settings.box_path,
    )


def desk_of(settings: Settings, hub: Hub, choice: BoxChoice) -> BoxDesk:
    """Return the door to the owner's box on the table."""
    return BoxDesk(settings.box_path, lambda: None if hub.play.copy is None else hub.play.copy.enters, choice)
