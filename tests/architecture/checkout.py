"""Where the checkout is, and which files belong to it."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "sandtable"

_NOT_OURS = {".git", ".venv", ".venvs", "node_modules", "build", "dist"}


def project_files() -> list[Path]:
    """The files that are, or are about to be, committed; outside git, all that lie there."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listing.returncode == 0:
        paths = [ROOT / name for name in listing.stdout.split("\0") if name]
    else:
        paths = [path for path in ROOT.rglob("*") if not _NOT_OURS & set(path.relative_to(ROOT).parts)]
    return sorted(path for path in paths if path.is_file())


def python_files(folder: Path) -> list[Path]:
    """The Python sources below `folder`, which may not exist."""
    return sorted(folder.rglob("*.py"))
