"""The rules of each ruleset: chapters of its rulebook, and its tables with the numbers in force."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from engine.settings import ConfigPaths, Setting
from sheets_algo.forms.databases import open_database
from sheets_algo.site.paging import Data, weighed_parts
from sheets_algo.site.rulebook import Chapters, RuleEntry
from sheets_algo.site.season_index import SeasonIndex
from sheets_algo.site.site_file import SiteFile

NUMBERS_MOST = 40
"""Numbers of a rule that its chapter lists."""


def rule_pages(index: SeasonIndex) -> Iterator[SiteFile]:
    """Yield the rules of each ruleset by chapters and its tables, with the numbers that the settings leave."""
    for key, forms in index.games:
        settings: tuple[Setting, ...] = ()
        dated: list[str] = []
        raw = index.library.raw(key)
        if tab := forms[0].settings:
            dated += [
                f"{name} = {value} from {change.since}"
                for change in tab.dated
                for name, value in change.numbers.items()
            ]
            settings = tab.read(open_database(index.season.book.snapshot, forms)).settings
            raw = {**raw, **tab.numbers(settings)}  # a tab has those of the tables that it may change
        changed = {setting.name for setting in settings}
        tables: dict[str, dict[str, list[tuple[str, str, bool]]]] = {}
        for path in ConfigPaths(raw, {}).by_name.values():
            table, _, rest = path.name.partition("/")
            group, _, last = rest.rpartition("/")
            groups = tables.setdefault(table, {})
            groups.setdefault(group, []).append((last, f"{path.value:,}", path.name in changed))
        book = Chapters(index.library, key, [type(form) for form in forms], raw, changed)
        data = {"title": f"Rules of {key}", "ruleset": key, "version": forms[0].ruleset.version}
        data |= {"tables": [(table, sum(map(len, groups.values()))) for table, groups in tables.items()]}
        data |= {"chapters": [(name, ids[0], ids[-1]) for name, ids in book.chapters.items()]}
        data |= {"changed": [*(f"{setting.name} = {setting.value}" for setting in settings), *dated]}
        yield index.page(f"rules/{key}.html", "rules.html", data)
        yield from _chapters(index, book)
        for table, groups in tables.items():
            page = {"title": f"{table} of {key}", "ruleset": key, "table": table}
            about = str(raw[table].get("about", ""))
            rows = [{"name": name, "numbers": group} for name, group in groups.items()]
            parts = [{**page, "rows": part, "about": about} for part in weighed_parts(rows)]
            yield from index.pages(f"rules/{key}/{table}", "numbers.html", parts)


def _chapters(index: SeasonIndex, book: Chapters) -> Iterator[SiteFile]:
    """Yield the chapters of a rulebook; a long one takes several pages."""
    for chapter, ids in book.chapters.items():
        page = {"title": f"{chapter} of {book.book}", "ruleset": book.book, "chapter": chapter}
        parts = [{**page, "rows": part} for part in weighed_parts([_rule(book.entry(id)) for id in ids])]
        yield from index.pages(f"rules/{book.book}/rulebook/{chapter}", "chapter.html", parts)


def _rule(rule: RuleEntry) -> Data:
    """Return a rule for its chapter; of many numbers only the count, since the page of their table has them."""
    data = {**asdict(rule), "listed": 0}
    if len(rule.numbers) > NUMBERS_MOST:
        data |= {"numbers": (), "listed": len(rule.numbers), "table": rule.numbers[0].name.partition("/")[0]}
    return data
