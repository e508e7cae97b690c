"""Machine code of plain functions over records of arrays: `numba_backend` compiles, `machine` keeps and loads."""
