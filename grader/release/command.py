"""`grader release`: the student's copy, proved and then put in place whole."""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from grader.bundle import zip_bytes
from grader.exit_status import DONE, FAULTY, Unusable
from grader.release.contents import NAME, contents
from grader.release.proof import NotProved, prove, write_files
from grader.reports.files import write_whole


def release_command(options: argparse.Namespace) -> int:
    """Make, prove and write the student's copy; the exit status."""
    folder: Path = options.folder
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise Unusable(f"{folder} is not an empty folder; name one that does not exist yet.")
    if options.zip is not None:
        _check_zip(options.zip.resolve(), folder.resolve())
    print("proving the copy: nothing leaks, nothing is solved, its own files are tested …")
    try:
        files = contents(classroom=options.classroom)
        prove(files)
        _put_in_place(files, folder)
        if options.zip is not None:
            write_whole(options.zip, zip_bytes({f"{NAME}/{path}": content for path, content in files.items()}))
    except NotProved as fault:
        print(f"grader: nothing was written: {fault}", file=sys.stderr)
        return FAULTY
    print(f"{len(files)} files are in {folder}{f' and in {options.zip}' if options.zip else ''}.")
    return DONE


def _check_zip(zipped: Path, folder: Path) -> None:
    """Whatever cannot be written is said before the folder is made, which cannot be made twice."""
    if zipped.is_dir() or not zipped.parent.is_dir():
        raise Unusable(f"--zip {zipped}: there is {'a folder of that name' if zipped.is_dir() else 'no such folder'}.")
    if folder in zipped.parents:
        raise Unusable(f"--zip {zipped}: that is inside the students' copy itself.")


def _put_in_place(files: Mapping[str, bytes], folder: Path) -> None:
    """Write the files beside `folder` and give it its name when it is whole."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", suffix=".part", dir=folder.parent))
    try:
        write_files(files, part)
        part.chmod(0o755)  # mkdtemp makes it private
        if folder.exists():
            folder.rmdir()  # it is empty; Windows renames onto nothing
        part.rename(folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
