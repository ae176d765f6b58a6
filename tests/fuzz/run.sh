#!/usr/bin/env bash
# Long fuzzing with clang's libFuzzer under the address and undefined-behaviour sanitizers.
#
#     tests/fuzz/run.sh [MINUTES] [TARGET...]      default: 10 minutes each, all targets
#
# Builds into build/fuzz. The corpus grows in build/fuzz/corpus/TARGET from seeds that our own writers make and from
# tests/fuzz/findings; an input that fails stays as build/fuzz/found/TARGET-*: mend the reader, then keep the input in
# tests/fuzz/findings/TARGET, where ./test.sh --long tries it (of model files every run of the suite). Exit code 1 if anything was found.
set -euo pipefail
cd "$(dirname "$0")/../.."
minutes=${1:-10}
[ $# -eq 0 ] || shift
build=build/fuzz
# One instruction set of the vector code (AVX2) is enough here, and builds three times faster.
clang=$(command -v clang++ || command -v clang++-14) || { echo "run.sh: clang++ is not installed" >&2; exit 2; }

cmake -S . -B $build -G Ninja -DCMAKE_CXX_COMPILER="$clang" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_FLAGS="-DHWY_COMPILE_ONLY_STATIC -march=haswell -maes" \
  -DCMAKE_CXX_FLAGS_RELEASE="-O1 -g1" -DFITUP_SANITIZE=fuzzer-no-link,address,undefined -DFITUP_BUILD_FUZZERS=ON \
  -DFITUP_BUILD_TESTS=OFF -DFITUP_BUILD_BENCHMARKS=OFF -DFITUP_BUILD_EXAMPLES=OFF -DFITUP_BUILD_VIEWER=OFF \
  -DFITUP_BUILD_SCENEGRAPH=OFF >/dev/null
cmake --build $build --target fitup-fuzz-seeds
$build/bin/fitup-fuzz-seeds $build/seeds
[ $# -gt 0 ] || set -- $(ls $build/seeds)

mkdir -p $build/found
found=0
for target; do
  cmake --build $build --target "fitup-fuzz-$target"
  mkdir -p "$build/corpus/$target"
  inputs=("$build/corpus/$target" "$build/seeds/$target")
  [ ! -d "tests/fuzz/findings/$target" ] || inputs+=("tests/fuzz/findings/$target")
  echo "== $target, $minutes minutes"
  # The readers may take memory in proportion to the input, of at most 64 KiB here. Leaks are looked for at the end.
  "$build/bin/fitup-fuzz-$target" -max_total_time=$((minutes * 60)) -max_len=65536 -timeout=20 -rss_limit_mb=2048 \
    -malloc_limit_mb=512 -print_final_stats=1 -artifact_prefix="$build/found/$target-" "${inputs[@]}" \
    >"$build/found/$target.log" 2>&1 || { found=1; echo "found something; see $build/found/$target.log"; }
  grep -E "^stat::number_of_executed_units|^SUMMARY|^failed" "$build/found/$target.log" || true
done
exit $found
