"""The sides of a platform: each carries a tag of its own."""

from citytable.games.megacity.layout import face_of


class Sides:
    """MegaCity brings `ManyTags`."""

    def component(self, thing: str) -> str:
        """Return the platform that a side belongs to, or the thing itself."""
        face = face_of(thing)
        return thing if face is None else f"platform/{face.platform}"
