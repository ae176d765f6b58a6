#!/usr/bin/env bash
# From a bare Debian 12 to a green test suite: installs what is missing, builds, runs every test; with --asan the same
# under the address and undefined-behaviour sanitizers.
set -euo pipefail
cd "$(dirname "$0")"
usage='usage: ./test.sh [--asan]      (--asan: under the address and undefined-behaviour sanitizers)'
preset=release
case $#,${1-} in
  0,) ;;
  1,--asan) preset=asan ;;
  1,--help|1,-h) echo "$usage"; exit 0 ;;
  *) printf "test.sh: does not understand '%s'\n%s\n" "$*" "$usage" >&2; exit 2 ;;
esac
. cmake/packages.sh
need_packages cmake/packages.txt build toolkit importers scenegraph viewer tests

cmake --preset $preset >/dev/null
cmake --build --preset $preset
ctest --preset $preset -j "$(nproc)"
