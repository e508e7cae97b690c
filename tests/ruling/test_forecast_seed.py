"""FC-01: a forecast's luck is its own."""

import secrets

from sheets_algo.ruling.forecast.forecast_rows import forecast_seed
from sheets_algo.ruling.luck.draw import Secret

INPUTS = '{"name":"Hastings"}'


def test_fc_01_a_forecast_s_seed_is_never_the_ruling_s():
    """It is the same in every season; the ruling's is another one under each secret."""
    own = forecast_seed("W-0002", INPUTS)

    rulings = {Secret(secrets.token_hex(32).encode()).seed("W-0002", INPUTS) for _ in range(200)}

    assert len(rulings) == 200
    assert own not in rulings
    assert own not in {Secret(key).seed("W-0002", INPUTS) for key in (b"", b"forecast", b"W-0002", INPUTS.encode())}


def test_fc_01_the_forecast_seed_depends_on_request_and_inputs_alone():
    own = forecast_seed("W-0002", INPUTS)

    assert forecast_seed(" w-0002", INPUTS) == own
    assert forecast_seed("W-0003", INPUTS) != own
    assert forecast_seed("W-0002", INPUTS + " ") != own
    assert 0 <= own < 2**64


def test_fc_01_anyone_can_compute_the_forecast_seed():
    r"""`printf 'forecast\nw-0002\\n{"name":"Hastings"}' | sha256sum` begins so."""
    assert f"{forecast_seed('W-0002', INPUTS):016x}" == EXPECTED


EXPECTED = "b7221b6674a1a5f4"
