"""What the wheel holds: all of the package, its data included."""

import subprocess
import sys
import zipfile
from pathlib import Path

from tests.architecture.checkout import PACKAGE, ROOT


def test_the_wheel_holds_the_whole_package(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", tmp_path],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    wanted = {
        path.relative_to(PACKAGE.parent).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert "sandtable/py.typed" in wanted
    assert wanted <= packed, "\n".join(sorted(wanted - packed))
