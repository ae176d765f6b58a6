#!/usr/bin/env python3
"""What a build takes: measured, compared with the figures kept in build-times.txt, kept anew. docs/lab/build-time.md
says what to do about it.

    cmake/build_times.py measure [PRESET]     from nothing, twice: without ccache's help and with it; by target
    cmake/build_times.py compare BUILD        what the units of a build took, each the last time, beside what is kept
    cmake/build_times.py keep BUILD           keeps what the last build took (one from nothing)
    cmake/build_times.py units BUILD [N]      the N units that took longest (25)

BUILD is a build folder configured with FITUP_TIME_BUILD, whose build-times.log these read. Figures are processor time,
user and system. As machines differ, and a machine from minute to minute, the kept ones are multiples of what
reference_unit.cpp takes, compiled in the same run on all cores at once.
"""
import collections
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
KEPT = pathlib.Path(os.environ.get("FITUP_BUILD_TIMES", HERE / "build-times.txt"))
GROWTH = 1.2  # above it is said that the build has grown


def seconds(text):
    """Of `times`: 1m2.5s."""
    minutes, rest = text.rstrip("s").split("m")
    return 60 * float(minutes) + float(rest)


def read_log(build):
    """Of each unit that the build folder still has, the last time that it was compiled (or linked): {unit: seconds}; and
    those that ccache had."""
    log = pathlib.Path(build) / "build-times.log"
    if not log.exists():
        sys.exit(f"{log} is not there: configure with -DFITUP_TIME_BUILD=ON and build")
    units, cached = {}, set()
    rules = pathlib.Path(build) / "build.ninja"
    known = rules.read_text() if rules.exists() else None
    for line in log.read_text().splitlines():
        user, system, how, output = line.split(" ", 3)
        if known is not None and output.removeprefix(f"{build}/") not in known:
            continue
        unit = re.sub(r"CMakeFiles/([^/]+)\.dir/", r"\1:", output.removeprefix(str(build)).lstrip("/"))
        unit = re.sub(r"(Unity/|\.cxx\.o$|\.o$|\.gch$)", "", unit)
        (cached.add if how == "cached" else cached.discard)(unit)
        units[unit] = seconds(user) + seconds(system)
    return units, cached


def target_of(unit):
    name, separator, _ = unit.rpartition(":")
    return name.rpartition("/")[2] if separator else "linking"


def reference():
    """Processor seconds of the reference unit while every core compiles it."""
    if "FITUP_REFERENCE_SECONDS" in os.environ:  # for the test of this file
        return float(os.environ["FITUP_REFERENCE_SECONDS"])
    took = []
    command = [os.environ.get("CXX", "c++"), "-std=c++20", "-O2", "-c", str(HERE / "reference_unit.cpp"), "-o"]
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            cores = len(os.sched_getaffinity(0))
            running = [subprocess.Popen(command + [f"{folder}/{k}.o"]) for k in range(cores)]
            if any(process.wait() != 0 for process in running):
                sys.exit("the reference unit does not compile")
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            took.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / cores)
    return statistics.mean(took)


def read_kept():
    kept = {}
    for line in KEPT.read_text().splitlines():
        if line and not line.startswith("#"):
            value, unit = line.split(" ", 1)
            kept[unit] = float(value)
    return kept


def compare(build):
    units, cached = read_log(build)
    compiled = {unit: took for unit, took in units.items() if unit not in cached}
    if not KEPT.exists():
        print(f"Build: nothing to compare with, as there is no {KEPT.name}.")
        return
    kept = {unit: value for unit, value in read_kept().items() if unit in units}
    total = sum(kept.values())
    if sum(compiled.values()) < 1:
        print(f"Build: ccache had all of it; it takes {total:.0f} times the reference unit.")
        return
    unit_time = reference()
    # What was not compiled is taken to be as it was; what is new adds to it.
    now = {unit: compiled[unit] / unit_time if unit in compiled else kept[unit] for unit in set(kept) | set(compiled)}
    ratio = sum(now.values()) / max(1e-9, total)
    # Each as of the last time: after a build of a few units the others are from the builds before.
    print(f"Build: {sum(compiled.values()):.0f} s of processor time for {len(compiled)} units, {len(cached)} from ccache. "
          f"All of it: {sum(now.values()):.0f} times the reference unit ({unit_time:.2f} s), {total:.0f} are kept: "
          f"{ratio:.2f} times as long.")
    if ratio > GROWTH:
        print(f"WARNING: the build takes more than {GROWTH} times what is kept in cmake/build-times.txt; most of it:")
        grown = sorted(now, key=lambda unit: now[unit] - kept.get(unit, 0), reverse=True)
        for unit in grown[:10]:
            print(f"  {now[unit]:7.2f}, kept {kept.get(unit, 0):7.2f}  {unit}")
        print("  See docs/lab/build-time.md.")


def keep(build):
    units, cached = read_log(build)
    if cached:
        sys.exit(f"{len(cached)} units came from ccache: build from nothing with CCACHE_DISABLE=1 first")
    unit_time = reference()
    lines = ["# Processor time of each unit in multiples of cmake/reference_unit.cpp's, as `cmake/build_times.py keep` wrote it."]
    lines += [f"{took / unit_time:.3f} {unit}" for unit, took in sorted(units.items())]
    KEPT.write_text("\n".join(lines) + "\n")
    print(f"kept: {sum(units.values()) / unit_time:.0f} times the reference unit ({unit_time:.2f} s)")


def by_target(units):
    took, count = collections.Counter(), collections.Counter()
    for unit, value in units.items():
        took[target_of(unit)] += value
        count[target_of(unit)] += 1
    return took, count


def measure(preset):
    root = HERE.parent
    unit_time = reference()
    runs = {}
    with tempfile.TemporaryDirectory(prefix="fitup-build-times-") as folder:
        environment = dict(os.environ, CCACHE_DIR=f"{folder}/ccache")
        for how in "cold", "warm":
            build = f"{folder}/build"
            shutil.rmtree(build, ignore_errors=True)
            subprocess.run(["cmake", "--preset", preset, "-B", build, "-DFITUP_TIME_BUILD=ON"], cwd=root, check=True,
                           env=environment, stdout=subprocess.DEVNULL)
            before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
            subprocess.run(["cmake", "--build", build], check=True, env=environment)
            after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - start
            processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            runs[how] = (processor, wall, *by_target(read_log(build)[0]))
    print(f"\n{'target':32} {'units':>6} {'cold s':>9} {'warm s':>9}      processor time")
    (_, _, cold, count), (_, _, warm, _) = runs["cold"], runs["warm"]
    for target, took in cold.most_common():
        print(f"{target:32} {count[target]:6} {took:9.1f} {warm[target]:9.1f}")
    print(f"{'all commands':32} {sum(count.values()):6} {runs['cold'][0]:9.1f} {runs['warm'][0]:9.1f}")
    print(f"{'wall time':32} {'':6} {runs['cold'][1]:9.1f} {runs['warm'][1]:9.1f}")
    print(f"reference unit: {unit_time:.2f} s; cold {runs['cold'][0] / unit_time:.0f} times that")


def main():
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return
    command, rest = arguments[0], arguments[1:]
    if command == "measure" and len(rest) <= 1:
        measure(rest[0] if rest else "release")
    elif command in ("compare", "keep") and len(rest) == 1:
        {"compare": compare, "keep": keep}[command](pathlib.Path(rest[0]).resolve())
    elif command == "units" and len(rest) in (1, 2):
        units, _ = read_log(pathlib.Path(rest[0]).resolve())
        for unit, took in collections.Counter(units).most_common(int(rest[1]) if len(rest) == 2 else 25):
            print(f"{took:8.1f} {unit}")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
