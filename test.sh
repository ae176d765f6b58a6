#!/usr/bin/env bash
# From a bare Debian 12 to a green test suite: installs what is missing, builds, runs the quick tests, which is what
# continuous integration does. --long: all tests and fuzz targets, each source compiled by itself. --asan: under the
# address and undefined-behaviour sanitizers.
set -euo pipefail
cd "$(dirname "$0")"
usage='usage: ./test.sh [--long | --asan]
  --long   also what takes long: families, seeds, large scenes, fuzz targets; each source compiled by itself
  --asan   under the address and undefined-behaviour sanitizers'
preset=release groups='build toolkit importers scenegraph viewer tests'
case $#,${1-} in
  0,) ;;
  1,--long) preset=long groups+=' long' ;;
  1,--asan) preset=asan ;;
  1,--help|1,-h) echo "$usage"; exit 0 ;;
  *) printf "test.sh: does not understand '%s'\n%s\n" "$*" "$usage" >&2; exit 2 ;;
esac
. cmake/packages.sh
steps=3

step 'packages'
# shellcheck disable=SC2086  # one word a group
need_packages cmake/packages.txt $groups

step "build ($preset)"
cmake --preset $preset >/dev/null
cmake --build --preset $preset
[ $preset != release ] || cmake/build_times.py compare build/$preset || echo "Build times were not compared."

step "tests ($preset)"
ctest --preset $preset -j "$(nproc)"
