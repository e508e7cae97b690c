"""Imports of the process from which warm commands are forked."""

import gc
import importlib
import pkgutil

import numpy.ma  # noqa: F401 - numpy and Pillow import these when they are first used
import PIL.PngImagePlugin  # noqa: F401

import sheets_algo

for module in pkgutil.walk_packages(sheets_algo.__path__, "sheets_algo."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)

gc.freeze()  # a fork's collections then leave the pages of these modules shared
