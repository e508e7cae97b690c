"""Parameters of a template on a nation's page; the rest of the wiki text is left unchanged."""

from __future__ import annotations

from collections.abc import Mapping


def with_parameters(text: str, template: str, values: Mapping[str, str]) -> str | None:
    """Return a wiki text in which parameters of a template have new values; one that is missing is added.

    Args:
        values: The values by parameter, in wiki markup without pipes.

    Returns:
        The text, or None unless it has the template exactly once.

    Raises:
        ImportError: The library that reads wiki texts is not installed.
    """
    import mwparserfromhell  # an extra

    code = mwparserfromhell.parse(text)
    templates = [each for each in code.filter_templates() if each.name.matches(template)]
    if len(templates) != 1:
        return None
    for name, value in values.items():
        templates[0].add(name, value, preserve_spacing=True)
    return str(code)
