"""Replay a record and print who is paid: ``python rules/examples/replay_record.py < HAND.txt``."""

from __future__ import annotations

import sys

from rules.records import parse_record


def main(text: str) -> None:
    """Print each hand's settlement and its violations."""
    record = parse_record(text)
    for number, hand in enumerate(record.match.hands, start=1):
        print(f"hand {number}: {'over' if hand.state.over else 'in play'}")
        for seat, amount in sorted(hand.state.settlement.net.items()):
            print(f"  {f'seat {seat}' if seat else 'pot'}: {amount:+d}")
        for violation in hand.state.violations:
            print(f"  {violation.rule}, act {violation.since}, seat {violation.seat or '-'}")


if __name__ == "__main__":
    main(sys.stdin.read())
