"""A real MediaWiki on this machine: Debian's package, SQLite and PHP's own server."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import which

import requests

from scripts.support.patience import PATIENCE_S, wait_until
from scripts.support.required import need

PACKAGES = "apt-get install mediawiki php-cli php-sqlite3"
REQUIRED = "SHEETS_ALGO_WIKI"
"""Environment variable; `required` lets tests fail where there is no MediaWiki."""
HOME = Path("/usr/share/mediawiki")
USER, PASSWORD = "Admin@post", "0123456789abcdefghijklmnopqrstuv"


def _missing() -> str:
    """Return what is missing for a wiki, a sentence; blank if nothing is."""
    if not HOME.exists() or which("php") is None:
        return f"MediaWiki is missing ({PACKAGES})"
    loaded = subprocess.run(["php", "-m"], capture_output=True, text=True, check=True).stdout.split()
    return "" if "pdo_sqlite" in loaded else f"PHP has no SQLite ({PACKAGES})"


@contextmanager
def real_wiki(folder: Path) -> Iterator[str]:
    """Yield the address of the api.php of a new wiki, which the account of `USER` may edit as a bot.

    The test is skipped without Debian's packages, unless a wiki is required.
    """
    need(_missing(), REQUIRED)
    config = folder / "LocalSettings.php"
    _php("install.php", "--dbtype=sqlite", f"--dbpath={folder}", "--pass=a-password-of-tests", "--server=http://127.0.0.1",
         "--scriptpath=", f"--confpath={folder}", "Wiki", "Admin")  # fmt: skip
    with config.open("a", encoding="utf-8") as settings:
        settings.write('$wgGroupPermissions["sysop"]["bot"] = true;\n$wgMainCacheType = CACHE_NONE;\n')
        settings.write(f'$wgEnableUploads = true;\n$wgUploadDirectory = "{folder}/images";\n')
    (folder / "images").mkdir()
    grants = "--grants=basic,createeditmovepage,editpage,highvolume,uploadfile"
    _php("createBotPassword.php", "--appid=post", grants, "Admin", PASSWORD, config=config)
    with socket.socket() as free:  # so late that no other program takes it meanwhile
        free.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{free.getsockname()[1]}"
    address = f"http://{place}"
    with config.open("a", encoding="utf-8") as settings:
        settings.write(f'$wgServer = "{address}";\n')
    words = ["php", "-S", place, "-t", str(HOME)]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        words, env=os.environ | {"MW_CONFIG_FILE": str(config)}, stdout=quiet, stderr=quiet
    ) as server:
        try:

            def answers() -> bool:
                assert server.poll() is None, "PHP's server has ended"
                with suppress(requests.ConnectionError):
                    requests.get(f"{address}/api.php", timeout=PATIENCE_S)
                    return True
                return False

            wait_until(answers)
            yield f"{address}/api.php"
        finally:
            server.kill()


def _php(script: str, *words: str, config: Path | None = None) -> None:
    environment = os.environ | ({"MW_CONFIG_FILE": str(config)} if config else {})
    done = subprocess.run(["php", str(HOME / "maintenance" / script), *words], env=environment, capture_output=True)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
