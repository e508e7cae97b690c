"""Purposes of random draws. A number is never changed or reused, so that old rulings can be replayed."""

GENERAL_FATE = 0
"""The commander's fate, 0 to 9 (SC-03a); index: 0 attacker, 1 defender."""

EXP = 1
"""A commander's open Exp, 0 to 9 (SC-OP-08); index: 0 attacker, 1 defender."""
