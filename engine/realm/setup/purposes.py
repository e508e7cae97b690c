"""Purposes of random draws by rule id. A number is never changed or reused, so that old rulings can be replayed."""

from __future__ import annotations

DICE = (
    *("RL-LOY-02", "RL-LOY-03", "RL-LOY-03b", "RL-LOY-03e", "RL-LOY-03f", "RL-LOY-03g", "RL-REC-01", "RL-REC-02"),
    *("RL-MER-01", "RL-MER-02", "RL-MER-03", "RL-HEA-01", "RL-REB-01", "RL-RND-01", "RL-RND-02", "RL-RND-03"),
    *("RL-RND-06", "RL-DUN-01", "RL-DUN-02", "RL-DUN-03", "RL-DUN-04", "RL-ESP-1", "RL-ESP-2", "RL-ESP-3"),
    *("RL-ESP-4", "RL-ESP-5", "RL-ESP-6", "RL-ESP-7", "RL-ESP-8", "RL-ESP-9", "RL-ESP-B", "RL-ESP-D", "RL-ESP-E"),
    *("RL-OP-47", "RL-OP-24", "RL-OP-43"),
)
"""Every die of these rules, in the order of the numbers of their purposes; a new one comes last."""
PURPOSES = {id: number for number, id in enumerate(DICE)}
"""The numbers of the purposes."""
