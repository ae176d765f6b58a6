#!/usr/bin/env bash
# Whether clang, which the long fuzzing of run.sh needs, takes the sources that use vector extensions of the language:
# the rest is the same C++ for every compiler. Arguments: the compiler, the toolkit's folder, its compiler flags.
set -euo pipefail
clang=$1 toolkit=$2
shift 2
sources=$(grep -rlE "__builtin_|vector_size|hierarchy/detail/(float4|build_item|wide_split)\.h" "$toolkit/fitup" --include=*.cpp)
[ -n "$sources" ] || { echo "no such source in $toolkit"; exit 1; }
for source in $sources; do
  "$clang" -std=c++20 -I"$toolkit" "$@" -fsyntax-only "$source"
done
