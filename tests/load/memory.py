"""What memory a long batch takes: ``python -m tests.load.memory [SCENARIO] [BOT] [GAMES]``.

Plays games one after the other in this process, as every worker of the lab does, and prints the resident memory as it
goes. It should be flat once the tables of the scenario are filled: the last line gives the growth from a tenth of the
way to the end.
"""

import sys
from pathlib import Path

from sandtable.sim.match import play_game
from sandtable.sim.setting import read_setting


def resident() -> float:
    """Megabytes of this process that are in memory now."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def main(scenario: str = "na-a-patrol-at-tamrad", bot: str = "random", games: str = "10000") -> None:
    total = int(games)
    setting = read_setting(scenario, (bot,))
    seen: dict[int, float] = {}
    for game in range(1, total + 1):
        play_game(setting, 0, game)
        if game % max(1, total // 10) == 0:
            seen[game] = resident()
            print(f"{game:>7} games: {seen[game]:.1f} MB", flush=True)  # noqa: T201
    first, *_, last = seen.values()
    print(f"{scenario}, {bot}: {first:.1f} MB after a tenth, {last:.1f} MB at the end, {last / first:.3f}x")  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
