# Sourced by demo.sh and test.sh: installs what is missing of the package list, and shows how far a script is.

# step TEXT : what a script does next; it sets `steps`, how many there are.
step() {
  step=$((${step:-0} + 1))
  printf '== %d of %d: %s\n' "$step" "$steps" "$1"
}
# ninja's line: how many of all commands are done, and the time so far.
export NINJA_STATUS='[%f/%t, %es] '

# missing_packages FILE GROUP... : names of packages of these groups that are not installed.
missing_packages() {
  local list=$1 name group rest wanted
  shift
  while read -r name group rest; do
    case $name in ''|'#'*) continue ;; esac
    for wanted in "$@"; do
      [ "$group" = "$wanted" ] || continue
      dpkg-query -W -f '${db:Status-Status}\n' "$name" 2>/dev/null | grep -qx installed || printf '%s\n' "$name"
    done
  done <"$list"
}

# show_percent : apt's status lines (dlstatus:... and pmstatus:NAME:PERCENT:TEXT) as one line each ten per cent.
show_percent() {
  local kind name percent rest shown=
  while IFS=: read -r kind name percent rest; do
    case $kind in dlstatus) kind=fetching ;; pmstatus) kind=installing ;; *) continue ;; esac
    percent=${percent%%.*}
    [ "$shown" != "$kind ${percent%?}" ] || continue
    shown="$kind ${percent%?}"
    printf '   %s packages: %s %%\n' "$kind" "$percent"
  done
}

# need_packages FILE GROUP... : installs what is missing; without root says what to install and ends.
need_packages() {
  local missing
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    printf 'not a Debian system, see README: Elsewhere\n' >&2
    exit 1
  fi
  missing=$(missing_packages "$@" | tr '\n' ' ')
  [ -n "$missing" ] || return 0
  local sudo=
  if [ "$(id -u)" != 0 ]; then
    if sudo -n true 2>/dev/null; then
      sudo=sudo
    else
      printf 'These packages are missing and installing them needs root:\n\n  sudo apt-get install --no-install-recommends %s\n\n' \
        "$missing" >&2
      exit 1
    fi
  fi
  printf 'Installing: %s\n' "$missing"
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get update -qq
  # What packages print stays apart from apt's status lines: apt closes the descriptor of those for the packages'
  # scripts, and a script that prints then fails. It is made in the inner shell, as sudo closes others.
  # shellcheck disable=SC2086  # one word a package
  { $sudo env DEBIAN_FRONTEND=noninteractive sh -c 'exec apt-get install -y -qq --no-install-recommends \
      -o APT::Status-Fd=3 -o Dpkg::Use-Pty=0 "$@" 3>&1 >/dev/null' apt-get $missing | show_percent; } || exit 1
}
