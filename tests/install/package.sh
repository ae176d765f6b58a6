#!/usr/bin/env bash
# Makes the Debian packages and tries them on a clean root: no compiler, no library that they do not ask for. Needs root
# rights, debootstrap and a package mirror, so it is no part of the suite.
#
#     tests/install/package.sh [ROOT]      ROOT: a folder to make the root in, or one that holds a minimal root
#
# The mirror is the first one of this machine's own sources, or MIRROR.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=${1:-$(mktemp -d /tmp/fitup-root-XXXXXX)}
build=build/package
sources=$(cat /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null || true)
mirror=${MIRROR:-$(sed -n 's/^URIs: *//p; s/^deb \([^ ]*\) .*/\1/p' <<<"$sources" | sed -n 1p)}

cmake --preset release -B $build -DFITUP_BUILD_TESTS=OFF -DFITUP_BUILD_BENCHMARKS=OFF -DFITUP_BUILD_EXAMPLES=OFF >/dev/null
cmake --build $build --target package
[ -e "$root/etc/debian_version" ] || debootstrap --variant=minbase bookworm "$root" "$mirror" >"$root.log" 2>&1

mkdir -p "$root/proc"
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
trap 'umount "$root/proc"' EXIT
# A snapshot mirror may be older than its release files are valid.
run() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 HOME=/root "$@"; }
apt="apt-get -qq -y -o Acquire::Check-Valid-Until=false --no-install-recommends"
rm -rf "$root/packages" "$root/trial"
mkdir -p "$root/trial"
cp -r $build/packages "$root/packages"
run $apt update
# One after the other, so that each shows that it asks for all it needs.
run sh -c "$apt install /packages/fitup_*.deb"
cat >"$root/trial/model.obj" <<'OBJ'
o left
v 0 0 0
v 1 0 0
v 0 1 0
f 1 2 3
o right
v 0.2 0.2 -1
v 0.2 0.2 1
v 0.4 0.2 0
f 4 5 6
OBJ
run sh -c "cd /trial && fitup generate plant plant.fitup && fitup replay plant.fitup plant.track.json --report motion.html >/dev/null; \
  fitup check model.obj; test \$? = 1 && ls -l motion.html && fitup --version"
# Some faces of a STEP file, where the build made one.
if [ -x build/release/bin/fitup-write-test-step ]; then
  build/release/bin/fitup-write-test-step "$root/trial/assembly.step" >/dev/null
  run sh -c "cd /trial && fitup info assembly.step" | tee "$root/trial/info.txt"
  grep -q 'instances *6' "$root/trial/info.txt"
fi
if ls $build/packages/libosgfitup0*.deb >/dev/null 2>&1; then
  run sh -c "$apt install /packages/libosgfitup0*.deb"
fi
if ls $build/packages/fitup-viewer_*.deb >/dev/null 2>&1; then
  run sh -c "$apt install /packages/fitup-viewer_*.deb xvfb xauth"
  run sh -c "cd /trial && xvfb-run -a -s '-screen 0 1280x1024x24' fitup-viewer plant.fitup plant.track.json --screenshot viewer.png && ls -l viewer.png"
fi
run sh -c "$apt install /packages/libfitup-dev_*.deb g++ cmake make pkgconf"
sed -n '/^```cpp$/,/^```$/p' README.md | sed '1d;/^```$/,$d' >"$root/trial/ten_lines.cpp"
cat >"$root/trial/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(ten_lines LANGUAGES CXX)
# The library of the node kit comes without its development package, which is no error where it is optional.
find_package(Fitup REQUIRED COMPONENTS toolkit OPTIONAL_COMPONENTS scenegraph)
add_executable(ten_lines ten_lines.cpp)
target_link_libraries(ten_lines PRIVATE fitup::toolkit)
CMAKE
run sh -c "cd /trial && cmake -S . -B build >/dev/null && cmake --build build && build/ten_lines plant.fitup"
run sh -c "cd /trial && g++ -std=c++20 \$(pkg-config --cflags fitup) ten_lines.cpp -o ten_lines \$(pkg-config --libs fitup) && ./ten_lines plant.fitup"
run sh -c "apt-get -qq -y purge fitup 'lib*fitup*' >/dev/null; ls /usr/bin/fitup* 2>/dev/null" && { echo "something is left" >&2; exit 1; }
echo "packages: $(ls $build/packages/*.deb | wc -l) made, installed, run and removed on a clean root"
