# Sourced by demo.sh and test.sh: installs what is missing of the package list.

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
  # shellcheck disable=SC2086  # one word a package
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}
