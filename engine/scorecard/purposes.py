"""What luck is asked for. Numbers are never changed or used again, so that every old ruling can be replayed."""

GENERAL_FATE = 0
"""The commander's fate, 0 to 9 (SC-03a); index: 0 attacker, 1 defender."""

EXP = 1
"""A commander's Exp that nobody has fixed yet, 0 to 9 (SC-OP-08); index as above."""
