"""`mazziere completion`: a script with which a shell completes commands, options and games."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping

from rules.games import GAMES

BASH = """\
_mazziere() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} command=${{COMP_WORDS[1]}} words=
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="{commands}"
    else
        case $command in
{cases}
        esac
    fi
    while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen -W "$words" -- "$word")
    if [ "${{#COMPREPLY[@]}}" -eq 0 ]; then
        while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen -f -- "$word")
    fi
}}
complete -o filenames -F _mazziere mazziere
"""
"""For bash; zsh reads it after ``autoload bashcompinit && bashcompinit``."""


def script(parsers: Mapping[str, argparse.ArgumentParser]) -> str:
    """The script for these commands; any other word is completed as a file name."""
    cases = "\n".join(
        f'            {name}) words="{" ".join(_words(parser))}" ;;'
        for name, parser in sorted(parsers.items())
    )
    return BASH.format(commands=" ".join(sorted(parsers)), cases=cases)


def _words(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The options of a command, and the names of games where it takes one."""
    for action in parser._actions:
        yield from (option for option in action.option_strings if option.startswith("--"))
        if action.dest == "game":
            yield from GAMES
        elif action.choices is not None:
            yield from map(str, action.choices)
