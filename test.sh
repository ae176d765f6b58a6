#!/usr/bin/env bash
# From a bare Debian 12 to a green test suite: installs what is missing, builds, runs every test; with --asan the same
# under the address and undefined-behaviour sanitizers.
set -euo pipefail
cd "$(dirname "$0")"
. cmake/packages.sh
need_packages cmake/packages.txt build toolkit importers scenegraph viewer tests

preset=release
[ "${1:-}" != --asan ] || preset=asan
cmake --preset $preset >/dev/null
cmake --build --preset $preset
ctest --preset $preset -j "$(nproc)"
