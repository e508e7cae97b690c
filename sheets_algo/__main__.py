"""`python -m sheets_algo`."""

from sheets_algo.cli import main

main(prog_name="sheets-algo")
