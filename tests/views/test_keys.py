"""What opens the pages: kept with the journal, for nobody else's eyes, and another for every table, game and seat."""

import stat

import pytest

from citytable.table.plan import Misconfigured
from citytable.views.gate import PEOPLE, SEATS
from citytable.views.keys import PIN_DIGITS, Keys, beside, kept_secret, new_secret
from citytable.views.viewer import HOST


def test_the_secret_lies_beside_the_journal_and_stays_what_it_is(tmp_path):
    path = beside(tmp_path / "evening.sqlite3")
    secret = kept_secret(path)
    assert path == tmp_path / "evening.keys"
    assert kept_secret(path) == secret != new_secret()
    assert [one.name for one in tmp_path.iterdir()] == ["evening.keys"]


def test_only_its_owner_may_read_it_even_if_it_was_copied_carelessly(tmp_path):
    path = tmp_path / "evening.keys"
    kept_secret(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    kept_secret(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["", "abc", "ab" * 31, "not hex", "é"])
def test_a_damaged_file_is_named_with_what_to_do(tmp_path, text):
    path = tmp_path / "evening.keys"
    path.write_text(text, "utf-8")
    with pytest.raises(Misconfigured, match=r"evening\.keys is not what the hub wrote: delete it"):
        kept_secret(path)


def test_a_place_where_nothing_can_be_kept_is_named(tmp_path):
    with pytest.raises(Misconfigured, match="cannot be kept there"):
        kept_secret(tmp_path / "nowhere" / "evening.keys")


def test_every_table_and_everybody_has_keys_and_cookies_of_his_own():
    tables = [Keys(b"secret", table, "game") for table in ("salon", "terrace")]
    assert len({keys.key(one) for keys in tables for one in PEOPLE}) == 2 * len(PEOPLE)
    assert len({keys.cookie_name(one) for keys in tables for one in PEOPLE}) == 2 * len(PEOPLE)
    assert all(len(keys.pin(one)) == PIN_DIGITS and keys.pin(one).isdecimal() for keys in tables for one in PEOPLE)


def test_with_a_new_game_the_players_are_others_and_the_host_is_not():
    first, second = (Keys(b"secret", "salon", game) for game in ("game-1", "game-2"))
    assert (first.key(HOST), first.pin(HOST)) == (second.key(HOST), second.pin(HOST))
    assert all(first.key(seat) != second.key(seat) for seat in SEATS)


def test_a_link_and_a_pin_tell_nothing_of_each_other():
    keys = Keys(b"secret", "salon", "game-1")
    assert keys.pin(HOST) not in keys.key(HOST)
    assert int(keys.key(HOST)[:16], 16) % 10**PIN_DIGITS != int(keys.pin(HOST))


def test_the_hosts_pin_is_another_one_after_each_start_and_the_rest_stays():
    before, after = (Keys(b"secret", "salon", "game-1", start) for start in ("monday", "tuesday"))
    assert before.pin(HOST) != after.pin(HOST)
    assert before.key(HOST) == after.key(HOST)
    assert before.pin(SEATS[0]) == after.pin(SEATS[0])
