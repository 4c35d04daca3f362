"""A card of any size with any texts stays on itself."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citytable.printing.pdf import Job, pdf_of
from citytable.table.printed import Cell, Face, Mark, Printed, Row, Seat

MARK = Mark("M2 2h20v20H2z", "M4 4l16 16")
texts = st.text("abcdefghij ÉÀœ-1234", max_size=60)
numbers = st.integers(0, 10**6).map(str)
plain = st.builds(Cell, st.lists(st.just(MARK), max_size=6).map(tuple), texts)
framed = st.builds(lambda parts: Cell(parts=tuple(parts)), st.lists(plain, min_size=1, max_size=3))
rows = st.builds(
    Row,
    st.lists(plain | framed, min_size=1, max_size=4).map(tuple),
    st.floats(0.5, 3),
    texts,
    st.booleans(),
    st.booleans(),
)
faces = st.builds(
    Face,
    texts,
    st.just("#123456"),
    st.just(MARK),
    st.builds(Cell, st.just((MARK,)), numbers),
    st.lists(rows, max_size=5).map(tuple),
    foot=texts,
)
sizes = st.tuples(st.floats(20, 120), st.floats(20, 120))


@settings(max_examples=settings().max_examples // 4)
@given(faces, faces, sizes)
def test_nothing_is_drawn_beside_the_card(read_back, front, back, size):
    job = Job((Printed("card", size, front, back),), "deck", "a4", "en")
    sheet, behind = read_back(pdf_of(job))
    (card,) = sheet.cut()
    for page, (left, right) in ((sheet, (card.left, card.right)), (behind, (210 - card.right, 210 - card.left))):
        in_margin = 297 - 17
        for text in page.texts:
            assert text.y > in_margin or (left <= text.x <= right and card.top <= text.y <= card.bottom)
        for one in page.outlines:
            assert (
                one.is_hair_line  # cutting lines and their ticks
                or one.top > in_margin
                or (left <= one.left <= one.right <= right and card.top <= one.top <= one.bottom <= card.bottom)
            )


def test_a_long_number_leaves_room_for_the_title(read_back):
    row = (Row((Cell(text="x"),)),)
    face = Face("Title", "#123456", MARK, Cell((MARK,), "1234567"), row)
    job = Job((Printed("card", (63.0, 88.0), face, face),), "deck", "a4", "en")
    number, title = (text for text in read_back(pdf_of(job))[0].texts if text.words in {"Title", "1234567"})
    assert title.words == "Title"
    assert title.x < number.x


def test_a_seat_is_a_circle_of_25_mm(read_back):
    face = Face("", "#123456", MARK, seats=(Seat((31.5, 44.0)),))
    job = Job((Printed("card", (63.0, 88.0), face, face),), "deck", "a4", "en")
    sheet = read_back(pdf_of(job))[0]
    (card,) = sheet.cut()
    circles = [one for one in sheet.outlines if one.right - one.left == pytest.approx(25, abs=0.01)]
    assert [one.middle for one in circles] == [pytest.approx((card.left + 31.5, card.top + 44), abs=0.01)]
