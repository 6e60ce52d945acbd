"""``python -m tests.golden.regenerate``: plays the golden games anew and writes their logs and stories.

For a change of the rules, the data or the players that is meant: look at the difference before you keep it.
"""

from sandtable import catalog
from tests.golden.games import GAMES, play, tell


def main() -> None:
    """Write every log and story."""
    for golden in GAMES:
        text = play(golden)
        golden.log.write_text(text, encoding="utf-8")
        found = catalog.open_log(text, golden.log.name)
        golden.story.write_text(tell(found), encoding="utf-8")
        print(f"{golden.name}: {len(found.log.lines)} entries")  # noqa: T201 - a tool for the desk


if __name__ == "__main__":
    main()
