#!/bin/sh
# timed.sh LOG COMMAND...: runs a command of the build, appends what it took to LOG, and ends as the command did.
# A line: user and system processor time as `times` prints them, "compiled" or "cached" (by ccache), the output.
# Started by CMake where FITUP_TIME_BUILD is on; read by build_times.py.
log=$1
shift
notes=$log.$$
CCACHE_STATSLOG=$notes "$@"
status=$?
how=compiled
[ ! -f "$notes" ] || ! grep -q 'cache_hit$' "$notes" || how=cached
output= previous=
for word in "$@"; do
  [ "$previous" != -o ] || output=$word
  previous=$word
done
times >"$notes"
{ read -r own; read -r children; } <"$notes"
rm -f "$notes"
[ $status != 0 ] || printf '%s %s %s\n' "$children" $how "$output" >>"$log"
exit $status
