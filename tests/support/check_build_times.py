"""What cmake/build_times.py says of builds that are as kept, that have grown, that ccache had, and of new units.
Argument: the repository's root."""
import os
import pathlib
import subprocess
import sys
import tempfile

script = pathlib.Path(sys.argv[1]) / "cmake" / "build_times.py"


def said(command, log, kept="40.0 a:one.cpp\n10.0 b:two.cpp\n"):
    with tempfile.TemporaryDirectory() as folder:
        build = pathlib.Path(folder)
        (build / "build-times.log").write_text("".join(line + "\n" for line in log))
        (build / "kept.txt").write_text(kept)
        environment = dict(os.environ, FITUP_REFERENCE_SECONDS="2", FITUP_BUILD_TIMES=str(build / "kept.txt"))
        run = subprocess.run([sys.executable, str(script), command, folder], env=environment, text=True, check=False,
                             capture_output=True)
        return run.stdout + run.stderr + f"exit {run.returncode}", (build / "kept.txt").read_text()


def check(text, *expected, without=()):
    for part in expected:
        assert part in text, f"'{part}' is missing in: {text}"
    for part in without:
        assert part not in text, f"'{part}' is in: {text}"


one, two = "CMakeFiles/a.dir/one.cpp.o", "CMakeFiles/b.dir/two.cpp.o"
as_kept = [f"1m10.0s 0m10.0s compiled {one}", f"0m19.5s 0m0.5s compiled {two}"]
check(said("compare", as_kept)[0], "2 units, 0 from ccache", "50 are kept: 1.00 times", "exit 0", without=["WARNING"])
# The last time that a unit was compiled counts.
check(said("compare", [f"9m0.0s 0m0.0s compiled {one}"] + as_kept)[0], "1.00 times", without=["WARNING"])
check(said("compare", as_kept[:1] + [f"0m44.0s 0m0.0s compiled {two}"])[0], "1.24 times", "WARNING", "kept   10.00  b:two.cpp",
      "exit 0")
# What ccache had is taken to be as it was, what is new adds.
check(said("compare", [f"0m0.1s 0m0.0s cached {one}", f"0m20.0s 0m0.0s compiled {two}"])[0], "1 units, 1 from ccache",
      "1.00 times", without=["WARNING"])
check(said("compare", as_kept + ["0m40.0s 0m0.0s compiled CMakeFiles/b.dir/three.cpp.o"])[0], "1.40 times", "WARNING",
      "kept    0.00  b:three.cpp")
check(said("compare", [f"0m0.1s 0m0.0s cached {one}"])[0], "ccache had all of it", "exit 0")
text, kept = said("keep", as_kept)
check(text, "exit 0")
check(kept, "40.000 a:one.cpp", "10.000 b:two.cpp")
check(said("keep", [f"0m0.1s 0m0.0s cached {one}"])[0], "came from ccache", "exit 1")
