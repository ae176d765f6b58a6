#!/usr/bin/env bash
# From a bare Debian 12 to the process plant's replay: installs what is missing, builds, generates the plant, replays the
# spool's way out with every mode and setting, and leaves a report. A second run only replays.
set -euo pipefail
cd "$(dirname "$0")"
usage='usage: ./demo.sh      (no arguments; reports are left in out/demo)'
case $#,${1-} in
  0,) ;;
  1,--help|1,-h) echo "$usage"; exit 0 ;;
  *) printf "demo.sh: does not understand '%s'\n%s\n" "$*" "$usage" >&2; exit 2 ;;
esac
. cmake/packages.sh
steps=3

step 'packages'
need_packages cmake/packages.txt build toolkit importers

step 'build (some minutes the first time)'
preset=toolkit-only
[ -f build/$preset/build.ninja ] || cmake --preset $preset >/dev/null
cmake --build --preset $preset

step "the process plant, and its spool's way out"
fitup=build/$preset/bin/fitup

out=out/demo
mkdir -p $out
[ -f $out/plant.track.json ] && [ $out/plant.track.json -nt $fitup ] || "$fitup" generate plant $out/plant.fitup
"$fitup" info $out/plant.fitup --tree
printf '\n'
# Exit code 1 says that the motion meets something, which it is meant to do.
"$fitup" replay $out/plant.fitup $out/plant.track.json --compare-settings --paper \
  --report $out/report.json --report $out/report.csv --report $out/report.html || [ $? = 1 ]
printf '\nReports: %s/report.json, report.csv and report.html. Try next:\n  %s check YOUR.step --verdict --report clashes.html\n' "$out" "$fitup"
