"""A scheduler or worker of Dask as a script: its first word is the module of `distributed.cli`."""

import importlib
import sys

if __name__ == "__main__":
    import dask

    dask.config.refresh()  # the process that this one is forked from may have imported Dask already
    importlib.import_module(f"distributed.cli.{sys.argv.pop(1)}").main()
