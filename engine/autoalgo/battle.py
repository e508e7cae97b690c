"""A battle from deployment to its end."""

from __future__ import annotations

from engine.autoalgo.state import Battle as Battle
from engine.autoalgo.state import Tunables as Tunables
